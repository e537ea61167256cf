//! Bundle verification by upstream's library: field elements, proof and signatures (specification shielded 5.2).

use nonempty::NonEmpty;
use orchard::bundle::{Authorized, BundleVersion, Flags};
use orchard::circuit::{OrchardCircuitVersion, VerifyingKey};
use orchard::note::{ExtractedNoteCommitment, Nullifier, TransmittedNoteCiphertext};
use orchard::note_encryption::NoteBytesData;
use orchard::primitives::redpallas::{Signature, SpendAuth, VerificationKey};
use orchard::value::ValueCommitment;
use orchard::{ActionFromPartsError, Anchor, Proof};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::bundle::{Action, Bundle, FLAG_ANCHOR_BLOCK, proof_len};

/// The circuit after the fix of June 2026. The one before it is never built (specification shielded 1.1).
pub const CIRCUIT: OrchardCircuitVersion = OrchardCircuitVersion::FixedPostNu6_2;
/// Upstream's version of this chain's bundles.
pub const BUNDLE_VERSION: BundleVersion = BundleVersion::orchard_v2();

/// A bundle with proof and signatures in upstream's form.
pub type SignedBundle = orchard::Bundle<Authorized, i64>;
type SignedAction = orchard::Action<Signature<SpendAuth>>;

/// Holds the verifying key; building it takes seconds, checking a bundle milliseconds.
#[derive(Debug)]
pub struct Verifier {
    key: VerifyingKey,
}

impl Verifier {
    /// Builds the verifying key.
    pub fn new() -> Self {
        Self {
            key: VerifyingKey::build(CIRCUIT),
        }
    }

    /// Takes over a key that a prover has already built.
    pub fn from_key(key: VerifyingKey) -> Result<Self, SvcError> {
        if key.circuit_version() != CIRCUIT {
            return Err(SvcError::new(Code::InternalUnexpected)
                .with("message", "verifying key of another circuit"));
        }
        Ok(Self { key })
    }

    /// Checks everything about a bundle that its bytes and its sighash decide. What depends on the chain
    /// (anchor, nullifiers, which format is in force, the sign of the fee) is not looked at.
    ///
    /// Errors, in this order: `shielded/no-actions`, `codec/not-canonical`, `shielded/bad-flags`,
    /// `shielded/bad-field`, `shielded/bad-point`, `shielded/identity-point`, `shielded/bad-proof-length`,
    /// `shielded/proof-invalid`, `shielded/binding-signature-invalid`, `shielded/spend-signature-invalid`.
    pub fn verify(&self, bundle: &Bundle, sighash: &Hash32) -> Result<(), SvcError> {
        let upstream = to_upstream(bundle)?;
        upstream
            .verify_proof(&self.key)
            .map_err(|_| SvcError::new(Code::ShieldedProofInvalid))?;
        upstream
            .binding_validating_key()
            .verify(
                sighash.as_bytes(),
                upstream.authorization().binding_signature(),
            )
            .map_err(|_| SvcError::new(Code::ShieldedBindingSignatureInvalid))?;
        for (index, action) in upstream.actions().iter().enumerate() {
            action
                .rk()
                .verify(sighash.as_bytes(), action.authorization())
                .map_err(|_| {
                    SvcError::new(Code::ShieldedSpendSignatureInvalid).with("action", index)
                })?;
        }
        Ok(())
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

/// Every field checked and turned into upstream's types; the proof has its one possible length.
///
/// Errors: those of [`Verifier::verify`] up to `shielded/bad-proof-length`.
pub fn to_upstream(bundle: &Bundle) -> Result<SignedBundle, SvcError> {
    let count = bundle.actions.len();
    if count == 0 {
        return Err(SvcError::new(Code::ShieldedNoActions));
    }
    let anchor = Anchor::from_bytes(bundle.anchor.0)
        .into_option()
        .ok_or_else(|| SvcError::new(Code::CodecNotCanonical).with("what", "anchor"))?;
    let flags = orchard_flags(bundle)?;
    let actions = bundle
        .actions
        .iter()
        .enumerate()
        .map(|(index, action)| to_upstream_action(action, index))
        .collect::<Result<Vec<_>, _>>()?;
    let actions =
        NonEmpty::from_vec(actions).ok_or_else(|| SvcError::new(Code::ShieldedNoActions))?;
    let bad_proof_length = || {
        SvcError::new(Code::ShieldedBadProofLength)
            .with("expected", proof_len(count))
            .with("found", bundle.proof.len())
    };
    if bundle.proof.len() != proof_len(count) {
        return Err(bad_proof_length());
    }
    let authorized = Authorized::from_parts(
        Proof::new(bundle.proof.clone()),
        Signature::from(bundle.binding_signature),
    );
    SignedBundle::try_from_parts(
        actions,
        flags,
        bundle.value_balance,
        anchor,
        authorized,
        BUNDLE_VERSION,
    )
    .map_err(|_| bad_proof_length())
}

/// Only the bit of the anchor block may be masked off before upstream's parser (specification shielded 5.2).
fn orchard_flags(bundle: &Bundle) -> Result<Flags, SvcError> {
    let masked = match bundle.anchor_block {
        Some(_) if bundle.flags & FLAG_ANCHOR_BLOCK != 0 => Some(bundle.flags & !FLAG_ANCHOR_BLOCK),
        None => Some(bundle.flags),
        Some(_) => None,
    };
    masked
        .and_then(|flags| Flags::from_byte(flags, BUNDLE_VERSION))
        .ok_or_else(|| SvcError::new(Code::ShieldedBadFlags).with("flags", bundle.flags))
}

fn to_upstream_action(action: &Action, index: usize) -> Result<SignedAction, SvcError> {
    let refuse = |code: Code, field: &str| {
        SvcError::new(code)
            .with("field", field)
            .with("action", index)
    };
    let nullifier = Nullifier::from_bytes(action.nullifier.as_bytes())
        .into_option()
        .ok_or_else(|| refuse(Code::ShieldedBadField, "nullifier"))?;
    let cmx = ExtractedNoteCommitment::from_bytes(action.cmx.as_bytes())
        .into_option()
        .ok_or_else(|| refuse(Code::ShieldedBadField, "cmx"))?;
    let cv_net = ValueCommitment::from_bytes(&action.cv_net)
        .into_option()
        .ok_or_else(|| refuse(Code::ShieldedBadPoint, "cvNet"))?;
    let rk =
        VerificationKey::try_from(action.rk).map_err(|_| refuse(Code::ShieldedBadPoint, "rk"))?;
    let encrypted_note = TransmittedNoteCiphertext {
        epk_bytes: action.epk,
        enc_ciphertext: NoteBytesData(action.enc_ciphertext),
        out_ciphertext: action.out_ciphertext,
    };
    let signature = Signature::from(action.signature);
    orchard::Action::from_parts(nullifier, rk, cmx, encrypted_note, cv_net, signature).map_err(
        |error| match error {
            ActionFromPartsError::IdentityRk => refuse(Code::ShieldedIdentityPoint, "rk"),
            _ if action.epk == [0; 32] => refuse(Code::ShieldedIdentityPoint, "epk"),
            _ => refuse(Code::ShieldedBadPoint, "epk"),
        },
    )
}
