//! A payment under the header of the chain block that accepted it (specification consensus 12): what no state root covers of a
//! scan record, ciphertexts among it.
//!
//! The sequencing commitment of a header is a hash over the ids of all transactions that its block accepted, and an id is a hash over
//! the whole payment. So one header and one path bind every byte of a payment.

use svc_chain::header::raw::{ReadHeader, read_header, write_header};
use svc_chain::seq_commit;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_LANE_PATH, MAX_TOLD_LANES};
use svc_codec::reader::Reader;
use svc_codec::scan_record::{Action, write_payment};
use svc_codec::writer::Writer;
use svc_shielded::bundle::{Bundle, BundleFormat};

use crate::wire::{not_canonical, put_form, put_hashes, read_form, read_hashes};

/// A payment and what leads from it to a header, as they are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadOpening {
    /// The header of the chain block, without a witness: its work is no question here.
    pub header: ReadHeader,
    /// Sequencing commitment of the selected parent.
    pub parent: Hash32,
    /// The commitment that lanes without activity are measured by.
    pub shortcut: Hash32,
    /// Time and scores of the acceptance.
    pub context: Hash32,
    /// Root of the merged blocks' payloads.
    pub payload_root: Hash32,
    /// The other lanes that live after the block: key and leaf, ascending.
    pub lanes: Vec<(Hash32, Hash32)>,
    /// The tip of the payment's lane before the block; the commitment of the selected parent for a lane that was not alive.
    pub lane_tip: Hash32,
    /// Place among all accepted transactions.
    pub index: u32,
    /// Place among those of the lane.
    pub place: u32,
    /// Siblings on the way to the lane's digest, the lowest first.
    pub path: Vec<Hash32>,
    /// The payment, without the storage mass, which no id covers.
    pub transaction: Transaction,
}

/// A payment that a chain block accepted. Only [`prove_payload`] makes one.
#[derive(Clone, Debug)]
pub struct ProvedPayload {
    txid: Hash32,
    bundle: Bundle,
}

impl ProvedPayload {
    /// Its id.
    pub fn txid(&self) -> Hash32 {
        self.txid
    }

    /// The payment as scan records carry it: id, and of each action what a wallet scans.
    pub fn as_recorded(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        let actions = self.bundle.actions.iter().map(|action| Action {
            nullifier: action.nullifier,
            cmx: action.cmx,
            epk: &action.epk,
            enc: &action.enc_ciphertext,
            out: &action.out_ciphertext,
            cv_net: &action.cv_net,
        });
        write_payment(&mut writer, &self.txid, actions);
        writer.into_vec()
    }
}

impl PayloadOpening {
    /// The raw form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(1_024 + self.transaction.payload.len());
        put_form(&mut writer);
        write_header(&mut writer, &self.header.0, self.header.1.as_deref());
        writer.hash(&self.parent).hash(&self.shortcut);
        writer.hash(&self.context).hash(&self.payload_root);
        writer.count_u16(self.lanes.len());
        for (key, leaf) in &self.lanes {
            writer.hash(key).hash(leaf);
        }
        writer.hash(&self.lane_tip).u32(self.index).u32(self.place);
        put_hashes(&mut writer, &self.path);
        self.transaction.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`. Errors: `codec/*`, `header/bad-parents`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let header = read_header(&mut reader)?;
        let (parent, shortcut) = (reader.hash()?, reader.hash()?);
        let (context, payload_root) = (reader.hash()?, reader.hash()?);
        let count = reader.count_u16(MAX_TOLD_LANES, 64)?;
        let lanes = (0..count)
            .map(|_| Ok((reader.hash()?, reader.hash()?)))
            .collect::<Result<_, SvcError>>()?;
        let (lane_tip, index, place) = (reader.hash()?, reader.u32()?, reader.u32()?);
        let path = read_hashes(&mut reader, MAX_LANE_PATH)?;
        let transaction = Transaction::decode(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            header,
            parent,
            shortcut,
            context,
            payload_root,
            lanes,
            lane_tip,
            index,
            place,
            path,
            transaction,
        })
    }

    /// The sequencing commitment that the header has to carry.
    pub fn commitment(&self) -> Hash32 {
        let txid = self.transaction.id();
        let lane = &self.lane();
        let leaf = seq_commit::activity_leaf(&txid, self.transaction.version, self.index);
        let digest = seq_commit::lane_digest_over(leaf, self.place, &self.path);
        let tip = seq_commit::lane_tip(&self.lane_tip, lane, &digest, &self.context);
        let own = (
            *lane,
            seq_commit::active_leaf(&tip, self.header.0.blue_score),
        );
        let lanes: Vec<(Hash32, Hash32)> = self.lanes.iter().copied().chain([own]).collect();
        let state = seq_commit::state_over(
            &self.shortcut,
            &seq_commit::lanes_root(&lanes),
            &self.context,
            &self.payload_root,
        );
        seq_commit::commitment(&self.parent, &state)
    }

    fn lane(&self) -> Hash32 {
        seq_commit::lane_key(&self.transaction.subnetwork_id)
    }

    /// One payment has one form, so that nobody can change a byte and keep the meaning.
    fn check_form(&self) -> Result<(), SvcError> {
        let keys: Vec<&Hash32> = self.lanes.iter().map(|(key, _)| key).collect();
        if !keys.is_sorted_by(|left, right| left < right) || keys.contains(&&self.lane()) {
            return Err(not_canonical("lanes"));
        }
        let has_place = self.place.checked_shr(self.path.len() as u32).unwrap_or(0) == 0;
        if !has_place {
            return Err(not_canonical("place"));
        }
        let is_bare = self.transaction.inputs.is_empty() && self.transaction.storage_mass == 0;
        if self.header.1.is_some() || !is_bare {
            return Err(not_canonical("payment"));
        }
        Ok(())
    }
}

/// Checks that a chain block accepted a payment, byte for byte.
///
/// # Errors
/// `evidence/other-header` where the header is not that of `block`; `evidence/other-payload` where it commits to another payment;
/// `codec/not-canonical`; those of the bundle's own form: `shielded/*`, `tx/*`, `codec/*`.
pub fn prove_payload(block: &Hash32, told: &PayloadOpening) -> Result<ProvedPayload, SvcError> {
    let found = told.header.0.hash();
    if found != *block {
        let error = SvcError::new(Code::EvidenceOtherHeader).with("expected", block);
        return Err(error.with("found", found));
    }
    let txid = told.transaction.id();
    told.check_form()?;
    let is_accepted = told.commitment() == told.header.0.accepted_id_merkle_root;
    if !is_accepted || !told.transaction.is_shielded() {
        return Err(SvcError::new(Code::EvidenceOtherPayload).with("txid", txid));
    }
    let payload = &told.transaction.payload;
    // The form says itself which one it is.
    let bundle = Bundle::decode(payload, BundleFormat::NamedAnchor)
        .or_else(|_| Bundle::decode(payload, BundleFormat::Plain))?;
    Ok(ProvedPayload { txid, bundle })
}
