//! State after a chain block: note commitment tree, nullifier accumulator, supply, accrued balances, root of the live
//! lanes. Absolute per block, so a reorganisation never has to undo it (specification shielded 9, 12).

use std::collections::BTreeMap;

use svc_chain::muhash::MuHash;
use svc_chain::profile::{Profile, active};
use svc_chain::seq_commit;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogPersonals};
use svc_shielded::frontier::Frontier;
use svc_shielded::state_root::{Carried, Parts0, state_root};

use crate::records::lane_diff::LaneTip;
use crate::records::record_fields;

/// The accrual slot of specification consensus 10.5. Empty: amount 0 and no script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MinerSlot {
    /// Script version of the holder.
    pub script_version: u16,
    /// Script of the holder.
    pub script: Vec<u8>,
    /// Sompi not paid out yet.
    pub amount: u64,
}

/// Everything a child of the block needs to know about it.
#[derive(Clone, Debug)]
pub struct ChainState {
    /// Note commitment tree.
    pub frontier: Frontier,
    /// Root of `frontier`: the anchor this block produces.
    pub tree_root: Hash32,
    /// Accumulator over all spent nullifiers; `None` while there are none.
    pub nullifiers: Option<MuHash>,
    /// Number of spent nullifiers.
    pub nullifier_count: u64,
    /// Sum of all minted notes in sompi.
    pub cumulative_coinbase: u128,
    /// Sum of all fees of applied transactions in sompi.
    pub cumulative_fees: u128,
    /// Development fee carried, in sompi.
    pub dev_accrued: u64,
    /// Miner accrual slot.
    pub slot: MinerSlot,
    /// Log of anchors since the security fork (ADR on the anchor log).
    pub anchor_log: AnchorLog,
    /// Root of the tree over the live lanes; the lanes themselves are in tables of their own.
    pub lanes_root: Hash32,
    /// The inactivity shortcut block used by this block (specification consensus 12, step 8).
    pub shortcut: Hash32,
}

impl ChainState {
    /// The state after genesis.
    pub fn genesis(genesis: Hash32) -> Self {
        let frontier = Frontier::empty();
        let tree_root = frontier.root();
        Self {
            frontier,
            tree_root,
            nullifiers: None,
            nullifier_count: 0,
            cumulative_coinbase: 0,
            cumulative_fees: 0,
            dev_accrued: 0,
            slot: MinerSlot::default(),
            anchor_log: AnchorLog::default(),
            lanes_root: seq_commit::lanes_root(&[]),
            shortcut: genesis,
        }
    }

    /// What form 0 of the root is made of.
    pub fn parts(&self) -> Parts0 {
        Parts0 {
            tree_root: self.tree_root,
            nullifier_root: self
                .nullifiers
                .as_ref()
                .map_or_else(MuHash::empty_digest, MuHash::finalize),
            cumulative_coinbase: self.cumulative_coinbase,
            cumulative_fees: self.cumulative_fees,
            burn_root: Hash32::ZERO,
        }
    }

    /// What form 1 of the root has beside them.
    pub fn carried(&self, profile: &Profile) -> Carried {
        Carried {
            dev_accrued: self.dev_accrued,
            anchor_commitment: self.anchor_log.commitment(&LogPersonals::of(profile)),
            slot_script_version: self.slot.script_version,
            slot_script: self.slot.script.clone(),
            slot_amount: self.slot.amount,
        }
    }

    /// The committed root: form 0 for states of blocks before the security fork, form 1 from it
    /// (specification consensus 13.2). `daa_score` is that of the block whose state this is.
    pub fn state_root(&self, profile: &Profile, daa_score: u64) -> Hash32 {
        let carried =
            active(profile.activations.security_fork, daa_score).then(|| self.carried(profile));
        state_root(profile, &self.parts(), carried.as_ref())
    }

    /// Stored form, version 2.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(2);
        self.frontier.encode(&mut writer);
        writer.hash(&self.tree_root);
        writer.u8(u8::from(self.nullifiers.is_some()));
        if let Some(accumulator) = &self.nullifiers {
            writer.bytes(&accumulator.to_bytes());
        }
        writer.u64(self.nullifier_count);
        writer.u128(self.cumulative_coinbase);
        writer.u128(self.cumulative_fees);
        writer.u64(self.dev_accrued);
        writer.u16(self.slot.script_version);
        writer.u16(self.slot.script.len() as u16);
        writer.bytes(&self.slot.script);
        writer.u64(self.slot.amount);
        self.anchor_log.encode(&mut writer);
        writer.hash(&self.lanes_root);
        writer.hash(&self.shortcut);
        writer.into_vec()
    }

    /// Reads a stored form, 1 or 2. Errors: `store/corrupt` and the decoders' own.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        Ok(Self::decode_with_lanes(bytes)?.0)
    }

    /// The live lanes that a stored form 1 lists; `None` for form 2, which has only their root. Errors as
    /// [`ChainState::decode`].
    pub fn listed_lanes(bytes: &[u8]) -> Result<Option<ListedLanes>, SvcError> {
        Ok(Self::decode_with_lanes(bytes)?.1)
    }

    fn decode_with_lanes(bytes: &[u8]) -> Result<(Self, Option<ListedLanes>), SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        crate::corrupt_unless(matches!(form, 1 | 2), "chain state version")?;
        let frontier = Frontier::decode(&mut reader)?;
        let tree_root = reader.hash()?;
        let nullifiers = if record_fields::flag(&mut reader, "chain state")? {
            Some(MuHash::from_bytes(&reader.array::<384>()?)?)
        } else {
            None
        };
        let nullifier_count = reader.u64()?;
        let cumulative_coinbase = reader.u128()?;
        let cumulative_fees = reader.u128()?;
        // What is in the pool is their difference.
        crate::corrupt_unless(cumulative_fees <= cumulative_coinbase, "chain state")?;
        let dev_accrued = reader.u64()?;
        let slot = read_slot(&mut reader)?;
        let anchor_log = AnchorLog::decode(&mut reader)?;
        let (lanes_root, lanes) = if form == 1 {
            let lanes = read_lanes(&mut reader)?;
            (root_of(&lanes), Some(lanes))
        } else {
            (reader.hash()?, None)
        };
        let shortcut = reader.hash()?;
        reader.finish()?;
        let state = Self {
            frontier,
            tree_root,
            nullifiers,
            nullifier_count,
            cumulative_coinbase,
            cumulative_fees,
            dev_accrued,
            slot,
            anchor_log,
            lanes_root,
            shortcut,
        };
        Ok((state, lanes))
    }
}

/// Live lanes by key.
type ListedLanes = BTreeMap<Hash32, LaneTip>;

fn read_slot(reader: &mut Reader<'_>) -> Result<MinerSlot, SvcError> {
    let script_version = reader.u16()?;
    let length = reader.u16()? as usize;
    let script = reader.take(length)?.to_vec();
    Ok(MinerSlot {
        script_version,
        script,
        amount: reader.u64()?,
    })
}

/// Form 1 only: ascending by key.
fn read_lanes(reader: &mut Reader<'_>) -> Result<ListedLanes, SvcError> {
    let mut lanes = ListedLanes::new();
    for _ in 0..reader.u16()? {
        let key = reader.hash()?;
        let ascending = lanes.last_key_value().is_none_or(|(last, _)| *last < key);
        crate::corrupt_unless(ascending, "chain state lanes")?;
        lanes.insert(key, LaneTip::read(reader)?);
    }
    Ok(lanes)
}

fn root_of(lanes: &ListedLanes) -> Hash32 {
    let leaves: Vec<(Hash32, Hash32)> = lanes
        .iter()
        .map(|(key, lane)| (*key, seq_commit::active_leaf(&lane.tip, lane.blue_score)))
        .collect();
    seq_commit::lanes_root(&leaves)
}
