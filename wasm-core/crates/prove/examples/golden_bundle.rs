//! Makes the golden bundle of `tests/vectors/shielded-golden-bundle.json`: seed 32 × 07, one output of 5,000
//! sompi to its own address 0, empty tree, mainnet. Prints the vector:
//!
//! `cargo run --release -p svc-prove --example golden_bundle > ../tests/vectors/shielded-golden-bundle.json`
//!
//! Proofs are random, so every run prints another one; the checked-in file stays as it is.

use std::error::Error;

use svc_chain::profile::Profile;
use svc_codec::hex;
use svc_prove::bundle_request::BundleRequest;
use svc_prove::prover::Prover;
use svc_shielded::frontier::empty_root;
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_check::IntendedPayment;

fn main() -> Result<(), Box<dyn Error>> {
    let profile = Profile::built_in("mainnet").ok_or("no mainnet profile")?;
    let fvk = full_viewing_key(&Secret32::new([7; 32]))?;
    let output = IntendedPayment {
        address: address_at(&fvk, 0)?,
        value: 5_000,
        memo: b"golden".to_vec(),
    };
    let request = BundleRequest {
        personal: *profile.personalisation.sighash.as_bytes(),
        domain: profile.genesis.hash,
        fvk,
        anchor: empty_root(32),
        anchor_block: None,
        spends: Vec::new(),
        outputs: vec![output],
        recoverable: true,
    };
    let mut payment = Prover::new().prove(&request, &mut |_, _| {})?;
    let transaction = payment.finalize(&[])?;
    let vector = serde_json::json!({
        "origin": "made once by crates/prove/examples/golden_bundle.rs with orchard 0.16.0, then frozen",
        "personal": profile.personalisation.sighash,
        "genesis": profile.genesis.hash,
        "seed": hex::encode(&[7; 32]),
        "value": "5000",
        "memo": hex::encode(b"golden"),
        "sighash": payment.sighash(),
        "payload": hex::encode(&transaction.payload),
    });
    println!("{vector:#}");
    Ok(())
}
