//! Pages of an export: its proof, headers, scan records, lanes and nullifiers, each in bounded pieces.

use std::ops::Bound;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{IMPORT_PAGE_ROWS, MAX_PAGE_BYTES, MAX_PAGE_RECORDS, MAX_TRUSTED_PAGE};
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::export::{Export, proof_header};
use crate::import::trusted::{TrustedHeader, TrustedPage};
use crate::proof::build::build_proof;
use crate::proof::stored_proof;
use crate::proof::{Proof, ProofHeader};
use crate::records::chain::Chain;
use crate::records::lane_diff::LaneTip;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::tables;
use crate::store::{KeyRange, Pair, Store};

/// Above every key of 32 bytes.
const END: [u8; 33] = [0xff; 33];

impl Export {
    /// The proof of the pruning point: as it is stored, or made of the headers that are held.
    ///
    /// # Errors
    /// `proof/*` when too little is held, `export/moved`, `store/*`.
    pub fn proof<S: Store>(&self, chain: &Chain<S>) -> Result<Proof, SvcError> {
        let records = &chain.records;
        self.check(records)?;
        if records.pruning()?.swept == self.point
            && let Some(proof) = stored_proof::read(records, chain.rules.profile.max_block_level)?
        {
            return Ok(proof);
        }
        build_proof(&chain.rules, records, &self.point)
    }

    /// Pruning points from number `from` on, genesis being 0, up to the exported one. Errors: `export/moved`,
    /// `store/*`.
    pub fn points<S: Store>(
        &self,
        records: &Records<S>,
        from: usize,
    ) -> Result<Vec<ProofHeader>, SvcError> {
        self.check(records)?;
        let mut points = Vec::new();
        for index in 0.. {
            let Some(point) = records.pruning_point_at(index)? else {
                // The exported block was not made the pruning point yet: its samples lead down the same list.
                points = self.samples(records)?;
                break;
            };
            points.push(point);
            if point == self.point {
                break;
            }
        }
        let page = points.iter().skip(from).take(MAX_TRUSTED_PAGE);
        page.map(|point| proof_header(records, point)).collect()
    }

    fn samples<S: Store>(&self, records: &Records<S>) -> Result<Vec<Hash32>, SvcError> {
        let mut points = vec![self.point];
        let mut current = self.point;
        loop {
            let below = records.pruning_sample(&current)?;
            if below == current {
                break;
            }
            points.push(below);
            current = below;
        }
        points.reverse();
        Ok(points)
    }

    /// Trusted headers from number `from` on, window first; empty behind the last. Errors: `export/moved`, `store/*`.
    pub fn trusted<S: Store>(
        &self,
        records: &Records<S>,
        from: usize,
        limit: usize,
    ) -> Result<TrustedPage, SvcError> {
        self.check(records)?;
        let limit = limit.min(MAX_TRUSTED_PAGE);
        let mut page = TrustedPage::default();
        for hash in self.window.iter().skip(from).take(limit) {
            page.window.push(TrustedHeader {
                header: proof_header(records, hash)?,
                ghostdag: records.ghostdag(hash)?.as_ref().clone(),
            });
        }
        let skipped = from.saturating_sub(self.window.len());
        let left = limit - page.window.len();
        for hash in self.segment.iter().skip(skipped).take(left) {
            page.segment.push(proof_header(records, hash)?);
        }
        Ok(page)
    }

    /// Scan records from an index of the selected chain downwards, at most `limit` and a bounded number of bytes, as
    /// [`crate::history::history_import::HistoryImport::import_history`] takes them. Errors: `engine/not-imported`,
    /// `store/*`.
    pub fn history<S: Store>(
        records: &Records<S>,
        from: u64,
        limit: usize,
    ) -> Result<Vec<Vec<u8>>, SvcError> {
        records.require_state()?;
        let mut page = Vec::new();
        let mut bytes = 0;
        for offset in 0..limit.min(MAX_PAGE_RECORDS) as u64 {
            let index = from.checked_sub(offset);
            let block = index.map(|index| records.chain_at(index)).transpose()?;
            let Some(block) = block.flatten() else { break };
            let Some(record) = records.proved_record(&block)? else {
                break;
            };
            bytes += record.len();
            if bytes > MAX_PAGE_BYTES && !page.is_empty() {
                break;
            }
            page.push(record);
        }
        Ok(page)
    }

    /// Lanes at the pruning point behind a key, ascending. Errors: `export/moved`, `store/*`.
    pub fn lane_page<S: Store>(
        &self,
        records: &Records<S>,
        after: Option<&Hash32>,
    ) -> Result<Vec<(Hash32, LaneTip)>, SvcError> {
        self.check(records)?;
        let mut lanes: Vec<(Hash32, LaneTip)> = Vec::new();
        let mut from = after_key(after);
        let behind = after.map_or(Bound::Unbounded, Bound::Excluded);
        let changed = self.lanes.range((behind, Bound::Unbounded));
        let changed = changed.filter_map(|(key, lane)| lane.map(|lane| (*key, lane)));
        lanes.extend(changed.take(IMPORT_PAGE_ROWS));
        let mut present = 0;
        while present < IMPORT_PAGE_ROWS {
            let rows = self.rows(records, tables::LANES, &from)?;
            let Some((last, _)) = rows.last() else { break };
            from = [last.as_slice(), &[0]].concat();
            for (key, value) in rows {
                let key = stored("lanes", whole(&key, Reader::hash))?;
                if !self.lanes.contains_key(&key) {
                    lanes.push((key, stored("lanes", LaneTip::decode(&value))?));
                    present += 1;
                }
            }
        }
        lanes.sort_unstable_by_key(|(key, _)| *key);
        lanes.truncate(IMPORT_PAGE_ROWS);
        Ok(lanes)
    }

    /// Nullifiers spent at the pruning point, behind one of them, ascending; empty behind the last. Errors:
    /// `export/moved`, `store/*`.
    pub fn nullifier_page<S: Store>(
        &self,
        records: &Records<S>,
        after: Option<&Hash32>,
    ) -> Result<Vec<Hash32>, SvcError> {
        self.check(records)?;
        let mut page = Vec::new();
        let mut from = after_key(after);
        while page.len() < IMPORT_PAGE_ROWS {
            let rows = self.rows(records, tables::NULLIFIERS, &from)?;
            let Some((last, _)) = rows.last() else { break };
            from = [last.as_slice(), &[0]].concat();
            for (key, _) in rows {
                let nullifier = stored("nullifiers", whole(&key, Reader::hash))?;
                if !self.spent_above.contains(&nullifier) {
                    page.push(nullifier);
                }
            }
        }
        page.truncate(IMPORT_PAGE_ROWS);
        Ok(page)
    }

    fn rows<S: Store>(
        &self,
        records: &Records<S>,
        table: u8,
        from: &[u8],
    ) -> Result<Vec<Pair>, SvcError> {
        records.overlay.range(KeyRange {
            table,
            from,
            to: &END,
            limit: IMPORT_PAGE_ROWS,
            reverse: false,
        })
    }
}

fn after_key(after: Option<&Hash32>) -> Vec<u8> {
    after.map_or_else(Vec::new, |key| [key.as_bytes().as_slice(), &[0]].concat())
}
