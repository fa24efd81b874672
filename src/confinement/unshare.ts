// Confinement with the namespaces of the kernel alone, where there is no bubblewrap.

import {
  type Confinement,
  NETWORK_PATHS,
  type OsSandbox,
  SYSTEM_PATHS,
  TEMPORARY_MIB,
  withMemoryLimit,
} from "./confinement.ts";

/**
 * Builds a file system of what is listed over a folder that is never shown, makes it the root, and
 * goes on without privileges. Arguments: working folder, pairs of `ro` or `rw` and a path, `--`, the
 * program and its arguments.
 */
const SCRIPT = `
set -e
cwd=$1; shift
new=/sys
mount --make-rprivate /
mount -t tmpfs -o mode=755,size=16m tmpfs "$new"
place() {
  if [ -d "$1" ]; then mkdir -p "$new$1"; else mkdir -p "$new\${1%/*}"; [ -e "$new$1" ] || : >"$new$1"; fi
  mount --bind "$1" "$new$1" 2>/dev/null || mount --rbind "$1" "$new$1"
}
# What is mounted below it, as drivers are in a container, comes along where it must.
lock() {
  lock_one "$1"
  while read -r _ _ _ _ point _; do
    case $point in *\\\\*) point=$(plain "$point") ;; esac
    case $point in "$1"/*) lock_one "$point" ;; esac
  done </proc/self/mountinfo
}
# Blanks and the like are written as three octal digits.
plain() { printf %b "$(printf %s "$1" | sed 's/\\\\\\([0-7][0-7][0-7]\\)/\\\\0\\1/g')"; }
lock_one() {
  mount -o remount,bind,ro "$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec "$1"
}
show() {
  if [ -L "$2" ] && [ ! -e "$new$2" ] && [ "$1" = ro ]; then
    mkdir -p "$new\${2%/*}"; ln -s "$(readlink "$2")" "$new$2"; return
  fi
  [ -e "$2" ] || return 0
  place "$2"
  [ "$1" = rw ] || lock "$new$2"
}
mkdir -p "$new/tmp" "$new/proc" "$new/dev" "$new/.old"
mount -t proc proc "$new/proc"
mount -t tmpfs -o mode=1777,size=${TEMPORARY_MIB}m tmpfs "$new/tmp"
for device in null zero full random urandom; do place "/dev/$device"; done
while [ "$1" != -- ]; do show "$1" "$2"; shift 2; done
shift
cd "$new"
PATH=$PATH:/usr/sbin:/sbin pivot_root . .old
umount -l /.old
rmdir /.old
mount -o remount,ro / 2>/dev/null || :
cd "$cwd"
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
`;

/** The sandbox of a kernel that lets this user make namespaces. */
export const unshare: OsSandbox = {
  name: "unshare",
  wrap: (argv, confinement) => [
    ...["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"],
    ...["--ipc", "--uts", ...(confinement.net ? [] : ["--net"])],
    ...["sh", "-c", SCRIPT, "sh", ...argumentsFor(confinement)],
    ...["--", ...withMemoryLimit(argv, confinement)],
  ],
};

function argumentsFor({ read, write, net, cwd }: Confinement): string[] {
  const shown = [...SYSTEM_PATHS, ...(net ? NETWORK_PATHS : []), ...read];
  return [
    cwd,
    ...shown.flatMap((path) => ["ro", path]),
    ...write.flatMap((path) => ["rw", path]),
  ];
}
