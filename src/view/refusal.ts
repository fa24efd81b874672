// Why a way to make views cannot be gone.

/** What was tried when it failed; the words are those of the holder's script, where it says them. */
export type Step =
  | "program"
  | "device"
  | "namespace"
  | "proc"
  | "memory"
  | "folder"
  | "workspace"
  | "layers"
  | "mount"
  | "owners"
  | "entry";

/** What each step does, for somebody who wants to know what is missing. */
const STEPS: Record<Step, string> = {
  program: "a program is not installed",
  device: "/dev/fuse cannot be used",
  namespace: "namespaces cannot be made",
  proc: "/proc cannot be mounted",
  memory: "a tmpfs cannot be mounted",
  folder: "the temporary folder cannot be used",
  workspace: "the workspace cannot be entered",
  layers: "the temporary folder's file system cannot hold an upper layer",
  mount: "mounting failed",
  owners: "a file of the workspace that can be changed belongs to somebody else",
  entry: "no program can be run in it",
};

/** A way to make views is not to be had. */
export class Refusal extends Error {
  readonly step: Step;

  /** @param said What the system said, or which thing is meant. */
  constructor(step: Step, said: string) {
    const [line = ""] = said.trim().split("\n").slice(-1);
    super(line === "" ? STEPS[step] : `${STEPS[step]}: ${line.slice(0, 300)}`);
    this.step = step;
  }
}
