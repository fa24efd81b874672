// What `rewardkit permissions` prints.

import type { ListedPermissions } from "../permission_list.ts";

type Ask = ListedPermissions["asks"][number];

/** Every criterion and judge with what it asks for, below its file. */
export function permissionsText(permissions: readonly ListedPermissions[]): string {
  if (permissions.length === 0) return "nothing asks for any permission";
  const byFile = Map.groupBy(permissions, ({ file }) => file);
  return [...byFile].map(([file, listed]) => [file, ...listed.flatMap(describe)].join("\n"))
    .join("\n\n");
}

function describe({ criterion, asks, exceeds }: ListedPermissions): string[] {
  const kinds = [...Map.groupBy(asks, ({ kind }) => kind)];
  const asked = kinds.map(([kind, asks]) => `${kind} ${asks.map(valueOf).join(", ")}`);
  return [
    `  ${criterion ?? "the judge"}: ${asked.join("; ") || "nothing"}`,
    ...exceeds.map(({ kind, value, flag }) =>
      `    too much: ${kind} ${valueOf({ kind, value })} (${flag} grants it)`
    ),
  ];
}

function valueOf({ value }: Ask): string {
  return value === true ? "everything" : value;
}
