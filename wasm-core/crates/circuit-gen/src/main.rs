//! Asset generator program (`npm run generate:circuit`): writes the assets of the action circuit, their hash and
//! those of the tables made of them. `--check` only reports files that are out of date.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use svc_circuit::assets::pin_of;
use svc_circuit::commitment_tables::CommitmentTables;
use svc_circuit_gen::gen_error::GenError;
use svc_circuit_gen::make_assets::make_assets;
use svc_circuit_gen::places::{assets_file, pin_file, table_pin_file};
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
    let assets = make_assets(&Upstream::build()?)?;
    let tables = table_pin_source(&CommitmentTables::build(&assets).pins());
    let assets = assets.encode();
    let pin = pin_source(&pin_of(&assets));
    Ok(settle(&assets_file(), &assets, check)?
        & settle(&pin_file(), pin.as_bytes(), check)?
        & settle(&table_pin_file(), tables.as_bytes(), check)?)
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
    let about = "BLAKE2b-256 of `wasm-core/assets/action-circuit.bin`.";
    format!(
        "//! The hash of the assets file, written by `npm run generate:circuit`.\n\n{}",
        constant(about, "PIN", pin)
    )
}

fn table_pin_source([coefficients, rows, runs]: &[[u8; 32]; 3]) -> String {
    let of = "BLAKE2b-256 of the table of the";
    let constants = [
        constant(
            &format!("{of} bases of coefficients."),
            "COEFFICIENT_TABLE_PIN",
            coefficients,
        ),
        constant(&format!("{of} bases of rows."), "ROW_TABLE_PIN", rows),
        constant(
            &format!("{of} prefix sums of the bases of rows."),
            "RUN_TABLE_PIN",
            runs,
        ),
    ];
    format!(
        "//! The hashes of stored tables, written by `npm run generate:circuit`.\n\n{}",
        constants.join("\n")
    )
}

fn constant(about: &str, name: &str, hash: &[u8; 32]) -> String {
    let mut lines = String::new();
    for bytes in hash.chunks(16) {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
        lines.push_str(&format!("    {},\n", bytes.join(", ")));
    }
    format!("/// {about}\npub const {name}: [u8; 32] = [\n{lines}];\n")
}
