//! Benchmark of upstream's verification: each bundle by itself, and the batch validator.

use std::time::Instant;

use orchard::bundle::BatchValidator;
use serde_json::{Value, json};
use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::random::system_rng;
use svc_shielded::sighash::{sighash, tx_context};
use svc_shielded::verify::to_upstream;

use crate::keys::{Keys, millis};
use crate::request::Failure;
use crate::wallet;

/// Verifies every payment by itself, signatures included.
pub fn one_by_one(keys: &mut Keys, transactions: &[String]) -> Result<Value, Failure> {
    let bundles = read(transactions)?;
    let verifier = keys.verifier();
    let start = Instant::now();
    for (bundle, digest) in &bundles {
        verifier.verify(bundle, digest)?;
    }
    Ok(json!({ "ms": millis(start) }))
}

/// Verifies all payments in one batch, signatures included.
pub fn batch(keys: &mut Keys, transactions: &[String]) -> Result<Value, Failure> {
    let bundles = read(transactions)?;
    let key = keys.verifying();
    let start = Instant::now();
    let mut validator = BatchValidator::new(key);
    for (bundle, digest) in &bundles {
        validator
            .add_bundle(&to_upstream(bundle)?, digest.0)
            .map_err(|_| "the key is of another circuit")?;
    }
    let valid = validator.validate(system_rng()?);
    let ms = millis(start);
    if valid {
        Ok(json!({ "ms": ms }))
    } else {
        Err("the batch is invalid".into())
    }
}

fn read(transactions: &[String]) -> Result<Vec<(Bundle, Hash32)>, SvcError> {
    let profile = wallet::profile()?;
    transactions
        .iter()
        .map(|raw| {
            let transaction = Transaction::from_bytes(&hex::decode(raw)?)?;
            let bundle = Bundle::decode(&transaction.payload, BundleFormat::NamedAnchor)?;
            let digest = sighash(
                profile.personalisation.sighash.as_bytes(),
                &profile.genesis.hash,
                &bundle,
                &tx_context(&transaction),
            );
            Ok((bundle, digest))
        })
        .collect()
}
