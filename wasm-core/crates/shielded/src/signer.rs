//! Payment signer: checks everything, then signs with the spending key (specification shielded 18).

use orchard::keys::SpendAuthorizingKey;
use orchard::primitives::redpallas::VerificationKey;
use serde::{Deserialize, Serialize};
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::bundle::{Bundle, BundleFormat, ORCHARD_FLAGS, proof_len};
use crate::field;
use crate::json::hex_array;
use crate::keys::{full_viewing_key, spend_authorizing_key, viewing_key};
use crate::payment_check::{self, Disclosed, IntendedPayment};
use crate::random::system_rng;
use crate::secret::Secret32;
use crate::sighash::{WALLET_TX_CONTEXT, sighash};

/// The randomizer of one real spend's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alpha {
    /// Index of the action.
    pub index: u32,
    /// Canonical scalar.
    #[serde(with = "hex_array")]
    pub alpha: [u8; 32],
}

/// The signature of one spend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpendSignature {
    /// Index of the action.
    pub index: u32,
    /// RedPallas signature.
    #[serde(with = "hex_array")]
    pub sig: [u8; 64],
}

/// A prepared payment and what the user confirmed.
#[derive(Clone, Copy, Debug)]
pub struct SigningRequest<'a> {
    /// The locally trusted profile: its genesis and strings go into the sighash.
    pub profile: &'a Profile,
    /// DAA score for which the payment is made: decides the form of the bundle.
    pub daa_score: u64,
    /// Payments the user confirmed.
    pub payments: &'a [IntendedPayment],
    /// Fee the user confirmed, in sompi.
    pub fee: u64,
    /// The proved bundle.
    pub bundle: &'a [u8],
    /// One entry per action.
    pub disclosure: &'a [Disclosed],
    /// One entry per real spend.
    pub alphas: &'a [Alpha],
}

/// Checks the payment against the intent, recomputes the sighash and signs each real spend. Nothing the
/// prover claims is taken over unchecked.
///
/// Errors: `keys/bad-seed`, those of [`Bundle::decode`], `shielded/bad-flags`, `shielded/no-actions`,
/// `shielded/bad-proof-length`, `prove/bad-disclosure`, `prove/intent-mismatch`, `prove/missing-signature`
/// when a spend of value has no randomizer, `keys/random-unavailable`.
pub fn check_and_sign(
    seed: &Secret32,
    request: &SigningRequest<'_>,
) -> Result<Vec<SpendSignature>, SvcError> {
    let bundle = read_bundle(request)?;
    let fvk = viewing_key(&full_viewing_key(seed)?)?;
    payment_check::check(
        &bundle,
        request.disclosure,
        &fvk,
        (request.payments, request.fee),
    )?;
    check_alphas(&bundle, request)?;
    let personal = request.profile.personalisation.sighash.as_bytes();
    let digest = sighash(
        personal,
        &request.profile.genesis.hash,
        &bundle,
        &WALLET_TX_CONTEXT,
    );
    let ask = spend_authorizing_key(seed)?;
    request
        .alphas
        .iter()
        .map(|alpha| sign_spend(&bundle, &ask, alpha, &digest))
        .collect()
}

fn read_bundle(request: &SigningRequest<'_>) -> Result<Bundle, SvcError> {
    let is_fork = active(request.profile.activations.security_fork, request.daa_score);
    let bundle = Bundle::decode(request.bundle, BundleFormat::for_fork(is_fork))?;
    if bundle.flags & ORCHARD_FLAGS != ORCHARD_FLAGS {
        return Err(SvcError::new(Code::ShieldedBadFlags).with("flags", bundle.flags));
    }
    if bundle.actions.is_empty() {
        return Err(SvcError::new(Code::ShieldedNoActions));
    }
    if bundle.proof.len() != proof_len(bundle.actions.len()) {
        return Err(SvcError::new(Code::ShieldedBadProofLength)
            .with("expected", proof_len(bundle.actions.len()))
            .with("found", bundle.proof.len()));
    }
    Ok(bundle)
}

/// Every spend of value needs exactly one randomizer, and no action has two.
fn check_alphas(bundle: &Bundle, request: &SigningRequest<'_>) -> Result<(), SvcError> {
    let mut has_alpha = vec![false; bundle.actions.len()];
    for alpha in request.alphas {
        match has_alpha.get_mut(alpha.index as usize) {
            Some(slot) if !*slot => *slot = true,
            _ => {
                return Err(bad_alpha(
                    alpha.index,
                    "names no action or one named before",
                ));
            }
        }
    }
    let unsigned = |(index, entry): (usize, &Disclosed)| {
        (entry.spend_value > 0 && !has_alpha.get(index).copied().unwrap_or(false)).then_some(index)
    };
    match request.disclosure.iter().enumerate().find_map(unsigned) {
        Some(index) => Err(SvcError::new(Code::ProveMissingSignature).with("index", index)),
        None => Ok(()),
    }
}

fn sign_spend(
    bundle: &Bundle,
    ask: &SpendAuthorizingKey,
    alpha: &Alpha,
    digest: &Hash32,
) -> Result<SpendSignature, SvcError> {
    let randomizer =
        field::scalar(alpha.alpha).ok_or_else(|| bad_alpha(alpha.index, "is not canonical"))?;
    let key = ask.randomize(&randomizer);
    let is_ours = bundle
        .actions
        .get(alpha.index as usize)
        .is_some_and(|action| <[u8; 32]>::from(&VerificationKey::from(&key)) == action.rk);
    if !is_ours {
        return Err(bad_alpha(alpha.index, "does not fit the key of the action"));
    }
    let signature = key.sign(system_rng()?, digest.as_bytes());
    Ok(SpendSignature {
        index: alpha.index,
        sig: (&signature).into(),
    })
}

fn bad_alpha(index: u32, reason: &str) -> SvcError {
    SvcError::new(Code::ProveBadDisclosure).with("reason", format!("randomizer {index} {reason}"))
}
