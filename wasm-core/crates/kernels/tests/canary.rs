//! A test that fails as WebAssembly: `scripts/testWasm.ts` demands that this program does, and so shows at every run that it
//! would notice the failure of any other.

#[test]
fn fails_as_webassembly() {
    assert_ne!(std::env::consts::ARCH, "wasm32");
}
