//! Payment plan parser: the plan as a wallet writes it, balanced, with the change made explicit (formats 3).

use serde::Deserialize;
use serde_json::Value;
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{BundleFormat, wire_len};
use svc_shielded::json::{decimal, hex_array};
use svc_shielded::keys::{FVK_LEN, address_at};
use svc_shielded::note::NoteParts;
use svc_shielded::signing::payment_check::IntendedPayment;

use crate::bundle_request::{BundleRequest, SpendRequest};

/// Payload bytes of a payment that nodes still relay: 500,000 of transient mass at 4 per byte, less the
/// envelope (specification shielded 13.1).
const MAX_PAYLOAD_LEN: usize = 124_744;
/// The address that change goes to (specification shielded 21).
const CHANGE_INDEX: u32 = 0;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlanJson {
    profile: Value,
    #[serde(with = "hex_array")]
    fvk: [u8; FVK_LEN],
    #[serde(with = "decimal")]
    daa_score: u64,
    anchor: Hash32,
    anchor_block: Option<Hash32>,
    spends: Vec<SpendJson>,
    outputs: Vec<IntendedPayment>,
    #[serde(with = "decimal")]
    fee: u64,
    recoverable: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpendJson {
    #[serde(with = "hex_array")]
    recipient: [u8; 43],
    #[serde(with = "decimal")]
    value: u64,
    rho: Hash32,
    #[serde(with = "hex_array")]
    rseed: [u8; 32],
    #[serde(with = "decimal")]
    position: u64,
    #[serde(with = "hex_array")]
    path: [u8; 32 * 32],
}

/// Reads a plan and balances it: what the inputs hold beyond outputs and fee returns to address 0.
///
/// Errors: `prove/bad-plan`, `prove/unbalanced`, those of [`Profile::from_json`], `keys/bad-viewing-key`.
pub fn read_plan(text: &str) -> Result<BundleRequest, SvcError> {
    let plan: PlanJson = serde_json::from_str(text).map_err(|error| bad_plan(error.to_string()))?;
    let profile = Profile::from_json(&plan.profile.to_string())?;
    let is_fork = active(profile.activations.security_fork, plan.daa_score);
    if is_fork && plan.anchor_block.is_none() {
        return Err(bad_plan(
            "anchorBlock is needed from the security fork".into(),
        ));
    }
    let change = change_of(&plan)?;
    let mut outputs = plan.outputs;
    if change > 0 {
        outputs.push(IntendedPayment {
            address: address_at(&plan.fvk, CHANGE_INDEX)?,
            value: change,
            memo: Vec::new(),
        });
    }
    check_size(
        plan.spends.len().max(outputs.len()),
        BundleFormat::for_fork(is_fork),
    )?;
    Ok(BundleRequest {
        personal: *profile.personalisation.sighash.as_bytes(),
        domain: profile.genesis.hash,
        fvk: plan.fvk,
        anchor: plan.anchor,
        anchor_block: plan.anchor_block.filter(|_| is_fork),
        spends: plan
            .spends
            .into_iter()
            .map(to_spend)
            .collect::<Result<_, _>>()?,
        outputs,
        recoverable: plan.recoverable,
    })
}

fn change_of(plan: &PlanJson) -> Result<u64, SvcError> {
    let inputs: u128 = plan
        .spends
        .iter()
        .map(|spend| u128::from(spend.value))
        .sum();
    let outputs: u128 = plan
        .outputs
        .iter()
        .map(|output| u128::from(output.value))
        .sum();
    let unbalanced = || {
        SvcError::new(Code::ProveUnbalanced)
            .with("inputs", inputs)
            .with("outputs", outputs)
            .with("fee", plan.fee)
    };
    let change = inputs
        .checked_sub(outputs + u128::from(plan.fee))
        .ok_or_else(unbalanced)?;
    u64::try_from(change).map_err(|_| unbalanced())
}

fn check_size(actions: usize, format: BundleFormat) -> Result<(), SvcError> {
    let fits = actions <= MAX_PAYLOAD_LEN && wire_len(actions, format) <= MAX_PAYLOAD_LEN;
    if fits {
        Ok(())
    } else {
        Err(bad_plan(format!(
            "{actions} actions do not fit one transaction"
        )))
    }
}

fn to_spend(spend: SpendJson) -> Result<SpendRequest, SvcError> {
    let position = u32::try_from(spend.position)
        .map_err(|_| bad_plan("position is beyond a full tree".into()))?;
    let mut path = [Hash32::ZERO; 32];
    for (sibling, bytes) in path.iter_mut().zip(spend.path.as_chunks::<32>().0) {
        *sibling = Hash32(*bytes);
    }
    let note = NoteParts {
        recipient: spend.recipient,
        value: spend.value,
        rho: spend.rho,
        rseed: spend.rseed,
    };
    Ok(SpendRequest {
        note,
        position,
        path,
    })
}

fn bad_plan(reason: String) -> SvcError {
    SvcError::new(Code::ProveBadPlan).with("reason", reason)
}
