// Confinement with bubblewrap.

import {
  type Confinement,
  NETWORK_PATHS,
  type OsSandbox,
  SYSTEM_PATHS,
  TEMPORARY_MIB,
  withMemoryLimit,
} from "./confinement.ts";

/** The sandbox of an installed bubblewrap. */
export function bubblewrap(program: string): OsSandbox {
  return {
    name: "bubblewrap",
    wrap: (argv, confinement) => [
      program,
      ...argumentsFor(confinement),
      "--",
      ...withMemoryLimit(argv, confinement),
    ],
  };
}

function argumentsFor({ read, write, net, cwd }: Confinement): string[] {
  const shown = [...SYSTEM_PATHS, ...(net ? NETWORK_PATHS : []), ...read];
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...(net ? ["--share-net"] : []),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", `${TEMPORARY_MIB * 1024 * 1024}`, "--tmpfs", "/tmp"],
    // Later ones lie over earlier ones: what may be written last.
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ...write.flatMap((path) => ["--bind-try", path, path]),
    // The root itself is memory: nobody may fill it.
    ...["--remount-ro", "/", "--chdir", cwd],
  ];
}
