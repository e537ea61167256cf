//! Detection of merge-mined blocks with more than one witness of form 0 (decision record 27). Nodes that took
//! different ones disagree on the level of the block, and so on the parents that its children must name. No node can
//! mend that by itself: it is told.

use std::collections::VecDeque;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::LEVEL_CONFLICTS;
use svc_dag::store::DagStore;

use crate::pipeline::event::Event;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::rules::header_rules::Incoming;
use crate::rules::level_rules::has_open_level;
use crate::store::Store;

/// Blocks that were told of, the oldest first. One that was forgotten may be told of again.
#[derive(Default)]
pub(crate) struct LevelConflicts {
    told: VecDeque<Hash32>,
}

impl LevelConflicts {
    /// Compares the witness a known block came with once more with the one that it was taken with. Returns what is to
    /// be told, once a block. No witness, or one that does not hold, says nothing.
    pub(crate) fn second_witness<S: Store>(
        &mut self,
        chain: &Chain<S>,
        incoming: Incoming<'_>,
    ) -> Result<Option<Event>, SvcError> {
        let records = &chain.records;
        let Incoming {
            hash,
            header,
            witness: Some(witness),
        } = incoming
        else {
            return Ok(None);
        };
        if self.told.contains(&hash) || !records.has_header(&hash)? {
            return Ok(None);
        }
        let record = records.header(&hash)?;
        if !has_open_level(chain, &record)? {
            return Ok(None);
        }
        if records.witness(&hash)?.as_deref() == Some(witness) {
            return Ok(None);
        }
        let Ok(work) = chain.rules.judge_work(header, Some(witness)) else {
            return Ok(None);
        };
        self.note(&hash);
        Ok(Some(Event::LevelConflict {
            block: hash,
            level: record.level,
            other: work.level,
            child: None,
        }))
    }

    /// The level conflict of a parent that a refused child shows; `None` for other refusals and for a parent that was
    /// told of.
    pub(crate) fn refused_child<S: Store>(
        &mut self,
        records: &Records<S>,
        child: &Hash32,
        error: &SvcError,
    ) -> Result<Option<Event>, SvcError> {
        if error.code != Code::HeaderLevelConflict {
            return Ok(None);
        }
        let field = |name: &str| error.data.iter().find(|(key, _)| *key == name);
        let parent = field("parent").and_then(|(_, value)| value.parse::<Hash32>().ok());
        let other = field("claimed").and_then(|(_, value)| value.parse::<u8>().ok());
        let (Some(block), Some(other)) = (parent, other) else {
            return Ok(None);
        };
        if self.told.contains(&block) {
            return Ok(None);
        }
        self.note(&block);
        Ok(Some(Event::LevelConflict {
            block,
            level: records.header(&block)?.level,
            other,
            child: Some(*child),
        }))
    }

    fn note(&mut self, block: &Hash32) {
        if self.told.len() >= LEVEL_CONFLICTS {
            self.told.pop_front();
        }
        self.told.push_back(*block);
    }
}
