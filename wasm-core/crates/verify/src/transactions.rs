//! Transaction verification for nodes: from raw transactions to verdicts.

use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::sighash::{sighash, tx_context};

use crate::verifier::{Verifier, no_verdict};

/// A transaction and the form its bundle must have.
#[derive(Clone, Copy, Debug)]
pub struct RawTransaction<'a> {
    /// The bytes.
    pub raw: &'a [u8],
    /// The form in force for the block that carries it.
    pub format: BundleFormat,
}

/// Verifies payments as far as their bytes decide: one verdict per transaction, in order. `seed` as in
/// [`Verifier::verify_batch`].
///
/// Errors of a verdict: those of [`Transaction::from_bytes`], `tx/not-shielded`, those of [`Bundle::decode`],
/// `tx/negative-fee`, those of [`Verifier::verify`].
pub fn verify_transactions(
    verifier: &Verifier,
    profile: &Profile,
    transactions: &[RawTransaction<'_>],
    seed: &[u8; 32],
) -> Vec<Result<(), SvcError>> {
    let decoded: Vec<Result<(Bundle, Hash32), SvcError>> = transactions
        .iter()
        .map(|transaction| decode(profile, transaction))
        .collect();
    let bundles: Vec<(&Bundle, Hash32)> = decoded
        .iter()
        .flatten()
        .map(|(bundle, digest)| (bundle, *digest))
        .collect();
    let mut verdicts = verifier.verify_batch(&bundles, seed).into_iter();
    let mut next = || verdicts.next().unwrap_or_else(|| Err(no_verdict()));
    decoded
        .into_iter()
        .map(|decoded| decoded.and_then(|_| next()))
        .collect()
}

fn decode(
    profile: &Profile,
    transaction: &RawTransaction<'_>,
) -> Result<(Bundle, Hash32), SvcError> {
    let parsed = Transaction::from_bytes(transaction.raw)?;
    if !parsed.is_shielded() {
        return Err(SvcError::new(Code::TxNotShielded));
    }
    let bundle = Bundle::decode(&parsed.payload, transaction.format)?;
    bundle.fee()?;
    let personal = profile.personalisation.sighash.as_bytes();
    let digest = sighash(
        personal,
        &profile.genesis.hash,
        &bundle,
        &tx_context(&parsed),
    );
    Ok((bundle, digest))
}
