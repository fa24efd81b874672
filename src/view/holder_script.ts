// What the process does that holds a view: it makes the mounts, and ends with its starter.

/**
 * Run by `sh` as the first process of a process and a mount namespace of its own, so that all that
 * is started there dies with it, and the mounts with the last of that. Arguments:
 * 1. the view's folder, in which its layers lie,
 * 2. the workspace,
 * 3. fuse-overlayfs, or nothing for the kernel's overlayfs,
 * 4. options of the mount, each with a comma in front,
 * 5. `memory` if the layers are to lie in memory, `disk` if in the folder,
 * 6. `try` if it is to be found out whether a folder can be replaced in such layers,
 * 7. `own` if it has a user namespace,
 * 8. mode (octal) and owner (`uid:gid`) of the workspace's folder, with a blank between,
 * 9. and on: paths, from the workspace, at which something else is mounted; outer ones first.
 *
 * Says `ok` and its number outside, or `no`, which step failed, and, on stderr, why. Then it waits:
 * the end of stdin says that the view is to end, or that its starter is dead.
 *
 * Paths never become part of a mount option, where commas, colons and backslashes mean something:
 * the lower layer is the working folder, the upper one is found through descriptor 3.
 */
export const HOLDER_SCRIPT = `
# Only its starter ends it.
trap '' HUP INT QUIT TERM PIPE
folder=$1 workspace=$2 fuse=$3 options=$4 layers=$5 try=$6 users=$7 said=$8
shift 8
read -r number _ </proc/self/stat

refuse() { echo "no $1"; exit 1; }

# $1 number of the layers, $2 mode and owner of what they cover. The working folder is the lower one,
# and what is said of the upper one is what will be said of the view's own folder. One process each
# for all of it: it is done for every view.
made() {
  mkdir -m "\${2% *}" "$folder/upper$1" "$folder/work$1" || return
  [ -O . ] && [ -G . ] || chown "\${2#* }" "$folder/upper$1" || return
  touch -m -r . "$folder/upper$1"
}
upper() { echo "upperdir=/proc/self/fd/3/upper$1,workdir=/proc/self/fd/3/work$1"; }
# $3 where it goes.
overlay() {
  made "$1" "$2" && mount -t overlay overlay -o "lowerdir=.,$(upper "$1")$options" "$3"
}

# Each mount below the workspace gets layers of its own. Put together at another place: where the
# workspace is covered they cannot be got at any more.
mount_overlay() {
  if [ $# = 0 ]; then overlay 0 "$said" "$workspace"; return; fi
  stage=$folder/stage count=0
  mkdir -p "$stage" && overlay 0 "$said" "$stage" || return
  for path; do
    [ -e "$workspace/$path" ] || continue
    count=$((count + 1))
    if [ -f "$workspace/$path" ]; then cp -a -- "$workspace/$path" "$stage/$path" || return
    else
      (cd -P -- "$workspace/$path" &&
        overlay "$count" "$(stat -c '%a %u:%g' .)" "$stage/$path" 2>/dev/null) ||
        show_only "$workspace/$path" "$stage/$path" || return
    fi
  done
  mount --move "$stage" "$workspace"
}
# What cannot be a layer, such as /proc.
show_only() { mount --bind "$1" "$2" && mount -o remount,bind,ro "$2"; }

mount_fuse() {
  made 0 "$said" && "$fuse" -f -o "lowerdir=.,$(upper 0)$options" "$workspace" 2>"$folder/heard" &
  tries=0
  while [ "$workspace" -ef . ]; do
    tries=$((tries + 1))
    if [ $tries = 400 ] || ! kill -0 $! 2>/dev/null; then cat "$folder/heard" >&2; return 1; fi
    sleep 0.01
  done
}

# Replacing a folder takes extended attributes.
replaces() (
  mkdir -p "$folder/lower/a" "$folder/seen" && : >"$folder/lower/a/b" && cd "$folder/lower" &&
    overlay try "755 0:0" ../seen && cd ../seen || exit
  rm -r a && mkdir a && [ ! -e a/b ] && : >c
  result=$?
  cd .. && umount seen
  exit $result
)

# Through the old one, processes outside and their folders could be got at; but not from a user
# namespace, to which a container may refuse a new one.
mount -t proc proc /proc || [ "$users" = own ] || refuse proc
if [ "$layers" = memory ]; then mount -t tmpfs -o mode=700 tmpfs "$folder" || refuse memory; fi
exec 3<"$folder" || refuse folder
cd -P -- "$workspace" || refuse workspace
if [ -n "$try" ]; then replaces || refuse layers; fi
if [ -n "$fuse" ]; then mount_fuse; else mount_overlay "$@"; fi || refuse mount
# Whoever is in the view finds the way to the real workspace nowhere, also not through this process.
cd / && exec 3<&- 2>/dev/null
echo "ok $number"
read -r _
`;
