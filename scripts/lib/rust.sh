# Finding or making a Rust toolchain that builds for the host and for WebAssembly.
# Needs $root, $cache and say.sh. Results: PATH, and RUSTC_WRAPPER where the standard library for
# WebAssembly is our own build.

wasm_target=wasm32-unknown-unknown
oldest_rust=88 # 1.88: what the newest dependency needs
debian_rust="rustc-web cargo-web rust-web-src lld gcc libc6-dev"

# new_enough RUSTC: true from version 1.$oldest_rust.
new_enough() {
  minor=$("$1" --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge "$oldest_rust" ]
}

# has_wasm RUSTC: true when its sysroot holds the standard library for WebAssembly.
has_wasm() {
  ls "$("$1" --print sysroot)/lib/rustlib/$wasm_target/lib/"libstd-*.rlib >/dev/null 2>&1
}

# use_rustup: takes rustup's toolchain and adds the target to it; false where that cannot be done.
use_rustup() {
  if [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/rustup" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  fi
  command -v rustup >/dev/null 2>&1 || return 1
  if ! new_enough rustc; then
    work "updating Rust with rustup"
    quietly rustup toolchain install stable --profile minimal -c clippy -c rustfmt || return 1
    RUSTUP_TOOLCHAIN=stable
    export RUSTUP_TOOLCHAIN
    new_enough rustc || return 1
  fi
  has_wasm rustc && return 0
  work "adding the target $wasm_target with rustup"
  quietly rustup target add "$wasm_target" && has_wasm rustc
}

# use_installed: takes a rustc from PATH or /usr/bin that is new enough and either has the target
# or the sources to build it from.
use_installed() {
  for rustc in rustc /usr/bin/rustc; do
    command -v "$rustc" >/dev/null 2>&1 || continue
    new_enough "$rustc" || continue
    if [ "$rustc" = /usr/bin/rustc ]; then
      PATH="/usr/bin:$PATH"
    fi
    has_wasm "$rustc" && return 0
    [ -d "$("$rustc" --print sysroot)/lib/rustlib/src/rust/library/std" ] || continue
    command -v wasm-ld >/dev/null 2>&1 || continue
    build_wasm_std "$rustc"
    return 0
  done
  return 1
}

# build_wasm_std RUSTC: builds the standard library for WebAssembly from the compiler's own sources
# into the cache, and a wrapper that makes cargo use it. Nothing outside the project is written.
build_wasm_std() {
  version=$("$1" --version | cksum | cut -d' ' -f1)
  sysroot="$cache/wasm-sysroot-$version"
  libraries="$sysroot/lib/rustlib/$wasm_target/lib"
  if [ ! -f "$sysroot/complete" ]; then
    work "building Rust's standard library for WebAssembly"
    crate="$cache/wasm-std"
    rm -rf "$crate" "$sysroot"
    mkdir -p "$crate/src" "$libraries"
    printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n' >"$crate/Cargo.toml"
    : >"$crate/src/lib.rs"
    (
      cd "$crate"
      unset CARGO_TARGET_DIR
      RUSTC=$(command -v "$1") RUSTC_BOOTSTRAP=1 quietly cargo build --release \
        -Zbuild-std=std,panic_abort,proc_macro,test --target "$wasm_target"
    ) || fail "Rust's standard library for WebAssembly could not be built"
    cp "$crate/target/$wasm_target/release/deps/"*.rlib "$libraries"
    rm -rf "$libraries/"libempty* "$crate"
    : >"$sysroot/complete"
  fi
  RUSTC_WRAPPER="$sysroot/rustc"
  cat >"$RUSTC_WRAPPER" <<WRAPPER
#!/bin/sh
# Called by cargo as: rustc REAL_RUSTC ARGUMENT…
case " \$* " in
*" --target $wasm_target "*) exec "\$@" --sysroot "$sysroot" -C linker=wasm-ld ;;
*) exec "\$@" ;;
esac
WRAPPER
  chmod +x "$RUSTC_WRAPPER"
  export RUSTC_WRAPPER
}

# ensure_rust: one of the above, or Debian's packages, or a clear end.
ensure_rust() {
  if use_rustup; then
    how=rustup
  elif use_installed; then
    how=installed
  else
    # shellcheck disable=SC2086 # a list of packages
    apt_install "Rust 1.$oldest_rust or newer" $debian_rust
    use_installed || fail "the Rust of this system is older than 1.$oldest_rust; install it from rustup.rs"
    how=Debian
  fi
  command -v cc >/dev/null 2>&1 || apt_install "a C linker (cc)" gcc libc6-dev
  export PATH
}

# ensure_bindgen VERSION: the wasm-bindgen program of exactly that version, built into the cache. Where
# the registry lacks something its lockfile names (mirrors lag behind), without the lockfile.
ensure_bindgen() {
  if [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $1" ]; then return 0; fi
  tools="$cache/wasm-bindgen-$1"
  if [ ! -x "$tools/bin/wasm-bindgen" ]; then
    work "building wasm-bindgen $1 (some minutes, once)"
    install_bindgen "$1" --locked 2>/dev/null || install_bindgen "$1" ||
      fail "wasm-bindgen $1 could not be built" "cargo install wasm-bindgen-cli --version =$1 --locked"
    rm -rf "$cache/target"
  fi
  PATH="$tools/bin:$PATH"
  export PATH
}

# install_bindgen VERSION [FLAG]
install_bindgen() {
  version=$1
  shift
  CARGO_TARGET_DIR="$cache/target" quietly cargo install wasm-bindgen-cli --version "=$version" \
    --bin wasm-bindgen --root "$cache/wasm-bindgen-$version" "$@"
}
