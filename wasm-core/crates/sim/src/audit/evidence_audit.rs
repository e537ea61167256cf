//! Audit of the evidence that a node serves: all of it, of every chain block, checked by who holds nothing of the chain
//! (docs/light-client.md).

use core::fmt;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::questions::{evidence, payload_evidence};
use svc_consensus::records::chain::Chain;
use svc_consensus::store::Store;
use svc_dag::store::DagStore;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::Membership;
use svc_evidence::opening::{Opening, ProvedState};
use svc_evidence::payload::{PayloadOpening, prove_payload};
use svc_evidence::run::Run;
use svc_evidence::tip::ProvedTip;
use svc_pow::judge_work::WorkNetwork;

use crate::fault::{Fault, Outcome, ensure};

/// Chain blocks that the run above each block goes over.
const RUN: usize = 12;

/// What an audit went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceReport {
    /// Chain blocks below the tip.
    pub blocks: usize,
    /// Openings that hold, each with the run above it.
    pub openings: usize,
    /// Memberships that hold.
    pub memberships: usize,
    /// Payments that hold under the header of the block that accepted them.
    pub payments: usize,
    /// Their bytes, those of the runs among them.
    pub bytes: usize,
    /// Chain blocks and headers of the longest run, from genesis as far as a run goes.
    pub longest_run: (u64, usize),
}

impl fmt::Display for EvidenceReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blocks, headers) = self.longest_run;
        write!(
            formatter,
            "evidence of {} chain blocks: {} openings, as many runs, {} memberships, {} payments, {} bytes; a run over {blocks} by {headers} headers",
            self.blocks, self.openings, self.memberships, self.payments, self.bytes
        )
    }
}

/// Checks the opening of the state after every chain block but the last, the run above each, and from the security fork on
/// each block's place in the log of the tip, with the state that its membership proves anew.
///
/// # Errors
/// The first piece that does not hold, or that a node without pruned blocks does not serve.
pub fn audit_evidence<S: Store>(chain: &Chain<S>) -> Outcome<EvidenceReport> {
    let rules = &chain.rules;
    let judge = Judge {
        network: WorkNetwork {
            profile: &rules.profile,
            genesis: &rules.genesis_hash,
        },
        floor: WorkFloor::of_network(&rules.profile),
    };
    let mut blocks = Vec::new();
    while let Some(hash) = chain.records.chain_at(blocks.len() as u64)? {
        blocks.push(hash);
    }
    let [.., block, child, _] = &blocks[..] else {
        return Err(Fault("a chain of less than three blocks".to_owned()));
    };
    let mut audit = Audit {
        chain,
        judge,
        blocks: &blocks,
        report: EvidenceReport::default(),
    };
    let tip = audit.tip(block, child)?;
    for index in 0..blocks.len() - 1 {
        audit
            .check(&tip, index)
            .map_err(|fault| Fault(format!("chain block {index}: {fault}")))?;
    }
    audit.long_run()?;
    Ok(audit.report)
}

struct Audit<'a, S: Store> {
    chain: &'a Chain<S>,
    judge: Judge<'a>,
    blocks: &'a [Hash32],
    report: EvidenceReport,
}

impl<S: Store> Audit<'_, S> {
    fn counted(&mut self, piece: Result<Vec<u8>, SvcError>) -> Outcome<Vec<u8>> {
        let piece = piece?;
        self.report.bytes += piece.len();
        Ok(piece)
    }

    /// The highest state of which a child with a child is known.
    fn tip(&mut self, block: &Hash32, child: &Hash32) -> Outcome<ProvedTip> {
        let top = self.blocks.last().copied().unwrap_or_default();
        let opening = evidence::opening(self.chain, block, false)?;
        let run = evidence::run(self.chain, child, &top)?;
        Ok(self.judge.tip(&opening, &run)?)
    }

    fn check(&mut self, tip: &ProvedTip, index: usize) -> Outcome<()> {
        let block = self.blocks[index];
        let told = evidence::opening(self.chain, &block, true);
        let told = self.counted(told)?;
        let (header, opening) = Opening::decode(&told)?;
        let child = self.judge.header(header)?;
        let state = self.judge.opening(&child, opening)?;
        self.check_state(&state, index)?;
        self.report.openings += 1;
        let to = self.blocks[(index + RUN).min(self.blocks.len() - 1)];
        let run = evidence::run(self.chain, &block, &to);
        let run = Run::decode(&self.counted(run)?)?;
        let run = self.judge.run(run)?;
        let ends = (run.base().hash(), run.tip().hash());
        ensure(ends == (block, to), || "a run of others".to_owned())?;
        self.report.blocks += 1;
        self.check_payments(&block)?;
        if state.log().is_some_and(|log| log.count() > 0) {
            self.check_place(tip, index, &state)?;
        }
        Ok(())
    }

    fn check_state(&self, state: &ProvedState, index: usize) -> Outcome<()> {
        let held = self.chain.records.chain_state(&self.blocks[index])?;
        let same = (state.block(), state.child()) == (self.blocks[index], self.blocks[index + 1])
            && state.parts().tree_root == held.tree_root
            && state.parts().cumulative_coinbase == held.cumulative_coinbase
            && state.parts().cumulative_fees == held.cumulative_fees
            && state
                .log()
                .is_none_or(|log| log.count() == held.anchor_log.count());
        ensure(same, || "another state was opened".to_owned())
    }

    /// Every payment that the block applied is the one that its scan record carries.
    fn check_payments(&mut self, block: &Hash32) -> Outcome<()> {
        if *block == self.blocks[0] {
            return Ok(());
        }
        let record = self.chain.records.kept_acceptance(block)?;
        for (place, carried) in record.applied.iter().enumerate() {
            let told = payload_evidence::payload(self.chain, block, place);
            let told = PayloadOpening::decode(&self.counted(told)?)?;
            let proved = prove_payload(block, &told)?;
            ensure(proved.txid() == carried.txid, || {
                "another payment was shown".to_owned()
            })?;
            self.report.payments += 1;
        }
        Ok(())
    }

    /// A block up to that of the tip's state is a member of its log, and so the state before it is proved.
    fn check_place(&mut self, tip: &ProvedTip, index: usize, state: &ProvedState) -> Outcome<()> {
        if index + 2 >= self.blocks.len() {
            return Ok(());
        }
        let (block, at) = (self.blocks[index], tip.state().block());
        let path = evidence::membership(self.chain, &block, &at);
        let path = self.counted(path)?;
        let entry = self
            .judge
            .membership(tip.state(), Membership::decode(&path)?)?;
        let header = self.chain.records.header(&block)?;
        let same = entry.entry().block == block
            && entry.entry().parent == self.blocks[index - 1]
            && entry.entry().tree_root == state.parts().tree_root
            && entry.entry().blue_score == header.header.blue_score;
        ensure(same, || "another member was shown".to_owned())?;
        let before = evidence::opening(self.chain, &self.blocks[index - 1], false);
        let before = self.counted(before)?;
        let older = self.judge.older(tip, &path, &before)?;
        let same = older.block() == self.blocks[index - 1];
        ensure(same, || "another older state was shown".to_owned())?;
        self.report.memberships += 1;
        Ok(())
    }

    /// The longest run from genesis that can be served: as far as one goes, or over half as many blocks.
    fn long_run(&mut self) -> Outcome<()> {
        let mut length = (self.blocks.len() - 1).min(svc_codec::limits::MAX_RUN_BLOCKS);
        let told = loop {
            match evidence::run(self.chain, &self.blocks[0], &self.blocks[length]) {
                // No level leaves so few headers that they fit.
                Err(_) if length > 1 => length /= 2,
                told => break told,
            }
        };
        let run = Run::decode(&self.counted(told)?)?;
        let (level, headers) = (run.level, run.links.len());
        let proved = self.judge.run(run)?;
        // It ends at the highest header of its level.
        let mut end = length;
        while self.chain.records.header(&self.blocks[end])?.level < level {
            end -= 1;
        }
        let same = proved.blocks() == end as u64 && proved.tip().hash() == self.blocks[end];
        ensure(same, || format!("a run over {} blocks", proved.blocks()))?;
        self.report.longest_run = (proved.blocks(), headers);
        Ok(())
    }
}
