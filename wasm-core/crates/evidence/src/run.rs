//! Work above a block: headers of one selected chain, each linked to the one before by sequencing commitments, and the sum
//! of their work (specification consensus 4, 12).
//!
//! A parent link shows only that a block came later: a block that no chain accepts is merged like any other. Two things show
//! which chain a miner built on. A chain block names its selected parent first, and its sequencing commitment is a hash
//! over that of its selected parent. The first links neighbours for nothing. The second links headers that stand far apart,
//! at 32 bytes a chain block, and those of a block level stand for the work of all between them. There the lowest state is opened
//! down to the header below, since that header's own commitment is the word of whoever mined it (ADR 61).

use std::collections::HashSet;

use svc_chain::bits::{level_work, work_from_bits};
use svc_chain::header::raw::{MIN_RAW_HEADER_LEN, ReadHeader, read_header, write_header};
use svc_chain::seq_commit::commitment;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{LEAST_STEP_LEVEL, MAX_RUN_BLOCKS, MAX_RUN_HEADERS, MIN_LEVEL_HEADERS};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::header::{Judge, ProvedHeader};
use crate::parent_path::ParentPath;
use crate::wire::{expect_form, not_canonical};

/// The version of the raw form. Form 1 did not open the lowest state of a link.
const FORM: u8 = 2;

/// Whether a run may skip blocks above one of a block level: below [`LEAST_STEP_LEVEL`] no opening is kept of the next block.
pub const fn can_step_from(level: u8) -> bool {
    level >= LEAST_STEP_LEVEL
}

/// The step from the header before to the next one of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next header is of the next chain block, which names the one before itself.
    Neighbour,
    /// Chain blocks lie between the two.
    Over {
        /// Opening of the sequencing state of the lowest chain block above the header before.
        lowest: ParentPath,
        /// Sequencing states of the chain blocks above that one, up to the next header's own: at least one.
        states: Vec<Hash32>,
    },
}

impl Step {
    /// Chain blocks from the header before up to the next one.
    pub fn blocks(&self) -> usize {
        match self {
            Self::Neighbour => 1,
            Self::Over { states, .. } => 1 + states.len(),
        }
    }
}

/// A header of a run and what links it to the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The step up to the header.
    pub step: Step,
    /// The header with its witness.
    pub header: ReadHeader,
}

/// A run as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The level of the headers that count; every block reaches level 0. Neighbours of the base may stand below it, up to the
    /// first header that reaches it: above a block below [`LEAST_STEP_LEVEL`] nothing may be skipped.
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
        writer.u8(FORM).u8(self.level);
        write_header(&mut writer, &self.base.0, self.base.1.as_deref());
        writer.count_u16(self.links.len());
        for Link { step, header } in &self.links {
            write_step(&mut writer, step);
            write_header(&mut writer, &header.0, header.1.as_deref());
        }
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`.
    ///
    /// # Errors
    /// `codec/*`, among them `codec/version` for a run whose lowest states are not opened, and `codec/count-too-large` above
    /// [`MAX_RUN_HEADERS`] headers or [`MAX_RUN_BLOCKS`] chain blocks, and `header/bad-parents`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        expect_form(&mut reader, FORM)?;
        let level = reader.u8()?;
        let base = read_header(&mut reader)?;
        let count = reader.count_u16(MAX_RUN_HEADERS, 2 + MIN_RAW_HEADER_LEN)?;
        let mut links = Vec::with_capacity(count);
        let mut room = MAX_RUN_BLOCKS;
        for _ in 0..count {
            let step = read_step(&mut reader, room)?;
            room = room.checked_sub(step.blocks()).ok_or_else(too_long)?;
            let header = read_header(&mut reader)?;
            links.push(Link { step, header });
        }
        reader.finish()?;
        Ok(Self { level, base, links })
    }
}

impl Judge<'_> {
    /// Checks a run: each header's work and level, and that each follows from the one before. A solution that stands for several
    /// headers counts once.
    ///
    /// # Errors
    /// `evidence/too-few-headers` above level 0 with fewer than [`MIN_LEVEL_HEADERS`], where chance would say more than
    /// work; `evidence/not-linked`, `evidence/below-level`; those of [`Judge::header`].
    pub fn run(&self, run: Run) -> Result<ProvedRun, SvcError> {
        check_counted(run.level, run.links.len())?;
        let base = self.header(run.base)?;
        let mut tip = base.clone();
        let mut blocks = 0;
        let mut works = Vec::new();
        let mut reaches_level = false;
        let mut solutions = HashSet::from([base.solution()]);
        for Link { step, header } in run.links {
            let next = self.header(header)?;
            check_link(&tip, &next, &step, run.level)?;
            let is_new = solutions.insert(next.solution());
            if next.level() >= run.level {
                reaches_level = true;
                if is_new {
                    works.push(next.work());
                }
            } else if reaches_level || step != Step::Neighbour {
                return Err(SvcError::new(Code::EvidenceBelowLevel)
                    .with("hash", next.hash())
                    .with("level", next.level())
                    .with("min", run.level));
            }
            blocks += step.blocks() as u64;
            tip = next;
        }
        check_counted(run.level, works.len())?;
        Ok(ProvedRun {
            work: self.sum_of(&works, &tip, run.level),
            base,
            tip,
            blocks,
        })
    }

    /// Work of the headers that count. None counts for less than the level of the run takes, nor for more than that or the last header:
    /// whoever shows one hard header among easy ones gains nothing by it.
    fn sum_of(&self, works: &[U256], tip: &ProvedHeader, level: u8) -> U256 {
        if !self.asks_for_work() {
            return U256::zero();
        }
        let least = level_work(level, self.network.profile.max_block_level);
        let most = least.max(tip.work());
        let within = works.iter().map(|work| (*work).max(least).min(most));
        within.fold(U256::zero(), U256::saturating_add)
    }

    /// Work that the header of a receipt counts for by itself, at a level that it reaches.
    pub(crate) fn worth(&self, header: &ProvedHeader, level: u8) -> U256 {
        if !self.asks_for_work() {
            return U256::zero();
        }
        let max_level = self.network.profile.max_block_level;
        header.work().max(level_work(level, max_level))
    }
}

/// Refuses too few headers of a level. Error: `evidence/too-few-headers`.
fn check_counted(level: u8, count: usize) -> Result<(), SvcError> {
    if level == 0 || count >= MIN_LEVEL_HEADERS {
        return Ok(());
    }
    Err(SvcError::new(Code::EvidenceTooFewHeaders)
        .with("count", count)
        .with("min", MIN_LEVEL_HEADERS))
}

fn too_long() -> SvcError {
    let error = SvcError::new(Code::CodecCountTooLarge);
    let count = MAX_RUN_BLOCKS + 1;
    error.with("count", count).with("max", MAX_RUN_BLOCKS)
}

/// Writes the number of chain blocks of a step, 0 for a neighbour, and what leads over them.
fn write_step(writer: &mut Writer, step: &Step) {
    let Step::Over { lowest, states } = step else {
        writer.count_u16(0);
        return;
    };
    writer.count_u16(step.blocks());
    lowest.encode(writer);
    for state in states {
        writer.hash(state);
    }
}

/// Reads what [`write_step`] writes: at most `room` chain blocks.
fn read_step(reader: &mut Reader<'_>, room: usize) -> Result<Step, SvcError> {
    match reader.count_u16(room, 0)? {
        0 => Ok(Step::Neighbour),
        // Neighbours have one form.
        1 => Err(not_canonical("step of one block")),
        blocks => {
            let lowest = ParentPath::decode(reader)?;
            let states = (1..blocks).map(|_| reader.hash());
            let states = states.collect::<Result<_, _>>()?;
            Ok(Step::Over { lowest, states })
        }
    }
}

/// The header names the one below first, or the commitments lead from the one to the other, the lowest of them by an opening
/// that names the one below. Below [`LEAST_STEP_LEVEL`] every header is shown. Scores of chain blocks go up; the DAA score of genesis is
/// that of its child.
fn check_link(
    below: &ProvedHeader,
    next: &ProvedHeader,
    step: &Step,
    level: u8,
) -> Result<(), SvcError> {
    let (before, header) = (below.header(), next.header());
    let is_linked = match step {
        Step::Neighbour => next.selected_parent()? == below.hash(),
        Step::Over { lowest, states } => {
            let first = lowest.state_above(&below.hash(), before);
            let start = commitment(&before.accepted_id_merkle_root, &first);
            let fold = |parent, state| commitment(&parent, state);
            can_step_from(level)
                && !states.is_empty()
                && states.iter().fold(start, fold) == header.accepted_id_merkle_root
        }
    };
    let goes_up = header.blue_score > before.blue_score && header.daa_score >= before.daa_score;
    if is_linked && goes_up {
        return Ok(());
    }
    Err(SvcError::new(Code::EvidenceNotLinked).with("hash", next.hash()))
}
