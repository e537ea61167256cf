#!/bin/sh
# Runs a TypeScript file of the project under the project's own Node: run.sh FILE [ARGUMENT…]
# The Node that started npm does not matter; the pinned one lies in node_modules.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/lib/node.sh"

node=$(pinned_node)
if [ ! -x "$node" ]; then
  echo "run: the project's Node is missing ($node); run: npm run setup" >&2
  exit 1
fi
# What setup.sh found or built: Rust, the glue program, the browser.
if [ -f "$root/.cache/tools.env" ]; then . "$root/.cache/tools.env"; fi
PATH="$(dirname -- "$node"):$root/node_modules/.bin:$PATH"
export PATH
file=$1
shift

# What the main thread and the C library read before any code of ours does (docs/adr/0035-bounded-heaps.md): the sizes are
# PLATFORM_LIMITS.youngHeapMib and PLATFORM_LIMITS.mallocArenas.
bounds=
case $file in
node-server/bin/*)
  bounds=--max-semi-space-size=4
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
  # Types are stripped once, by set-up: a thread that does it itself keeps some 25 MB for it.
  export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/.cache/modules}"
  ;;
esac
# shellcheck disable=SC2086 # one option or none
exec "$node" --disable-warning=ExperimentalWarning $bounds "$root/$file" "$@"
