//! Payment signer: checks everything, then signs with the spending key (specification shielded 18).

use orchard::keys::{FullViewingKey, SpendValidatingKey};
use orchard::primitives::redpallas::{SpendAuth, VerificationKey};
use pasta_curves::pallas;
use serde::{Deserialize, Serialize};
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::bundle::{Bundle, BundleFormat, ORCHARD_FLAGS, proof_len};
use crate::field;
use crate::json::hex_array;
use crate::keys::{full_viewing_key, spend_authorizing_key, viewing_key};
use crate::random::system_rng;
use crate::secret::Secret32;
use crate::sighash::{WALLET_TX_CONTEXT, sighash};
use crate::signing::disclosed::Disclosed;
use crate::signing::payment_check::{self, Flow, Terms};

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
    /// Payments and fee the user confirmed.
    pub terms: Terms<'a>,
    /// The bundle, without signatures.
    pub bundle: &'a [u8],
    /// Whether the bundle may come without its proof, as over an air gap: the sighash does not cover it.
    pub may_lack_proof: bool,
    /// One entry per action.
    pub disclosure: &'a [Disclosed],
    /// One entry per real spend.
    pub alphas: &'a [Alpha],
    /// The sighash that the preparer claims. It is compared and never signed.
    pub claimed_sighash: Option<Hash32>,
}

/// What a checked payment does, and the digest that its signatures will cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedPayment {
    /// Recomputed here.
    pub sighash: Hash32,
    /// Where the value goes.
    #[serde(flatten)]
    pub flow: Flow,
}

/// Checks the payment against what the user confirmed, with the viewing key alone. Nothing the preparer claims is taken
/// over unchecked. Only the anchor cannot be judged without the chain: with another one the payment is invalid.
///
/// Errors: those of [`Bundle::decode`], `shielded/bad-flags`, `shielded/no-actions`, `shielded/bad-proof-length`,
/// `codec/not-canonical` for an anchor that is no root, `signer/not-unsigned`, those of [`payment_check::check`],
/// `signer/unknown-action`, `signer/duplicate-action`, `signer/missing-randomizer`, `signer/sighash-differs`,
/// `signer/bad-randomizer`, `signer/bad-randomized-key`, `signer/randomizer-mismatch`.
pub fn check_prepared(
    fvk: &FullViewingKey,
    request: &SigningRequest<'_>,
) -> Result<CheckedPayment, SvcError> {
    check_bundle(fvk, request).map(|(_, checked)| checked)
}

/// Checks the payment as [`check_prepared`] does and signs each real spend.
///
/// Errors: `keys/bad-seed`, those of [`check_prepared`], `keys/random-unavailable`.
pub fn check_and_sign(
    seed: &Secret32,
    request: &SigningRequest<'_>,
) -> Result<Vec<SpendSignature>, SvcError> {
    let fvk = viewing_key(&full_viewing_key(seed)?)?;
    let (randomizers, checked) = check_bundle(&fvk, request)?;
    let ask = spend_authorizing_key(seed)?;
    randomizers
        .iter()
        .map(|(index, randomizer)| {
            let key = ask.randomize(randomizer);
            let signature = key.sign(system_rng()?, checked.sighash.as_bytes());
            Ok(SpendSignature {
                index: *index,
                sig: (&signature).into(),
            })
        })
        .collect()
}

type Randomizers = Vec<(u32, pallas::Scalar)>;

fn check_bundle(
    fvk: &FullViewingKey,
    request: &SigningRequest<'_>,
) -> Result<(Randomizers, CheckedPayment), SvcError> {
    let bundle = read_bundle(request)?;
    let flow = payment_check::check(&bundle, request.disclosure, fvk, &request.terms)?;
    check_indices(&bundle, request)?;
    let sighash = sighash(
        request.profile.personalisation.sighash.as_bytes(),
        &request.profile.genesis.hash,
        &bundle,
        &WALLET_TX_CONTEXT,
    );
    match request.claimed_sighash {
        Some(claimed) if claimed != sighash => {
            return Err(SvcError::new(Code::SignerSighashDiffers)
                .with("expected", sighash)
                .with("found", claimed));
        }
        _ => {}
    }
    let ak = SpendValidatingKey::from(fvk.clone());
    let randomizers = request
        .alphas
        .iter()
        .map(|alpha| read_randomizer(&bundle, &ak, alpha))
        .collect::<Result<_, _>>()?;
    Ok((randomizers, CheckedPayment { sighash, flow }))
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
    let lacks_proof = request.may_lack_proof && bundle.proof.is_empty();
    if !lacks_proof && bundle.proof.len() != proof_len(bundle.actions.len()) {
        return Err(SvcError::new(Code::ShieldedBadProofLength)
            .with("expected", proof_len(bundle.actions.len()))
            .with("found", bundle.proof.len()));
    }
    field::check_node(&bundle.anchor)?;
    check_unsigned(&bundle)?;
    Ok(bundle)
}

/// A prepared payment holds no signatures. Whatever stands in their place is covered by nothing.
fn check_unsigned(bundle: &Bundle) -> Result<(), SvcError> {
    let of_actions = bundle.actions.iter().map(|action| &action.signature);
    let mut signatures = of_actions.chain([&bundle.binding_signature]);
    match signatures.position(|signature| *signature != [0; 64]) {
        Some(index) => Err(SvcError::new(Code::SignerNotUnsigned).with("index", index)),
        None => Ok(()),
    }
}

/// Every spend of value needs exactly one randomizer, and no action has two.
fn check_indices(bundle: &Bundle, request: &SigningRequest<'_>) -> Result<(), SvcError> {
    let mut has_alpha = vec![false; bundle.actions.len()];
    for Alpha { index, .. } in request.alphas {
        let refused = match has_alpha.get_mut(*index as usize) {
            Some(slot) => core::mem::replace(slot, true).then_some(Code::SignerDuplicateAction),
            None => Some(Code::SignerUnknownAction),
        };
        if let Some(code) = refused {
            return Err(of_action(code, *index as usize));
        }
    }
    let entries = request.disclosure.iter().zip(has_alpha);
    let lacks = |(entry, has_alpha): (&Disclosed, bool)| entry.spend_value > 0 && !has_alpha;
    match entries.map(lacks).position(|lacks| lacks) {
        Some(index) => Err(of_action(Code::SignerMissingRandomizer, index)),
        None => Ok(()),
    }
}

/// Reads a randomizer, with which the own key must be the key of the action.
fn read_randomizer(
    bundle: &Bundle,
    ak: &SpendValidatingKey,
    alpha: &Alpha,
) -> Result<(u32, pallas::Scalar), SvcError> {
    let refuse = |code| of_action(code, alpha.index as usize);
    let randomizer = field::scalar(alpha.alpha).ok_or_else(|| refuse(Code::SignerBadRandomizer))?;
    let action = bundle
        .actions
        .get(alpha.index as usize)
        .ok_or_else(|| refuse(Code::SignerUnknownAction))?;
    VerificationKey::<SpendAuth>::try_from(action.rk)
        .map_err(|_| refuse(Code::SignerBadRandomizedKey))?;
    if <[u8; 32]>::from(&ak.randomize(&randomizer)) == action.rk {
        return Ok((alpha.index, randomizer));
    }
    Err(refuse(Code::SignerRandomizerMismatch))
}

fn of_action(code: Code, index: usize) -> SvcError {
    SvcError::new(code).with("index", index)
}
