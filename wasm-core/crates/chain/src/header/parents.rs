//! The parents of a header, level by level, in compressed form (specification consensus 3.3).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_EXPANDED_PARENTS, MAX_PARENT_LEVELS, MAX_PARENTS_PER_RUN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// Neighbouring levels with the same parents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentRun {
    /// One above the last level of the run, so the runs' levels are adjacent.
    pub cumulative_level: u8,
    /// The parents at each of its levels.
    pub parents: Vec<Hash32>,
}

/// Parents per level. Invariant: the counts of the runs increase from above 0, neighbouring
/// runs differ, and expansion stays within [`MAX_EXPANDED_PARENTS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parents {
    runs: Vec<ParentRun>,
}

impl Parents {
    /// Compresses a list of levels, level 0 first.
    ///
    /// # Errors
    /// `header/bad-parents` for more than 255 levels or an expansion above the bound.
    pub fn from_levels(levels: &[Vec<Hash32>]) -> Result<Self, SvcError> {
        let mut runs: Vec<ParentRun> = Vec::new();
        for (index, parents) in levels.iter().enumerate() {
            let Ok(cumulative_level) = u8::try_from(index + 1) else {
                return Err(bad_parents("more than 255 levels"));
            };
            match runs.last_mut() {
                Some(last) if last.parents == *parents => last.cumulative_level = cumulative_level,
                _ => runs.push(ParentRun {
                    cumulative_level,
                    parents: parents.clone(),
                }),
            }
        }
        Self::from_runs(runs)
    }

    /// Takes runs as they came over the wire.
    ///
    /// # Errors
    /// `header/bad-parents` when they are not in the one valid form.
    pub fn from_runs(runs: Vec<ParentRun>) -> Result<Self, SvcError> {
        let mut level = 0;
        let mut expanded = 0_usize;
        let mut previous: Option<&ParentRun> = None;
        for run in &runs {
            if run.cumulative_level <= level {
                return Err(bad_parents("level counts do not increase"));
            }
            if previous.is_some_and(|before| before.parents == run.parents) {
                return Err(bad_parents("neighbouring runs are equal"));
            }
            let levels = usize::from(run.cumulative_level - level);
            expanded = expanded.saturating_add(run.parents.len().saturating_mul(levels));
            level = run.cumulative_level;
            previous = Some(run);
        }
        if expanded > MAX_EXPANDED_PARENTS {
            return Err(bad_parents("too many parents over all levels"));
        }
        Ok(Self { runs })
    }

    /// The parents at `level`; `None` at and above [`Parents::levels`].
    pub fn level(&self, level: usize) -> Option<&[Hash32]> {
        let run = self
            .runs
            .iter()
            .find(|run| level < usize::from(run.cumulative_level))?;
        Some(&run.parents)
    }

    /// The number of levels when expanded; 0 for genesis.
    pub fn levels(&self) -> usize {
        self.runs
            .last()
            .map_or(0, |run| usize::from(run.cumulative_level))
    }

    /// The direct parents, which are those of level 0.
    pub fn direct(&self) -> &[Hash32] {
        self.level(0).unwrap_or_default()
    }

    /// The compressed form.
    pub fn runs(&self) -> &[ParentRun] {
        &self.runs
    }

    /// All levels, level 0 first.
    pub fn expanded(&self) -> impl Iterator<Item = &[Hash32]> {
        let mut below = 0;
        self.runs.iter().flat_map(move |run| {
            let levels = usize::from(run.cumulative_level - below);
            below = run.cumulative_level;
            core::iter::repeat_n(run.parents.as_slice(), levels)
        })
    }

    /// Writes the runs of `RawHeader`.
    pub fn encode(&self, writer: &mut Writer) {
        writer.u8(u8::try_from(self.runs.len()).unwrap_or(u8::MAX));
        for run in &self.runs {
            writer.u8(run.cumulative_level).count_u16(run.parents.len());
            for parent in &run.parents {
                writer.hash(parent);
            }
        }
    }

    /// Reads the runs of `RawHeader`.
    ///
    /// # Errors
    /// `codec/*` for short input, `header/bad-parents` for runs not in the one valid form.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let count = reader.count_u8(MAX_PARENT_LEVELS, 3)?;
        let mut runs = Vec::with_capacity(count);
        for _ in 0..count {
            let cumulative_level = reader.u8()?;
            let len = reader.count_u16(MAX_PARENTS_PER_RUN, 32)?;
            let parents = (0..len).map(|_| reader.hash()).collect::<Result<_, _>>()?;
            runs.push(ParentRun {
                cumulative_level,
                parents,
            });
        }
        Self::from_runs(runs)
    }
}

fn bad_parents(reason: &'static str) -> SvcError {
    SvcError::new(Code::HeaderBadParents).with("reason", reason)
}
