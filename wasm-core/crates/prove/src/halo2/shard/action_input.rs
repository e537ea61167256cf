//! Wire form of one action's inputs, which travel to a worker: private inputs and public values.

use ff::PrimeField;
use orchard::pczt;
use svc_circuit::shape::INSTANCE_ROWS;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Affine, Pallas};
use svc_witness::hash::merkle::DEPTH;
use svc_witness::inputs::Inputs;
use zeroize::Zeroizing;

use crate::halo2::Fp;
use crate::halo2::shard::witness_inputs::witness_inputs;

/// The row of the nullifier in the instance column.
const NULLIFIER_ROW: usize = 3;
/// Viewing key, spent note, path, new note, spend randomizer, commitment trapdoor, public values.
const LEN: usize =
    96 + (43 + 8 + 32 + 32) + (4 + 32 * DEPTH) + (43 + 8 + 32) + 32 + 32 + 32 * INSTANCE_ROWS;

/// The inputs of one action. Secret; overwritten when dropped.
pub struct ActionInput(Zeroizing<Vec<u8>>);

impl ActionInput {
    /// Bytes of the encoding.
    pub const LEN: usize = LEN;

    /// Every action of a prepared bundle, in order.
    ///
    /// Error: `prove/failed` for a field that the builder left empty, for an identity key, and for flags that the
    /// circuit cannot enforce.
    pub fn of_bundle(bundle: &pczt::Bundle) -> Result<Vec<Self>, SvcError> {
        if !bundle.flags().cross_address_enabled() {
            return Err(failed(
                "the circuit cannot enforce the restriction of recipients",
            ));
        }
        let actions = bundle.actions().iter();
        actions
            .map(|action| Self::of_action(bundle, action))
            .collect()
    }

    fn of_action(bundle: &pczt::Bundle, action: &pczt::Action) -> Result<Self, SvcError> {
        let mut writer = Writer::with_capacity(LEN);
        let (spend, output) = (action.spend(), action.output());
        writer.bytes(&given(spend.fvk())?.to_bytes());
        writer.bytes(&given(spend.recipient())?.to_raw_address_bytes());
        writer.u64(given(spend.value())?.inner());
        writer.bytes(&given(spend.rho())?.to_bytes());
        writer.bytes(given(spend.rseed())?.as_bytes());
        let path = given(spend.witness())?;
        writer.u32(path.position());
        for sibling in path.auth_path() {
            writer.bytes(&sibling.to_bytes());
        }
        writer.bytes(&given(output.recipient())?.to_raw_address_bytes());
        writer.u64(given(output.value())?.inner());
        writer.bytes(given(output.rseed())?.as_bytes());
        writer.bytes(&given(spend.alpha())?.to_repr());
        writer.bytes(&given(action.rcv())?.to_bytes());
        for value in public_values(bundle, action)? {
            writer.bytes(&value);
        }
        Self::from_bytes(writer.into_vec())
    }

    /// From an encoding. Error: `prove/failed` for a wrong length.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, SvcError> {
        let bytes = Zeroizing::new(bytes);
        if bytes.len() == LEN {
            Ok(Self(bytes))
        } else {
            Err(failed("length of an action"))
        }
    }

    /// The encoding.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The public values, in the order of the rows of the instance column.
    ///
    /// Error: `prove/failed` if one is not canonical.
    pub fn instance(&self) -> Result<[Fp; INSTANCE_ROWS], SvcError> {
        let (_, values) = self.0.split_at(LEN - 32 * INSTANCE_ROWS);
        let mut instance = [Fp::ZERO; INSTANCE_ROWS];
        for (element, bytes) in instance.iter_mut().zip(values.as_chunks::<32>().0) {
            *element = parsed(Fp::from_bytes(bytes), "public value")?;
        }
        Ok(instance)
    }

    /// The private inputs of the witness.
    ///
    /// Errors: `prove/failed` for anything that is not an encoding of [`ActionInput::of_bundle`].
    pub fn private_inputs(&self) -> Result<Inputs, SvcError> {
        witness_inputs(&mut Reader::new(&self.0), &self.instance()?[NULLIFIER_ROW])
    }
}

impl core::fmt::Debug for ActionInput {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("ActionInput(..)")
    }
}

/// The rows of the instance column: anchor, value commitment, nullifier, spend key, note commitment, three flags.
fn public_values(
    bundle: &pczt::Bundle,
    action: &pczt::Action,
) -> Result<[[u8; 32]; INSTANCE_ROWS], SvcError> {
    let (cv_x, cv_y) = coordinates(&action.cv_net().to_bytes())?;
    let rk: [u8; 32] = action.spend().rk().into();
    if rk == [0; 32] {
        return Err(failed("a spend key is the identity"));
    }
    let (rk_x, rk_y) = coordinates(&rk)?;
    let flag = |is_set: bool| Fp::from_u64(u64::from(is_set)).to_bytes();
    Ok([
        bundle.anchor().to_bytes(),
        cv_x,
        cv_y,
        action.spend().nullifier().to_bytes(),
        rk_x,
        rk_y,
        action.output().cmx().to_bytes(),
        flag(bundle.flags().spends_enabled()),
        flag(bundle.flags().outputs_enabled()),
        flag(!bundle.flags().cross_address_enabled()),
    ])
}

/// Affine coordinates of a compressed point; zeros for the identity.
fn coordinates(bytes: &[u8; 32]) -> Result<([u8; 32], [u8; 32]), SvcError> {
    let point = parsed(Affine::<Pallas>::from_bytes(bytes), "point")?;
    Ok((point.x.to_bytes(), point.y.to_bytes()))
}

fn given<T>(field: &Option<T>) -> Result<&T, SvcError> {
    field
        .as_ref()
        .ok_or_else(|| failed("the builder left a field of an action empty"))
}

fn parsed<T>(field: Option<T>, what: &str) -> Result<T, SvcError> {
    field.ok_or_else(|| failed(what))
}

fn failed(reason: &str) -> SvcError {
    SvcError::new(Code::ProveFailed).with("reason", reason)
}
