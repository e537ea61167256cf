//! Bundle type and its wire format (specification shielded 3 and 17).
//!
//! On the wire integers are big endian; the sighash has them little endian.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// Actions a decoder accepts, checked before anything is allocated.
pub const MAX_ACTIONS: usize = 512;
/// Bytes of one action.
pub const ACTION_LEN: usize = 884;
/// Bytes of a note ciphertext.
pub const ENC_LEN: usize = 580;
/// Bytes of the sender's copy of the note secrets.
pub const OUT_LEN: usize = 80;
/// Flag bit: spends of value are allowed.
pub const FLAG_SPENDS: u8 = 0b0001;
/// Flag bit: outputs of value are allowed.
pub const FLAG_OUTPUTS: u8 = 0b0010;
/// Flag bit: a burn declaration follows. Always refused: the bridge is off.
pub const FLAG_BURN: u8 = 0b0100;
/// Flag bit: the anchor's block follows. Mandatory from the security fork, refused before it.
pub const FLAG_ANCHOR_BLOCK: u8 = 0b1000;
/// The bits that the Orchard flag parser may see.
pub const ORCHARD_FLAGS: u8 = FLAG_SPENDS | FLAG_OUTPUTS;

const SIGNATURE_LEN: usize = 64;
const ACTION_COUNT_OFFSET: usize = 109;
/// All fixed fields: flags 1, value balance 8, anchor 32, binding signature 4 + 64, action count 4, proof length 4.
const FIXED_LEN: usize = 117;
const ANCHOR_BLOCK_LEN: usize = 32;
const PROOF_BASE_LEN: usize = 2_720;
const PROOF_LEN_PER_ACTION: usize = 2_272;

/// Which form of bundle a block may carry, by the DAA score of that block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BundleFormat {
    /// Before the security fork.
    Plain,
    /// From the security fork: the bundle names the block whose note tree is the anchor.
    NamedAnchor,
}

impl BundleFormat {
    /// The form as a number, as verification jobs carry it.
    pub fn number(self) -> u8 {
        match self {
            Self::Plain => 0,
            Self::NamedAnchor => 1,
        }
    }

    /// The form in force for a carrying block when the security fork `is_active` there.
    pub fn for_fork(is_active: bool) -> Self {
        if is_active {
            Self::NamedAnchor
        } else {
            Self::Plain
        }
    }
}

/// One spend and one output, bound together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Nullifier of the spent note.
    pub nullifier: Hash32,
    /// Randomised key under which the spend is signed.
    pub rk: [u8; 32],
    /// Commitment of the created note.
    pub cmx: Hash32,
    /// Commitment to the value spent less the value created.
    pub cv_net: [u8; 32],
    /// Ephemeral key of the note encryption.
    pub epk: [u8; 32],
    /// The created note, encrypted to its receiver.
    pub enc_ciphertext: [u8; ENC_LEN],
    /// What recovers the note, encrypted to its sender.
    pub out_ciphertext: [u8; OUT_LEN],
    /// Signature of the spend.
    pub signature: [u8; SIGNATURE_LEN],
}

/// A shielded payment's payload. Field values are not checked beyond the layout: verification does that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// [`FLAG_SPENDS`] and [`FLAG_OUTPUTS`], and [`FLAG_ANCHOR_BLOCK`] exactly if `anchor_block` is there.
    pub flags: u8,
    /// Sompi that leave the pool: the fee of a payment.
    pub value_balance: i64,
    /// Root of the note tree that the spends refer to.
    pub anchor: Hash32,
    /// The signature that binds the values together.
    pub binding_signature: [u8; SIGNATURE_LEN],
    /// Spends and outputs.
    pub actions: Vec<Action>,
    /// The proof over all actions.
    pub proof: Vec<u8>,
    /// The block whose note tree is the anchor.
    pub anchor_block: Option<Hash32>,
}

/// Bytes of a bundle of `actions` actions.
pub const fn wire_len(actions: usize, format: BundleFormat) -> usize {
    let plain = FIXED_LEN + ACTION_LEN * actions + proof_len(actions);
    match format {
        BundleFormat::Plain => plain,
        BundleFormat::NamedAnchor => plain + ANCHOR_BLOCK_LEN,
    }
}

/// The only length that the proof of `actions` actions may have.
pub const fn proof_len(actions: usize) -> usize {
    PROOF_BASE_LEN + PROOF_LEN_PER_ACTION * actions
}

/// Reads the number of actions from the head of a payload, for the mass. `None` if it is too short or claims
/// more than [`MAX_ACTIONS`].
pub fn action_count(payload: &[u8]) -> Option<u32> {
    let bytes = payload.get(ACTION_COUNT_OFFSET..)?.first_chunk::<4>()?;
    let count = u32::from_be_bytes(*bytes);
    (count as usize <= MAX_ACTIONS).then_some(count)
}

/// Reads through a payload in the form `format` to its last byte and keeps nothing; returns the number of
/// actions. This is what a carrying block answers for: flags other than a burn are judged where the payment is
/// accepted ([`payload_fee`]), and before the fork [`FLAG_ANCHOR_BLOCK`] carries no field (specification
/// consensus 9.3, 9.4). With both checks passed, [`Bundle::decode`] succeeds.
///
/// Errors: `tx/burn-disabled`, `shielded/bad-binding-length`, `shielded/too-many-actions`,
/// `codec/unexpected-end`, `codec/trailing-bytes`.
pub fn check_layout(payload: &[u8], format: BundleFormat) -> Result<usize, SvcError> {
    let mut reader = Reader::new(payload);
    let flags = reader.u8()?;
    refuse_burn(flags)?;
    reader.i64_be()?;
    reader.hash()?;
    read_signature_len(&mut reader)?;
    reader.take(SIGNATURE_LEN)?;
    let count = read_action_count(&mut reader)?;
    reader.take(count * ACTION_LEN)?;
    let proof_len = reader.u32_be()? as usize;
    reader.take(proof_len)?;
    if format == BundleFormat::NamedAnchor && flags & FLAG_ANCHOR_BLOCK != 0 {
        reader.take(ANCHOR_BLOCK_LEN)?;
    }
    reader.finish()?;
    Ok(count)
}

/// The fee in sompi of a payload whose layout was checked, read from its head. Errors: `shielded/bad-flags`,
/// `tx/burn-disabled`, `tx/anchor-block-missing`, `tx/anchor-block-unexpected`, `tx/negative-fee`,
/// `codec/unexpected-end`.
pub fn payload_fee(payload: &[u8], format: BundleFormat) -> Result<u64, SvcError> {
    let mut reader = Reader::new(payload);
    check_flags(reader.u8()?, format)?;
    fee_of(reader.i64_be()?)
}

impl Bundle {
    /// Reads a payload in the form `format`, to its last byte. Re-encoding gives the same bytes.
    ///
    /// Errors: `shielded/bad-flags`, `tx/burn-disabled`, `tx/anchor-block-missing`,
    /// `tx/anchor-block-unexpected`, `shielded/bad-binding-length`, `shielded/too-many-actions`,
    /// `codec/unexpected-end`, `codec/trailing-bytes`.
    pub fn decode(payload: &[u8], format: BundleFormat) -> Result<Self, SvcError> {
        let mut reader = Reader::new(payload);
        let flags = reader.u8()?;
        check_flags(flags, format)?;
        let value_balance = reader.i64_be()?;
        let anchor = reader.hash()?;
        read_signature_len(&mut reader)?;
        let binding_signature = reader.array()?;
        let actions = read_actions(&mut reader)?;
        let proof_len = reader.u32_be()? as usize;
        let proof = reader.take(proof_len)?.to_vec();
        let anchor_block = match format {
            BundleFormat::Plain => None,
            BundleFormat::NamedAnchor => Some(reader.hash()?),
        };
        reader.finish()?;
        Ok(Self {
            flags,
            value_balance,
            anchor,
            binding_signature,
            actions,
            proof,
            anchor_block,
        })
    }

    /// Writes the payload.
    pub fn encode(&self) -> Vec<u8> {
        let len = FIXED_LEN + ACTION_LEN * self.actions.len() + self.proof.len() + ANCHOR_BLOCK_LEN;
        let mut writer = Writer::with_capacity(len);
        writer.u8(self.flags);
        writer.i64_be(self.value_balance);
        writer.hash(&self.anchor);
        writer.u32_be(SIGNATURE_LEN as u32);
        writer.bytes(&self.binding_signature);
        writer.u32_be(self.actions.len() as u32);
        for action in &self.actions {
            write_action(&mut writer, action);
        }
        writer.u32_be(self.proof.len() as u32);
        writer.bytes(&self.proof);
        if let Some(block) = &self.anchor_block {
            writer.hash(block);
        }
        writer.into_vec()
    }

    /// The form the bundle has.
    pub fn format(&self) -> BundleFormat {
        BundleFormat::for_fork(self.anchor_block.is_some())
    }

    /// Nullifiers in action order.
    pub fn nullifiers(&self) -> Vec<Hash32> {
        self.actions.iter().map(|action| action.nullifier).collect()
    }

    /// Commitments in action order.
    pub fn commitments(&self) -> Vec<Hash32> {
        self.actions.iter().map(|action| action.cmx).collect()
    }

    /// The fee in sompi. Error: `tx/negative-fee` when value would enter the pool (specification shielded 3.4).
    pub fn fee(&self) -> Result<u64, SvcError> {
        fee_of(self.value_balance)
    }
}

fn fee_of(value_balance: i64) -> Result<u64, SvcError> {
    u64::try_from(value_balance)
        .map_err(|_| SvcError::new(Code::TxNegativeFee).with("value", value_balance))
}

fn refuse_burn(flags: u8) -> Result<(), SvcError> {
    if flags & FLAG_BURN == 0 {
        return Ok(());
    }
    Err(SvcError::new(Code::TxBurnDisabled))
}

fn read_signature_len(reader: &mut Reader<'_>) -> Result<(), SvcError> {
    let found = reader.u32_be()?;
    if found as usize == SIGNATURE_LEN {
        return Ok(());
    }
    Err(SvcError::new(Code::ShieldedBadBindingLength).with("found", found))
}

fn check_flags(flags: u8, format: BundleFormat) -> Result<(), SvcError> {
    refuse_burn(flags)?;
    if flags & !(ORCHARD_FLAGS | FLAG_ANCHOR_BLOCK) != 0 {
        return Err(SvcError::new(Code::ShieldedBadFlags).with("flags", flags));
    }
    match (flags & FLAG_ANCHOR_BLOCK != 0, format) {
        (true, BundleFormat::Plain) => Err(SvcError::new(Code::TxAnchorBlockUnexpected)),
        (false, BundleFormat::NamedAnchor) => Err(SvcError::new(Code::TxAnchorBlockMissing)),
        _ => Ok(()),
    }
}

fn read_action_count(reader: &mut Reader<'_>) -> Result<usize, SvcError> {
    let count = reader.u32_be()? as usize;
    if count > MAX_ACTIONS {
        return Err(SvcError::new(Code::ShieldedTooManyActions)
            .with("count", count)
            .with("max", MAX_ACTIONS));
    }
    Ok(count)
}

fn read_actions(reader: &mut Reader<'_>) -> Result<Vec<Action>, SvcError> {
    let count = read_action_count(reader)?;
    // One bounds check for all, so that a short payload allocates nothing.
    let mut bytes = Reader::new(reader.take(count * ACTION_LEN)?);
    (0..count).map(|_| read_action(&mut bytes)).collect()
}

fn read_action(reader: &mut Reader<'_>) -> Result<Action, SvcError> {
    Ok(Action {
        nullifier: reader.hash()?,
        rk: reader.array()?,
        cmx: reader.hash()?,
        cv_net: reader.array()?,
        epk: reader.array()?,
        enc_ciphertext: reader.array()?,
        out_ciphertext: reader.array()?,
        signature: reader.array()?,
    })
}

fn write_action(writer: &mut Writer, action: &Action) {
    writer.hash(&action.nullifier);
    writer.bytes(&action.rk);
    writer.hash(&action.cmx);
    writer.bytes(&action.cv_net);
    writer.bytes(&action.epk);
    writer.bytes(&action.enc_ciphertext);
    writer.bytes(&action.out_ciphertext);
    writer.bytes(&action.signature);
}
