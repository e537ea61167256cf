//! Payment proof: shows somebody without keys whom one output of a payment pays, how much and with which memo
//! (specification shielded 18, proof of payment).

use serde::{Deserialize, Serialize};
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::bundle::Bundle;
use crate::json::{decimal, hex_array, hex_bytes};
use crate::memo;
use crate::signing::disclosed::Disclosed;
use crate::signing::sealed_note::sealed_memo;

/// What a payer publishes about one output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentProof {
    /// Id of the payment.
    pub txid: Hash32,
    /// Index of the paying action.
    pub index: u32,
    /// Raw address of the payee.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Randomness of the note.
    #[serde(with = "hex_array")]
    pub rseed: [u8; 32],
    /// The value commitment's opening: it also shows the value of the spend in that action, so a proof for the public
    /// leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<SpentPart>,
}

/// What opens the value commitment of the action, besides the created value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpentPart {
    /// Sompi of the spent note.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Randomness of the value commitment.
    #[serde(with = "hex_array")]
    pub rcv: [u8; 32],
}

/// What a proof shows. Whether the payment is in the chain is asked of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProvenPayment {
    /// Raw address of the payee.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Memo without its padding, as the payee reads it; empty when there is none.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// Checks a proof against the payment it is about.
///
/// Errors: `signer/other-transaction`, `signer/unknown-action`, `signer/bad-disclosure`, `signer/note-differs`,
/// `signer/value-differs`, `signer/output-unreadable` when the payee cannot read what was paid.
pub fn check_proof(
    proof: &PaymentProof,
    transaction: &Transaction,
    bundle: &Bundle,
) -> Result<ProvenPayment, SvcError> {
    let txid = transaction.id();
    if proof.txid != txid {
        return Err(SvcError::new(Code::SignerOtherTransaction)
            .with("expected", proof.txid)
            .with("found", txid));
    }
    let index = proof.index as usize;
    let action = bundle
        .actions
        .get(index)
        .ok_or_else(|| SvcError::new(Code::SignerUnknownAction).with("index", index))?;
    let disclosed = Disclosed {
        spend_value: proof.spent.as_ref().map_or(0, |spent| spent.value),
        out_value: proof.value,
        out_recipient: proof.recipient,
        out_rseed: proof.rseed,
        rcv: proof.spent.as_ref().map_or([0; 32], |spent| spent.rcv),
    };
    let note = disclosed.open_note(action, index)?;
    if proof.spent.is_some() {
        disclosed.open_value(action, index)?;
    }
    let memo = sealed_memo(action, &note)
        .ok_or_else(|| SvcError::new(Code::SignerOutputUnreadable).with("index", index))?;
    Ok(ProvenPayment {
        recipient: proof.recipient,
        value: proof.value,
        memo: memo::trim(&memo).to_vec(),
    })
}
