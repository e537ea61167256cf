//! Cached view of virtual, the block that could be built now: its place in the DAG and its accepted mergeset,
//! computed once per change of virtual and shared by templates and transaction checks.

use std::collections::BTreeSet;
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::ghostdag::ghostdag;
use svc_dag::windows::daa_data;

use crate::records::chain::Chain;
use crate::rules::acceptance::{Acceptance, Accepted, MergeContext, accept_mergeset};
use crate::rules::sequencing::{Sequencing, sequence};
use crate::rules::tx_rules::Carrier;
use crate::store::Store;

/// Virtual as a block in the making.
pub struct VirtualView {
    /// Its parents, the sink first.
    pub parents: Vec<Hash32>,
    /// Place in the DAG.
    pub context: MergeContext,
    /// Difficulty bits.
    pub bits: u32,
    /// Past median time, Unix milliseconds.
    pub past_median_ms: u64,
    /// Its accepted mergeset.
    pub acceptance: Acceptance,
    /// Nullifiers that mergeset spends.
    pub claimed: BTreeSet<Hash32>,
    /// Its sequencing commitment.
    pub sequencing: Sequencing,
}

impl VirtualView {
    /// Computes the view. Errors: `template/not-ready` while virtual is not at the position,
    /// `tx/missing-verdict` while a merged transaction is not verified.
    pub fn compute<S: Store>(chain: &Chain<S>) -> Result<Rc<Self>, SvcError> {
        let Chain { rules, records } = chain;
        let record = records.virtual_record()?;
        if records.position()? != record.sink {
            return Err(SvcError::new(Code::TemplateNotReady)
                .with("reason", "the chain is still being judged"));
        }
        let data = ghostdag(records, rules.profile.ghostdag_k, &record.parents)?;
        let daa = daa_data(records, &rules.profile, &rules.genesis_hash, &data)?;
        let bits = rules
            .windows
            .difficulty_bits(records, &rules.profile, &data, &daa)?;
        let past_median_ms =
            rules
                .windows
                .past_median_time(records, &rules.profile, &data, &daa)?;
        let context = MergeContext {
            ghostdag: Rc::new(data),
            daa_score: daa.daa_score,
            daa_excluded: Rc::new(daa.excluded),
        };
        let acceptance = match accept_mergeset(chain, &context)? {
            Accepted::Ready(acceptance) => *acceptance,
            Accepted::NeedVerdicts(jobs) => {
                let txid = jobs.first().map_or(Hash32::ZERO, |job| job.txid);
                return Err(SvcError::new(Code::TxMissingVerdict).with("txid", txid));
            }
        };
        let sequencing = sequence(chain, &context, &acceptance)?;
        let claimed = acceptance.nullifiers.iter().copied().collect();
        let parents = record.parents;
        Ok(Rc::new(Self {
            parents,
            context,
            bits,
            past_median_ms,
            acceptance,
            claimed,
            sequencing,
        }))
    }

    /// Virtual as a carrier of transactions.
    pub fn carrier(&self) -> Carrier {
        Carrier {
            daa_score: self.context.daa_score,
            past_median_ms: self.past_median_ms,
        }
    }
}
