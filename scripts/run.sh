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
exec "$node" --disable-warning=ExperimentalWarning "$root/$file" "$@"
