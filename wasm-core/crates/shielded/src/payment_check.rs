//! Payment check before signing: opens a prepared payment with its disclosure and compares it with what the user
//! asked for (specification shielded 18 and 25.13).

use orchard::Note;
use orchard::keys::{FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope};
use orchard::note_encryption::OrchardDomain;
use orchard::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use serde::{Deserialize, Serialize};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use zcash_note_encryption::{Domain, NoteEncryption, try_note_decryption};

use crate::bundle::{Action, Bundle};
use crate::full_output::FullOutput;
use crate::json::{decimal, hex_array, hex_bytes};
use crate::memo;
use crate::note::{NoteParts, commitment};

/// What a prover tells about one action, so that a signer can open its commitments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Disclosed {
    /// Sompi of the spent note; 0 for a dummy.
    #[serde(with = "decimal")]
    pub spend_value: u64,
    /// Sompi of the created note.
    #[serde(with = "decimal")]
    pub out_value: u64,
    /// Raw address of the created note's owner.
    #[serde(with = "hex_array")]
    pub out_recipient: [u8; 43],
    /// Randomness of the created note.
    #[serde(with = "hex_array")]
    pub out_rseed: [u8; 32],
    /// Randomness of the value commitment.
    #[serde(with = "hex_array")]
    pub rcv: [u8; 32],
}

/// One payment as the user confirmed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntendedPayment {
    /// Raw address of the receiver.
    #[serde(with = "hex_array")]
    pub address: [u8; 43],
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Memo without padding.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// Checks that the bundle makes exactly the intended payments, that every other output of value goes to the
/// wallet itself and can be read by it, and that nothing but `fee` sompi leaves the pool.
///
/// Errors: `prove/bad-disclosure` when the disclosure does not open the bundle, `prove/intent-mismatch` when
/// it opens to something else than intended.
pub fn check(
    bundle: &Bundle,
    disclosure: &[Disclosed],
    fvk: &FullViewingKey,
    intent: (&[IntendedPayment], u64),
) -> Result<(), SvcError> {
    let (payments, fee) = intent;
    if disclosure.len() != bundle.actions.len() {
        return Err(bad_disclosure("one entry per action is needed".into()));
    }
    let ivk = fvk.to_ivk(Scope::External);
    let mut unpaid: Vec<&IntendedPayment> = payments.iter().collect();
    for (index, (action, disclosed)) in bundle.actions.iter().zip(disclosure).enumerate() {
        let note = open_action(action, disclosed, index)?;
        match position_paid(&unpaid, action, &note)? {
            Some(paid) => {
                unpaid.swap_remove(paid);
            }
            None => check_other_output(action, &note, &ivk, index)?,
        }
    }
    if !unpaid.is_empty() {
        return Err(mismatch(format!(
            "{} of {} payments are missing",
            unpaid.len(),
            payments.len()
        )));
    }
    check_balance(bundle, disclosure, fee)
}

/// Rebuilds the created note and both commitments of an action.
fn open_action(action: &Action, disclosed: &Disclosed, index: usize) -> Result<Note, SvcError> {
    let parts = NoteParts {
        recipient: disclosed.out_recipient,
        value: disclosed.out_value,
        rho: action.nullifier,
        rseed: disclosed.out_rseed,
    };
    let note = parts
        .to_note()
        .map_err(|error| bad_disclosure(format!("action {index}: {error}")))?;
    if commitment(&note) != action.cmx {
        return Err(bad_disclosure(format!(
            "action {index}: another note commitment"
        )));
    }
    let rcv = ValueCommitTrapdoor::from_bytes(disclosed.rcv)
        .into_option()
        .ok_or_else(|| bad_disclosure(format!("action {index}: rcv is not canonical")))?;
    let net = NoteValue::from_raw(disclosed.spend_value) - NoteValue::from_raw(disclosed.out_value);
    if ValueCommitment::derive(net, rcv).to_bytes() != action.cv_net {
        return Err(bad_disclosure(format!(
            "action {index}: another value commitment"
        )));
    }
    Ok(note)
}

/// Finds a payment that this action makes: same receiver, value and memo, and a ciphertext from which the
/// receiver learns all of that. Encryption is determined by note and memo, so comparing bytes is enough.
fn position_paid(
    unpaid: &[&IntendedPayment],
    action: &Action,
    note: &Note,
) -> Result<Option<usize>, SvcError> {
    for (position, payment) in unpaid.iter().enumerate() {
        let same_note = note.recipient().to_raw_address_bytes() == payment.address
            && note.value().inner() == payment.value;
        if !same_note {
            continue;
        }
        let encryption =
            NoteEncryption::<OrchardDomain>::new(None, *note, memo::pad(&payment.memo)?);
        if OrchardDomain::epk_bytes(encryption.epk()).0 == action.epk
            && encryption.encrypt_note_plaintext().0 == action.enc_ciphertext
        {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// Change must be the wallet's own and readable by it; an output of value 0 harms nobody.
fn check_other_output(
    action: &Action,
    note: &Note,
    ivk: &IncomingViewingKey,
    index: usize,
) -> Result<(), SvcError> {
    if note.value().inner() == 0 {
        return Ok(());
    }
    if ivk.diversifier_index(&note.recipient()).is_none() {
        return Err(mismatch(format!(
            "action {index} pays somebody who was not named"
        )));
    }
    let output = FullOutput::from_action(action)?;
    let domain = OrchardDomain::for_compact_action(&output.compact);
    match try_note_decryption(&domain, &PreparedIncomingViewingKey::new(ivk), &output) {
        Some((read, _, _)) if read == *note => Ok(()),
        _ => Err(mismatch(format!(
            "action {index} returns value that the wallet cannot read"
        ))),
    }
}

fn check_balance(bundle: &Bundle, disclosure: &[Disclosed], fee: u64) -> Result<(), SvcError> {
    let sum = |value: fn(&Disclosed) -> u64| {
        disclosure
            .iter()
            .map(|entry| i128::from(value(entry)))
            .sum::<i128>()
    };
    let left_over = sum(|entry| entry.spend_value) - sum(|entry| entry.out_value);
    if left_over != i128::from(bundle.value_balance) {
        return Err(bad_disclosure(
            "values do not add up to the value balance".into(),
        ));
    }
    if left_over != i128::from(fee) {
        return Err(mismatch(format!("fee is {left_over}, not {fee}")));
    }
    Ok(())
}

fn bad_disclosure(reason: String) -> SvcError {
    SvcError::new(Code::ProveBadDisclosure).with("reason", reason)
}

fn mismatch(reason: String) -> SvcError {
    SvcError::new(Code::ProveIntentMismatch).with("reason", reason)
}
