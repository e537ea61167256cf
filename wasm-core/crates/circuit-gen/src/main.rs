//! `npm run generate:circuit`: writes the assets of the action circuit and their hash. `--check` only reports
//! files that are out of date.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use svc_circuit::assets::pin_of;
use svc_circuit_gen::gen_error::GenError;
use svc_circuit_gen::make_assets::make_assets;
use svc_circuit_gen::places::{assets_file, pin_file};
use svc_circuit_gen::upstream::Upstream;

fn main() -> ExitCode {
    match run(std::env::args().any(|argument| argument == "--check")) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all files are as they should be in the end.
fn run(check: bool) -> Result<bool, GenError> {
    let assets = make_assets(&Upstream::build()?)?.encode();
    let pin = pin_source(&pin_of(&assets));
    Ok(settle(&assets_file(), &assets, check)? & settle(&pin_file(), pin.as_bytes(), check)?)
}

fn settle(path: &Path, content: &[u8], check: bool) -> Result<bool, GenError> {
    if fs::read(path).is_ok_and(|found| found == content) {
        return Ok(true);
    }
    if check {
        eprintln!(
            "{} is out of date: npm run generate:circuit",
            path.display()
        );
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(GenError::new)?;
    }
    fs::write(path, content).map_err(GenError::new)?;
    println!("wrote {} ({} bytes)", path.display(), content.len());
    Ok(true)
}

fn pin_source(pin: &[u8; 32]) -> String {
    let mut lines = String::new();
    for bytes in pin.chunks(16) {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
        lines.push_str(&format!("    {},\n", bytes.join(", ")));
    }
    format!(
        "//! The hash of the assets file, written by `npm run generate:circuit`.\n\n\
         /// BLAKE2b-256 of `wasm-core/assets/action-circuit.bin`.\n\
         pub const PIN: [u8; 32] = [\n{lines}];\n"
    )
}
