//! Benchmark program over upstream's library: its prover, verifier, scanner and hashes, with which ours are compared.
//!
//! One request per line on standard input, one answer per line on standard output, both JSON. The program
//! that measures asks this peer and our WebAssembly in turns, on the same core. What is timed is upstream's
//! own work; reading requests, preparing inputs and writing out results is not.

mod about;
mod hashing;
mod keys;
mod proving;
mod request;
mod scanning;
mod verifying;
mod wallet;

use std::io::{BufRead, Write};

use keys::Keys;
use request::{Failure, Request};
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut keys = Keys::default();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = answer(&mut keys, &line?).unwrap_or_else(|error| json!({ "error": error.0 }));
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(keys: &mut Keys, line: &str) -> Result<Value, Failure> {
    match serde_json::from_str(line)? {
        Request::About => Ok(about::about()),
        Request::Setup => keys.set_up(),
        Request::Plan { actions } => wallet::plan(actions),
        Request::Prove { plan } => proving::prove(keys.prover(), &plan),
        Request::Verify { transactions } => verifying::one_by_one(keys, &transactions),
        Request::VerifyBatch { transactions } => verifying::batch(keys, &transactions),
        Request::Page {
            blocks,
            actions,
            wallet,
        } => scanning::page(blocks, actions, wallet),
        Request::Scan {
            body,
            blocks,
            wallets,
        } => scanning::scan(&body, blocks, &wallets),
        Request::Notes { count } => hashing::notes(count),
        Request::Commit { notes } => hashing::commit(&notes),
        Request::Merkle { leaves, batched } => hashing::merkle(&leaves, batched),
    }
}
