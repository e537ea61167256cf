//! Generator of the JavaScript glue of a WebAssembly module: `svc-glue NAME FOLDER MODULE.wasm`.
//!
//! It does what the command line program of wasm-bindgen does with `--target web`, without the crates that program
//! needs for running tests in browsers. `svc-glue --version` prints the version of wasm-bindgen it is made of.

use std::env;

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--version"] => {
            println!("wasm-bindgen {}", wasm_bindgen_shared::version());
            Ok(())
        }
        [name, folder, module] => Bindgen::new()
            .web(true)?
            .typescript(true)
            .omit_default_module_path(false)
            .input_path(module)
            .out_name(name)
            .generate(folder),
        _ => bail!("use: svc-glue NAME FOLDER MODULE.wasm"),
    }
}
