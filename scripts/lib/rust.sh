# The one Rust that rust-toolchain.toml names, for the host and for WebAssembly, and the programs that are built
# with it. Needs $root, $cache and say.sh. Results: PATH, and RUSTC_WRAPPER where the standard library for
# WebAssembly is our own build.

wasm_target=wasm32-unknown-unknown

# pinned_rust: the version that rust-toolchain.toml names.
pinned_rust() {
  sed -n 's/^channel = "\(.*\)"$/\1/p' "$root/rust-toolchain.toml"
}

# is_pinned RUSTC [ARGUMENT]: true when it is exactly that version.
is_pinned() {
  [ "$("$@" --version 2>/dev/null | cut -d' ' -f1,2)" = "rustc $(pinned_rust)" ]
}

# has_wasm RUSTC: true when its sysroot holds the standard library for WebAssembly.
has_wasm() {
  ls "$("$1" --print sysroot)/lib/rustlib/$wasm_target/lib/"libstd-*.rlib >/dev/null 2>&1
}

# use_rustup: has rustup install the pinned version; false where there is no rustup. rustup itself reads
# rust-toolchain.toml for every command below the project's folder.
use_rustup() {
  if [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/rustup" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  fi
  command -v rustup >/dev/null 2>&1 || return 1
  # What another folder or shell chose is not for us.
  unset RUSTUP_TOOLCHAIN
  if is_pinned rustc && has_wasm rustc && cargo clippy --version >/dev/null 2>&1; then return 0; fi
  work "installing Rust $(pinned_rust) with rustup"
  quietly rustup toolchain install "$(pinned_rust)" --profile minimal -c clippy -c rustfmt -t "$wasm_target" ||
    use_same_rust ||
    fail "Rust $(pinned_rust) could not be installed" "rustup toolchain install $(pinned_rust) -t $wasm_target"
  is_pinned rustc && has_wasm rustc
}

# use_same_rust: takes a toolchain that is the pinned version under another name (`stable`), for machines without
# a network.
use_same_rust() {
  for name in $(rustup toolchain list | cut -d' ' -f1); do
    is_pinned rustup run "$name" rustc || continue
    RUSTUP_TOOLCHAIN=$name
    export RUSTUP_TOOLCHAIN
    return 0
  done
  return 1
}

# use_installed: takes a rustc from PATH or /usr/bin that is the pinned version and either has the target or the
# sources to build it from.
use_installed() {
  for rustc in rustc /usr/bin/rustc; do
    command -v "$rustc" >/dev/null 2>&1 || continue
    is_pinned "$rustc" || continue
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

# ensure_rust: one of the above, rustup from Debian where it has it, or an end that names what was found and what is needed.
ensure_rust() {
  if use_rustup; then
    how=rustup
  elif use_installed; then
    how=installed
  elif apt-cache show rustup >/dev/null 2>&1; then
    apt_install rustup rustup
    use_rustup || fail "Rust $(pinned_rust) could not be installed" "rustup toolchain install $(pinned_rust) -t $wasm_target"
    how=rustup
  else
    found=$(rustc --version 2>/dev/null || echo "none")
    fail "this project is built with Rust $(pinned_rust) for the host and $wasm_target, and nothing else (found: $found); install rustup from rustup.rs, or that version" \
      "rustup toolchain install $(pinned_rust) -t $wasm_target"
  fi
  command -v cc >/dev/null 2>&1 || apt_install "a C linker (cc)" gcc libc6-dev
  export PATH
}

# ensure_glue: the program that writes the JavaScript glue, built into the cache from its own lockfile. A crate that
# its lockfile names and the registry does not give is an end, never another version.
ensure_glue() {
  glue="$cache/glue-$(cd "$root" && fingerprint wasm-core/glue rust-toolchain.toml | cut -d' ' -f1)"
  if [ ! -x "$glue/bin/svc-glue" ]; then
    work "building the glue program (a minute, once)"
    CARGO_TARGET_DIR="$cache/target" quietly cargo install --path "$root/wasm-core/glue" --locked --root "$glue" ||
      fail "the glue program could not be built from wasm-core/glue/Cargo.lock" \
        "cargo install --path wasm-core/glue --locked --root $glue"
    rm -rf "$cache/target"
  fi
  PATH="$glue/bin:$PATH"
  export PATH
}
