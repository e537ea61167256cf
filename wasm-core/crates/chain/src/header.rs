//! The block header and its three hashes (specification consensus 3).

pub mod parents;
pub mod raw;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::domain_hashers::block_hash;
use crate::header::parents::Parents;
use crate::uint256::{BLUE_WORK_BITS, BLUE_WORK_LEN, U256, blue_work_bytes};

/// Everything a block's id commits to. The merge-mining witness is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// 0 for genesis, 1 before the Toccata activation, 2 from it.
    pub version: u16,
    /// Parents per level.
    pub parents: Parents,
    /// Root over the transaction hashes.
    pub hash_merkle_root: Hash32,
    /// Sequencing commitment over what the block accepts (specification consensus 12).
    pub accepted_id_merkle_root: Hash32,
    /// Digest of the transparent set, which is always empty on shielded networks.
    pub utxo_commitment: Hash32,
    /// Milliseconds since 1970.
    pub timestamp_ms: u64,
    /// Compact difficulty target.
    pub bits: u32,
    /// What miners vary.
    pub nonce: u64,
    /// Count of blocks in the past that difficulty adjustment counts.
    pub daa_score: u64,
    /// Work of all blue blocks in the past; fits 192 bits.
    pub blue_work: U256,
    /// Number of blue blocks in the past.
    pub blue_score: u64,
    /// The block below which history may be dropped, seen from this block.
    pub pruning_point: Hash32,
}

impl Header {
    /// The block id.
    pub fn hash(&self) -> Hash32 {
        self.hash_with(self.timestamp_ms, self.nonce)
    }

    /// The hash that proof of work starts from: the id with timestamp and nonce 0.
    pub fn pre_pow_hash(&self) -> Hash32 {
        self.hash_with(0, 0)
    }

    /// The hash that merged mining commits to from the security fork on: the id with nonce 0.
    pub fn nonce_free_hash(&self) -> Hash32 {
        self.hash_with(self.timestamp_ms, 0)
    }

    /// The parents at level 0, the selected parent first on chain blocks.
    pub fn direct_parents(&self) -> &[Hash32] {
        self.parents.direct()
    }

    /// Writes `RawHeader`. Digits of `blue_work` above 192 bits, which no checked header has,
    /// are cut.
    pub fn encode(&self, writer: &mut Writer) {
        writer.u16(self.version);
        self.parents.encode(writer);
        self.encode_rest(writer);
    }

    /// Writes what follows the parents, which has one form wherever a header is written out.
    pub(crate) fn encode_rest(&self, writer: &mut Writer) {
        writer
            .hash(&self.hash_merkle_root)
            .hash(&self.accepted_id_merkle_root)
            .hash(&self.utxo_commitment)
            .u64(self.timestamp_ms)
            .u32(self.bits)
            .u64(self.nonce)
            .u64(self.daa_score)
            .bytes(&self.blue_work.to_little_endian()[..BLUE_WORK_LEN])
            .u64(self.blue_score)
            .hash(&self.pruning_point);
    }

    /// Reads `RawHeader`.
    ///
    /// # Errors
    /// `codec/*` for short input, `header/bad-parents`.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let version = reader.u16()?;
        let parents = Parents::decode(reader)?;
        Self::decode_rest(reader, version, parents)
    }

    /// Reads what follows the parents, which has one form wherever a header is written out.
    ///
    /// # Errors
    /// `codec/*` for short input.
    pub(crate) fn decode_rest(
        reader: &mut Reader<'_>,
        version: u16,
        parents: Parents,
    ) -> Result<Self, SvcError> {
        Ok(Self {
            version,
            parents,
            hash_merkle_root: reader.hash()?,
            accepted_id_merkle_root: reader.hash()?,
            utxo_commitment: reader.hash()?,
            timestamp_ms: reader.u64()?,
            bits: reader.u32()?,
            nonce: reader.u64()?,
            daa_score: reader.u64()?,
            blue_work: U256::from_little_endian(&reader.array::<BLUE_WORK_LEN>()?),
            blue_score: reader.u64()?,
            pruning_point: reader.hash()?,
        })
    }

    /// Checks a blue work that was computed or read from a wider form.
    ///
    /// # Errors
    /// `header/blue-work-too-large` above 192 bits.
    pub fn check_blue_work(work: U256) -> Result<U256, SvcError> {
        if work.bits() > BLUE_WORK_BITS {
            return Err(SvcError::new(Code::HeaderBlueWorkTooLarge));
        }
        Ok(work)
    }

    fn hash_with(&self, timestamp_ms: u64, nonce: u64) -> Hash32 {
        let mut preimage = Writer::with_capacity(512);
        preimage.u16(self.version).u64(self.parents.levels() as u64);
        for level in self.parents.expanded() {
            preimage.u64(level.len() as u64);
            for parent in level {
                preimage.hash(parent);
            }
        }
        let work = blue_work_bytes(self.blue_work);
        preimage
            .hash(&self.hash_merkle_root)
            .hash(&self.accepted_id_merkle_root)
            .hash(&self.utxo_commitment)
            .u64(timestamp_ms)
            .u32(self.bits)
            .u64(nonce)
            .u64(self.daa_score)
            .u64(self.blue_score)
            .u64(work.len() as u64)
            .bytes(&work)
            .hash(&self.pruning_point);
        block_hash().update(preimage.as_slice()).finalize()
    }
}
