//! Transaction validation for the mempool, against virtual (specification shielded 13.3).

use std::rc::Rc;

use serde_json::{Value, json};
use svc_chain::mass::{compute_mass, minimum_fee, serialized_size, transient_mass};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_shielded::bundle::{Bundle, BundleFormat};

use crate::pipeline::event::hex_list;
use crate::pipeline::ingest::VerdictLookup;
use crate::pipeline::virtual_view::VirtualView;
use crate::records::chain::Chain;
use crate::rules::acceptance::judge_spend;
use crate::rules::body_rules::shielded_actions;
use crate::rules::held_transaction::HeldTransaction;
use crate::rules::tx_rules::{check_isolation, payment_in_carrier};
use crate::store::Store;

/// A transaction that could be applied now, its proof aside.
pub struct TxCheck {
    txid: Hash32,
    format: BundleFormat,
    verified: bool,
    fee: u64,
    minimum_fee: u64,
    size: u64,
    compute_mass: u64,
    transient_mass: u64,
    lock_time: u64,
    bundle: Rc<Bundle>,
    anchor_blue_score: Option<u64>,
}

/// Checks a transaction against virtual: isolation, carrier, bundle form, fee sign, anchor, nullifiers.
pub fn check_transaction<S: Store>(
    chain: &Chain<S>,
    view: &VirtualView,
    held: &HeldTransaction,
    is_verified: VerdictLookup<'_>,
) -> Result<TxCheck, SvcError> {
    let rules = &chain.rules;
    let transaction = held.transaction();
    check_isolation(rules, transaction)?;
    let (fee, bundle) = payment_in_carrier(rules, held, view.carrier())?;
    let format = rules.bundle_format(view.context.daa_score);
    let judge = view.context.judge_of_candidates();
    judge_spend(chain, &judge, &view.claimed, &bundle)?;
    let txid = *held.txid();
    let actions = shielded_actions(transaction);
    let anchor_blue_score = match &bundle.anchor_block {
        Some(block) if chain.records.has_header(block)? => {
            Some(chain.records.header(block)?.header.blue_score)
        }
        _ => None,
    };
    Ok(TxCheck {
        txid,
        format,
        verified: is_verified(&txid, format),
        fee,
        minimum_fee: minimum_fee(transaction, actions, &rules.profile.mass_limits),
        size: serialized_size(transaction),
        compute_mass: compute_mass(transaction, actions),
        transient_mass: transient_mass(transaction),
        lock_time: transaction.lock_time,
        bundle,
        anchor_blue_score,
    })
}

impl TxCheck {
    /// The form of docs/formats.md 3.
    pub fn to_json(&self) -> Value {
        json!({
            "txid": self.txid.to_string(),
            "format": self.format.number(),
            "verdict": if self.verified { "known" } else { "needed" },
            "fee": self.fee.to_string(),
            "size": self.size,
            "computeMass": self.compute_mass.to_string(),
            "transientMass": self.transient_mass.to_string(),
            "minimumFee": self.minimum_fee.to_string(),
            "nullifiers": hex_list(&self.bundle.nullifiers()),
            "anchor": self.bundle.anchor.to_string(),
            "anchorBlock": self.bundle.anchor_block.map(|block| block.to_string()),
            "anchorBlueScore": self.anchor_blue_score.map(|score| score.to_string()),
            "lockTime": self.lock_time.to_string(),
        })
    }
}
