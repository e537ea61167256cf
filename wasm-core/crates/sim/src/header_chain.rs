//! Header chain generator for benchmarks: headers without bodies, of any length in constant memory.

use std::io::Write;

use svc_chain::bits::{target_from_bits, work_from_bits};
use svc_chain::genesis::genesis_block;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::header::raw::{HashedHeader, write_headers};
use svc_chain::profile::{Profile, active};
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_pow::heavy_hash::{PowState, block_level};

use crate::fault::{Outcome, ensure};

/// Makes headers one above the other, a target interval apart: bits stay those of genesis, which must be the easiest.
pub struct HeaderChain {
    profile: Profile,
    genesis: Hash32,
    last: HashedHeader,
}

impl HeaderChain {
    /// A chain that begins above the genesis of a network.
    pub fn new(profile: Profile) -> Outcome<Self> {
        ensure(
            profile.genesis.bits == profile.max_difficulty_target_bits,
            || "the bits of genesis are not the easiest".to_owned(),
        )?;
        let last = HashedHeader::new(genesis_block(&profile).header, None);
        Ok(Self {
            profile,
            genesis: last.hash(),
            last,
        })
    }

    /// The next header, with work. Fails when it has a level above 0: those above it would have to name it there.
    pub fn make(&mut self) -> Outcome<HashedHeader> {
        let (below, parent) = (self.last.header(), self.last.hash());
        // Genesis is in no window and counts for no score.
        let daa_score = below.blue_score;
        let toccata = active(self.profile.activations.toccata, daa_score);
        let header = Header {
            version: if toccata { 2 } else { 1 },
            parents: Parents::from_levels(&[vec![parent]])?,
            hash_merkle_root: parent,
            accepted_id_merkle_root: Hash32::ZERO,
            utxo_commitment: Hash32::ZERO,
            timestamp_ms: below.timestamp_ms + self.profile.target_time_per_block_ms,
            bits: below.bits,
            nonce: 0,
            daa_score,
            blue_work: below.blue_work + work_from_bits(below.bits),
            blue_score: below.blue_score + 1,
            pruning_point: self.genesis,
        };
        let (nonce, value) = solve(&header);
        let level = block_level(self.profile.max_block_level, value);
        ensure(level == 0, || format!("a header of level {level}"))?;
        self.last = HashedHeader::new(Header { nonce, ..header }, None);
        Ok(self.last.clone())
    }

    /// Writes `count` headers in calls of [`HEADERS_PER_CALL`], each a length (u32 little endian) and `RawHeaders`.
    pub fn write(&mut self, count: usize, out: &mut impl Write) -> Outcome<()> {
        let mut left = count;
        while left > 0 {
            let size = left.min(HEADERS_PER_CALL);
            let headers = (0..size)
                .map(|_| self.make())
                .collect::<Outcome<Vec<_>>>()?;
            let bytes = write_headers(&headers);
            out.write_all(&(bytes.len() as u32).to_le_bytes())?;
            out.write_all(&bytes)?;
            left -= size;
        }
        Ok(out.flush()?)
    }
}

/// The first nonce with work enough, and its value: one matrix, then about two hashes at the easiest bits.
fn solve(header: &Header) -> (u64, U256) {
    let (state, target) = (PowState::new(header), target_from_bits(header.bits));
    let mut nonce = 0;
    loop {
        let value = state.pow(nonce);
        if value <= target {
            return (nonce, value);
        }
        nonce += 1;
    }
}
