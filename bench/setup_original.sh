#!/bin/sh
# Installs the original, harbor-rewardkit, into bench/.original, so that the bench can measure it
# beside Reward Kit. It needs CPython 3.12: from PATH, from uv or from pyenv.
#
#   bench/setup_original.sh           installs, or says that it is there already
#   bench/setup_original.sh --force   installs anew
set -eu

PACKAGE='harbor-rewardkit[all]==0.2.3'
PYTHON=3.12

cd "$(dirname "$0")"

# Importing the original asks the network for a list of prices, and waits, unless it is told not to.
export LITELLM_LOCAL_MODEL_COST_MAP=True

if [ "${1:-}" = --force ]; then
  rm -rf .original
elif .original/bin/python -c 'import rewardkit' 2>/dev/null; then
  echo "harbor-rewardkit is installed in bench/.original already; --force installs it anew"
  exit 0
fi

is_wanted() {
  "$1" -c "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$PYTHON')" 2>/dev/null
}

# Prints the path of a Python of the wanted version. A command of that name alone is no proof: the
# shims of pyenv exist for versions that are not switched on.
find_python() {
  if is_wanted "python$PYTHON"; then command -v "python$PYTHON" && return; fi
  if is_wanted python3; then command -v python3 && return; fi
  if command -v uv >/dev/null; then
    uv python install --quiet "$PYTHON" >&2 || true
    uv python find "$PYTHON" 2>/dev/null && return
  fi
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}/versions/$PYTHON".*/bin/python; do
    if is_wanted "$candidate"; then echo "$candidate" && return; fi
  done
  return 1
}

python=$(find_python) || {
  echo "No Python $PYTHON was found: put python$PYTHON on PATH, install uv, or run" >&2
  echo "\`pyenv install $PYTHON\`, then try again" >&2
  exit 1
}
echo "Installing $PACKAGE with $python"
rm -rf .original
"$python" -m venv .original
.original/bin/python -m pip install --quiet --disable-pip-version-check "$PACKAGE"
.original/bin/python -c 'import rewardkit'
echo "Installed in bench/.original"
