// Collects what is wrong, so that all of it can be shown at once.

import { ConfigError, DiscoveryError, type Place, type Warning } from "../errors.ts";

/** The problems and warnings of a tests folder so far. */
export class Problems {
  readonly #errors: ConfigError[] = [];
  readonly #warnings: Warning[] = [];

  /** @param message What was found and what was expected, without the file: that goes in front. */
  add(place: Place, message: string, hint?: string): void {
    this.#errors.push(new ConfigError(`${shown(place)}: ${message}`, { place, hint }));
  }

  /** @param place A path stands for a file as a whole. */
  warn(place: Place | string, message: string): void {
    const { file, line, column = 1 }: Place = typeof place === "string" ? { file: place } : place;
    this.#warnings.push({ file, ...(line !== undefined && { line, column }), message });
  }

  get errors(): readonly ConfigError[] {
    return this.#errors;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** @throws {DiscoveryError} If there is any problem; holds all of them. */
  throwIfAny(): void {
    if (this.#errors.length > 0) throw new DiscoveryError(this.#errors);
  }
}

function shown({ file, line, column }: Place): string {
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}
