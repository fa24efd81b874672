#!/bin/sh
# Stands in for claude, codex and other programs: records how it was started, and does what files
# beside it say, since little of its environment is sure to reach it. fake_agent.ts puts it there.
# Uses `sh` and a few small programs, so that it starts in milliseconds.

tool=${0##*/}
root=${0%/*}/..

number=1001
until mkdir "$root/calls/$number" 2>/dev/null; do
  number=$((number + 1))
  [ "$number" -lt 9999 ] || exit 98
done
call=$root/calls/$number
mkdir "$root/running/$number"
ls "$root/running" > "$call/running"
trap 'rmdir "$root/running/$number"' EXIT

printf '%s' "$tool" > "$call/tool"
[ "$#" -eq 0 ] || printf '%s\0' "$@" > "$call/args"
pwd -P > "$call/cwd"
ls -A1 > "$call/cwd_files"
env -0 > "$call/env"

case $tool in claude | codex) ;; *)
  echo "there is no $tool here" >&2
  exit 6
  ;;
esac
if [ "$1" = --version ]; then
  cat "$root/versions/$tool" 2>/dev/null || echo "9.9.9 (fake $tool)"
  exit 0
fi
cat > "$call/stdin"

schema='' OUT='' servers=''
previous=''
for argument; do
  case $previous in
    --output-schema) schema=$argument ;;
    --output-last-message) OUT=$argument ;;
    --mcp-config) servers=$argument ;;
  esac
  previous=$argument
done
mkdir "$call/files"
for file in "$schema" "$servers" "${CODEX_HOME:-.}/config.toml" "${CODEX_HOME:-.}/auth.json"; do
  case $file in *.schema.json) name=schema.json ;; *) name=${file##*/} ;; esac
  [ ! -f "$file" ] || cp -p "$file" "$call/files/$name"
done

reply=''
for one in "$root"/replies/*/; do
  if [ -e "$one/match" ] && ! grep -qF -f "$one/match" "$call/stdin"; then continue; fi
  if [ ! -e "$one/repeat" ] && ! mkdir "$one/taken" 2>/dev/null; then continue; fi
  reply=${one%/}
  break
done
if [ -z "$reply" ]; then
  echo 'the fake has no reply left' >&2
  exit 97
fi
for file in "$reply"/files/*/; do
  [ -d "$file" ] || continue
  place=$(cat "$file/path")
  case $place in
    '$OUT') place=$OUT ;;
    '$CWD/'*) place=$PWD/${place#'$CWD/'} ;;
    '$CODEX_HOME/'*) place=$CODEX_HOME/${place#'$CODEX_HOME/'} ;;
    '$HOME/.claude/'*) place=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/${place#'$HOME/.claude/'} ;;
  esac
  mkdir -p "${place%/*}"
  cat "$file/text" > "$place"
done
[ ! -e "$reply/stdout" ] || cat "$reply/stdout"
[ ! -e "$reply/stderr" ] || cat "$reply/stderr" >&2
# More than the replies above can say: may use $OUT, $CODEX_HOME and $CLAUDE_CONFIG_DIR.
[ ! -e "$reply/script" ] || . "$reply/script"
[ ! -e "$reply/sleep" ] || sleep "$(cat "$reply/sleep")"
exit "$(cat "$reply/code")"
