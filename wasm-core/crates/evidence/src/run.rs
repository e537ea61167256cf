//! Work above a block: headers of one selected chain, each linked to the one before by sequencing commitments, and the sum
//! of their work (specification consensus 4, 12).
//!
//! A parent link shows only that a block came later: a block that no chain accepts is merged like any other. Two things show
//! which chain a miner built on. A chain block names its selected parent first, and its sequencing commitment is a hash
//! over that of its selected parent. The first links neighbours for nothing. The second links headers that stand far apart,
//! at 32 bytes a chain block, and those of a block level stand for the work of all between them.

use svc_chain::bits::{level_work, work_from_bits};
use svc_chain::header::raw::{MIN_RAW_HEADER_LEN, ReadHeader, read_header, write_header};
use svc_chain::seq_commit::commitment;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_RUN_BLOCKS, MAX_RUN_HEADERS, MIN_LEVEL_HEADERS};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::header::{Judge, ProvedHeader};
use crate::wire::{put_form, put_hashes, read_form, read_hashes};

/// A header of a run and what links it to the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// States of the sequencing commitments of all chain blocks above the header before, this one's the last. None for the
    /// next chain block, which names the one before itself.
    pub states: Vec<Hash32>,
    /// The header with its witness.
    pub header: ReadHeader,
}

/// A run as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The level that every header above the base reaches. Every block reaches level 0.
    pub level: u8,
    /// The lowest header.
    pub base: ReadHeader,
    /// The headers above it, the lowest first.
    pub links: Vec<Link>,
}

/// A run whose links and work hold. Only [`Judge::run`] makes one.
#[derive(Clone, Debug)]
pub struct ProvedRun {
    base: ProvedHeader,
    tip: ProvedHeader,
    blocks: u64,
    work: U256,
}

impl ProvedRun {
    /// The lowest header.
    pub fn base(&self) -> &ProvedHeader {
        &self.base
    }

    /// The highest header.
    pub fn tip(&self) -> &ProvedHeader {
        &self.tip
    }

    /// Number of chain blocks above the base.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Hashes that the headers above the base took on average; zero on a network that asks for no work.
    pub fn work(&self) -> U256 {
        self.work
    }

    /// The work in blocks of the tip's difficulty, rounded down: as many target block times of the whole network. What does
    /// not fit 64 bits is the greatest that does.
    pub fn in_blocks_of_tip(&self) -> u64 {
        in_blocks(self.work, work_from_bits(self.tip.header().bits))
    }
}

/// Work in blocks that take `each`, rounded down; what does not fit 64 bits is the greatest that does.
pub(crate) fn in_blocks(work: U256, each: U256) -> u64 {
    let blocks = work / each.max(U256::one());
    if blocks > U256::from(u64::MAX) {
        u64::MAX
    } else {
        blocks.low_u64()
    }
}

impl Run {
    /// The raw form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(512 * (self.links.len() + 1));
        put_form(&mut writer);
        writer.u8(self.level);
        write_header(&mut writer, &self.base.0, self.base.1.as_deref());
        writer.count_u16(self.links.len());
        for Link { states, header } in &self.links {
            put_hashes(&mut writer, states);
            write_header(&mut writer, &header.0, header.1.as_deref());
        }
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`.
    ///
    /// # Errors
    /// `codec/*`, among them `codec/count-too-large` above [`MAX_RUN_HEADERS`] headers or [`MAX_RUN_BLOCKS`] states, and
    /// `header/bad-parents`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let level = reader.u8()?;
        let base = read_header(&mut reader)?;
        let count = reader.count_u16(MAX_RUN_HEADERS, 2 + MIN_RAW_HEADER_LEN)?;
        let mut links = Vec::with_capacity(count);
        let mut room = MAX_RUN_BLOCKS;
        for _ in 0..count {
            let states = read_hashes(&mut reader, room)?;
            room -= states.len();
            let header = read_header(&mut reader)?;
            links.push(Link { states, header });
        }
        reader.finish()?;
        Ok(Self { level, base, links })
    }
}

impl Judge<'_> {
    /// Checks a run: each header's work and level, and that each follows from the one before.
    ///
    /// # Errors
    /// `evidence/too-few-headers` above level 0 with fewer than [`MIN_LEVEL_HEADERS`], where chance would say more than
    /// work; `evidence/not-linked`, `evidence/below-level`; those of [`Judge::header`].
    pub fn run(&self, run: Run) -> Result<ProvedRun, SvcError> {
        if run.level > 0 && run.links.len() < MIN_LEVEL_HEADERS {
            return Err(SvcError::new(Code::EvidenceTooFewHeaders)
                .with("count", run.links.len())
                .with("min", MIN_LEVEL_HEADERS));
        }
        let base = self.header(run.base)?;
        let mut tip = base.clone();
        let (mut blocks, mut work) = (0, U256::zero());
        for Link { states, header } in run.links {
            let next = self.header(header)?;
            check_link(&tip, &next, &states)?;
            if next.level() < run.level {
                return Err(SvcError::new(Code::EvidenceBelowLevel)
                    .with("hash", next.hash())
                    .with("level", next.level())
                    .with("min", run.level));
            }
            blocks += states.len().max(1) as u64;
            work = work.saturating_add(self.worth(&next, run.level));
            tip = next;
        }
        Ok(ProvedRun {
            base,
            tip,
            blocks,
            work,
        })
    }

    /// What a header counts for. In a run the level is that of the run, so a lucky header counts no more than another.
    pub(crate) fn worth(&self, header: &ProvedHeader, level: u8) -> U256 {
        if !self.asks_for_work() {
            return U256::zero();
        }
        let max_level = self.network.profile.max_block_level;
        header.work().max(level_work(level, max_level))
    }
}

/// The header names the one below first, or the commitments lead from the one to the other. Scores of chain blocks go up; the
/// DAA score of genesis is that of its child.
fn check_link(
    below: &ProvedHeader,
    next: &ProvedHeader,
    states: &[Hash32],
) -> Result<(), SvcError> {
    let (before, header) = (below.header(), next.header());
    let is_linked = match states {
        [] => next.selected_parent()? == below.hash(),
        // Neighbours have one form.
        [_] => false,
        _ => {
            let start = before.accepted_id_merkle_root;
            let fold = |parent, state| commitment(&parent, state);
            states.iter().fold(start, fold) == header.accepted_id_merkle_root
        }
    };
    let goes_up = header.blue_score > before.blue_score && header.daa_score >= before.daa_score;
    if is_linked && goes_up {
        return Ok(());
    }
    Err(SvcError::new(Code::EvidenceNotLinked).with("hash", next.hash()))
}
