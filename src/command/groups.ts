// Which process groups the run has started, so that none outlives it.

import { Guardian } from "./guardian.ts";
import { adoptOrphans, endFamily } from "./orphans.ts";
import { listProcesses, PROBE, send, startedWith } from "./processes.ts";

/** Tells the processes of a run from others; in the environment of every command. */
export const RUN_VARIABLE = "REWARDKIT_RUN";

const END_TIMEOUT_MS = 2000;
const END_INTERVAL_MS = 5;

/** Whose processes are ended with the run. */
export interface ProcessGroupsOptions {
  /**
   * The run's own folder, absolute. With one, and from {@link ProcessGroups.guard} to
   * {@link ProcessGroups.unguard}, a guardian kills what was started and removes the folder if this
   * process dies. Default: none.
   */
  folder?: string;
  /**
   * Nothing but the run goes on in this process: what descends from it, or has been left by what
   * does, is the run's. Default false.
   */
  ownsProcess?: boolean;
}

/**
 * The process groups that a run has started. What a command leaves running lives on until
 * {@link endAll}. Installs no signal handlers: whoever owns the run calls `endAll`, also when it is
 * interrupted.
 */
export class ProcessGroups {
  /** Value of {@link RUN_VARIABLE} in the environment of the processes of this run. */
  readonly mark: string = crypto.randomUUID();

  /** Group (its leader is the leader of a session as well) → closes our end of its pipes. */
  readonly #groups = new Map<number, () => void>();
  readonly #folder: string | null;
  readonly #ownsProcess: boolean;
  #guardian: Guardian | null = null;
  /** Whether programs were started, and if so, whether their orphans come to this process. */
  #started: { adopts: boolean } | null = null;
  #hasEnded = false;

  constructor({ folder, ownsProcess = false }: ProcessGroupsOptions = {}) {
    this.#folder = folder ?? null;
    this.#ownsProcess = ownsProcess;
  }

  /** To be called before there is a folder. */
  guard(): void {
    if (this.#folder === null || this.#hasEnded) return;
    this.#guardian ??= new Guardian(`${RUN_VARIABLE}=${this.mark}`, this.#folder);
  }

  /** To be called before anything of others is started, by whatever. */
  expectPrograms(): void {
    this.guard();
    this.#started ??= { adopts: this.#ownsProcess && adoptOrphans() };
  }

  /**
   * To be called when everything has been cleaned up.
   *
   * @param isDone Whether that is sure; else the guardian does it once more.
   */
  async unguard(isDone: boolean): Promise<void> {
    if (isDone) await this.#guardian?.dismiss();
    else await this.#guardian?.cleanUp();
    this.#guardian = null;
  }

  /**
   * Puts a group on the list. `close` is called when the group is ended by {@link endAll}. One that
   * comes after that is killed: whoever started it does not know yet that the run has ended.
   */
  add(group: number, close: () => void): void {
    if (this.#hasEnded) return this.kill(group);
    this.#groups.set(group, close);
  }

  /** Kills every process of a group, whatever signals they ignore. */
  kill(group: number): void {
    send(-group, "SIGKILL");
  }

  /**
   * Takes a group off the list if nothing is left of it; says whether it did. Its number may then
   * be given to a process that is none of ours.
   */
  forgetIfEmpty(group: number): boolean {
    if (send(-group, PROBE)) return false;
    this.#groups.delete(group);
    return true;
  }

  /**
   * Kills everything that programs have left running: the groups, what moved to another group or
   * session but was started by one of them, and on Linux also what has cut itself loose with
   * `setsid`. What hides its environment as well is found where orphans come to this process. Waits
   * until all of it is dead, at most 2 seconds.
   *
   * @returns Process ids that would not die; empty when all is well.
   */
  async endAll(): Promise<number[]> {
    this.#hasEnded = true;
    if (this.#started === null) return [];
    // At once and as a whole, so that no member can fork in between.
    for (const group of this.#groups.keys()) this.kill(group);
    const deadline = performance.now() + END_TIMEOUT_MS;
    const left = this.#started.adopts
      ? await endFamily(deadline, this.#guardian?.pid)
      : await this.#endMembers(deadline);
    for (const close of this.#groups.values()) close();
    this.#groups.clear();
    return left;
  }

  async #endMembers(deadline: number): Promise<number[]> {
    let members = this.#members();
    while (members.length > 0 && performance.now() < deadline) {
      for (const pid of members) send(pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, END_INTERVAL_MS));
      members = this.#members();
    }
    return members;
  }

  #members(): number[] {
    const all = listProcesses();
    const members = new Set<number>();
    for (const { pid, group, session } of all) {
      if (pid === Deno.pid || pid === 1) continue;
      const listed = this.#groups.has(session) || this.#groups.has(group);
      if (listed || startedWith(pid, RUN_VARIABLE, this.mark)) members.add(pid);
    }
    for (let size = -1; size !== members.size;) {
      size = members.size;
      for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
    }
    return [...members];
  }
}
