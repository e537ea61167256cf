//! Statement of a bundle, decoded: public inputs of its proof and equations of its signatures.

use svc_circuit::shape::INSTANCE_ROWS;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_kernels::curve::{Affine, Pallas, Point};
use svc_shielded::bundle::{
    Action, Bundle, FLAG_ANCHOR_BLOCK, FLAG_OUTPUTS, FLAG_SPENDS, ORCHARD_FLAGS, proof_len,
};

use crate::domain_values::Value;
use crate::signature_check::{KeyKind, SignatureTerms};
use crate::value_base::ValueBase;

/// Encoded points of an action: cvNet, rk, epk, R of the signature.
const POINTS_PER_ACTION: usize = 4;

/// A decoded bundle.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Public inputs of each action.
    pub instances: Vec<[Value; INSTANCE_ROWS]>,
    /// Σ cvNet − value balance·V: the key of the binding signature, not normalised.
    pub binding_key: Point<Pallas>,
    /// The keys of the spends.
    spend_keys: Vec<Affine<Pallas>>,
    /// R of the binding signature and of each spend's, where it is a point.
    commitments: Vec<Option<Affine<Pallas>>>,
}

/// The encodings that must be points or may be, action by action, and R of the binding signature at the end.
pub fn encoded_points(bundle: &Bundle, out: &mut Vec<[u8; 32]>) {
    for action in &bundle.actions {
        out.extend([
            action.cv_net,
            action.rk,
            action.epk,
            first_half(&action.signature),
        ]);
    }
    out.push(first_half(&bundle.binding_signature));
}

/// How many [`encoded_points`] a bundle has.
pub fn encoded_point_count(bundle: &Bundle) -> usize {
    POINTS_PER_ACTION * bundle.actions.len() + 1
}

impl Statement {
    /// Checks every field of a bundle whose [`encoded_points`] have been decoded to `points`, and the length of its
    /// proof.
    ///
    /// # Errors
    /// In this order: `shielded/no-actions`, `codec/not-canonical`, `shielded/bad-flags`, then per action
    /// `shielded/bad-field`, `shielded/bad-point`, `shielded/identity-point`, and at last
    /// `shielded/bad-proof-length`.
    pub fn decode(
        bundle: &Bundle,
        points: &[Option<Affine<Pallas>>],
        base: &ValueBase,
    ) -> Result<Self, SvcError> {
        let count = bundle.actions.len();
        if count == 0 {
            return Err(SvcError::new(Code::ShieldedNoActions));
        }
        let anchor = Value::from_bytes(bundle.anchor.as_bytes())
            .ok_or_else(|| SvcError::new(Code::CodecNotCanonical).with("what", "anchor"))?;
        let flags = orchard_flags(bundle)?;
        let flag = |bit: u8| {
            if flags & bit != 0 {
                Value::ONE
            } else {
                Value::ZERO
            }
        };
        let flags = [flag(FLAG_SPENDS), flag(FLAG_OUTPUTS)];
        let mut statement = Self {
            instances: Vec::with_capacity(count),
            binding_key: base.multiple(bundle.value_balance).neg(),
            spend_keys: Vec::with_capacity(count),
            commitments: vec![points.last().copied().flatten()],
        };
        for (index, (action, points)) in bundle
            .actions
            .iter()
            .zip(points.chunks(POINTS_PER_ACTION))
            .enumerate()
        {
            let decoded = ActionPoints::decode(action, points, index)?;
            statement.instances.push([
                anchor,
                decoded.cv_net.x,
                decoded.cv_net.y,
                decoded.nullifier,
                decoded.rk.x,
                decoded.rk.y,
                decoded.cmx,
                flags[0],
                flags[1],
                // The row by which later circuits restrict receivers; this one leaves it open.
                Value::ZERO,
            ]);
            statement.binding_key = statement.binding_key.add_affine(&decoded.cv_net);
            statement.spend_keys.push(decoded.rk);
            statement.commitments.push(points.get(3).copied().flatten());
        }
        if bundle.proof.len() != proof_len(count) {
            return Err(SvcError::new(Code::ShieldedBadProofLength)
                .with("expected", proof_len(count))
                .with("found", bundle.proof.len()));
        }
        Ok(statement)
    }

    /// The equations of the binding signature and then of each spend's; none in the place of a signature that is
    /// malformed. `binding_key` is the normalised key.
    pub fn signatures(
        &self,
        bundle: &Bundle,
        sighash: &Hash32,
        binding_key: &Affine<Pallas>,
    ) -> Vec<Option<SignatureTerms>> {
        let message = sighash.as_bytes();
        let binding = SignatureTerms::new(
            KeyKind::Binding,
            (binding_key, &binding_key.to_bytes()),
            (self.commitments[0].as_ref(), &bundle.binding_signature),
            message,
        );
        let spends = bundle
            .actions
            .iter()
            .zip(&self.spend_keys)
            .zip(&self.commitments[1..]);
        let spends = spends.map(|((action, key), commitment)| {
            let signature = (commitment.as_ref(), &action.signature);
            SignatureTerms::new(KeyKind::Spend, (key, &action.rk), signature, message)
        });
        core::iter::once(binding).chain(spends).collect()
    }
}

/// The fields of an action that enter the proof.
struct ActionPoints {
    nullifier: Value,
    cmx: Value,
    cv_net: Affine<Pallas>,
    rk: Affine<Pallas>,
}

impl ActionPoints {
    fn decode(
        action: &Action,
        points: &[Option<Affine<Pallas>>],
        index: usize,
    ) -> Result<Self, SvcError> {
        let refuse = |code: Code, field: &str| {
            SvcError::new(code)
                .with("field", field)
                .with("action", index)
        };
        let field = |bytes: &Hash32, name: &str| {
            Value::from_bytes(bytes.as_bytes()).ok_or_else(|| refuse(Code::ShieldedBadField, name))
        };
        let point = |place: usize, name: &str| {
            let decoded = points.get(place).copied().flatten();
            decoded.ok_or_else(|| refuse(Code::ShieldedBadPoint, name))
        };
        let nullifier = field(&action.nullifier, "nullifier")?;
        let cmx = field(&action.cmx, "cmx")?;
        let cv_net = point(0, "cvNet")?;
        let rk = point(1, "rk")?;
        if rk.is_identity() {
            return Err(refuse(Code::ShieldedIdentityPoint, "rk"));
        }
        if point(2, "epk")?.is_identity() {
            return Err(refuse(Code::ShieldedIdentityPoint, "epk"));
        }
        Ok(Self {
            nullifier,
            cmx,
            cv_net,
            rk,
        })
    }
}

/// The flags without the bit of the anchor block, which must be set exactly if there is one (specification shielded 5.2).
fn orchard_flags(bundle: &Bundle) -> Result<u8, SvcError> {
    let flags = match bundle.anchor_block {
        Some(_) => bundle.flags ^ FLAG_ANCHOR_BLOCK,
        None => bundle.flags,
    };
    if flags & !ORCHARD_FLAGS != 0 {
        return Err(SvcError::new(Code::ShieldedBadFlags).with("flags", bundle.flags));
    }
    Ok(flags)
}

fn first_half(signature: &[u8; 64]) -> [u8; 32] {
    let mut half = [0; 32];
    half.copy_from_slice(&signature[..32]);
    half
}
