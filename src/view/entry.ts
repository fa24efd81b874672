// How a program gets to its working folder: by a shell, where its files are those of the view.

/** A shell that exports more than it was given would show in what the program prints. */
const ENTER = 'cd -P -- "$1" || exit 126; shift; unset OLDPWD; exec "$@"';

/** An argument list that runs `argv` in the folder `cwd` of wherever it is started. */
export function enter(argv: readonly string[], cwd: string): string[] {
  return ["/bin/sh", "-c", ENTER, "sh", cwd, ...argv];
}
