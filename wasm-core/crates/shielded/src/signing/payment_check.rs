//! Payment check before signing: opens a prepared payment with its disclosure and compares it with what the user
//! asked for (specification shielded 18 and 25.13).

use orchard::Note;
use orchard::keys::{FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope};
use orchard::note_encryption::OrchardDomain;
use serde::{Deserialize, Serialize};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use zcash_note_encryption::try_note_decryption;

use crate::bundle::{Action, Bundle};
use crate::full_output::FullOutput;
use crate::json::{decimal, hex_array, hex_bytes};
use crate::memo;
use crate::signing::disclosed::Disclosed;
use crate::signing::sealed_note::sealed_memo;
use crate::signing::sender_copy;

/// One payment as the user confirmed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntendedPayment {
    /// Raw address of the receiver.
    #[serde(with = "hex_array")]
    pub address: [u8; 43],
    /// Sompi; 0 for an announcement, which is made for its memo.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Memo without padding.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// All that a payment may do.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The payments: each is made exactly once, and nobody else gets anything.
    pub payments: &'a [IntendedPayment],
    /// Fee in sompi, as the user was told.
    pub fee: u64,
    /// The greatest fee that the user approved, where the fee was named by somebody else.
    pub max_fee: Option<u64>,
    /// Whether the wallet's outgoing viewing key shall read the outputs back. `None` where nobody told, as over an air
    /// gap: the sender's copies are not judged then.
    pub recoverable: Option<bool>,
}

/// Where the value of a payment that was found right goes, in sompi: spent = paid + change + fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Flow {
    /// The spent notes.
    #[serde(with = "decimal")]
    pub spent: u64,
    /// The payments.
    #[serde(with = "decimal")]
    pub paid: u64,
    /// What returns to the wallet.
    #[serde(with = "decimal")]
    pub change: u64,
    /// The fee.
    #[serde(with = "decimal")]
    pub fee: u64,
}

/// The outputs of a bundle that makes all payments.
struct Matched<'a> {
    /// One for each payment.
    made: Vec<Output<'a>>,
    /// Change and dummies.
    rest: Vec<Output<'a>>,
}

/// An output of the bundle, opened.
struct Output<'a> {
    index: usize,
    action: &'a Action,
    note: Note,
}

impl Output<'_> {
    fn pays(&self, address: &[u8; 43]) -> bool {
        self.note.recipient().to_raw_address_bytes() == *address
    }

    fn value(&self) -> u64 {
        self.note.value().inner()
    }

    fn refuse(&self, code: Code) -> SvcError {
        SvcError::new(code).with("index", self.index)
    }
}

/// Checks that the bundle makes exactly the intended payments, that every other output of value goes to the
/// wallet itself and can be read by it, and that nothing but the fee leaves the pool. Returns where the value goes.
///
/// Errors: `signer/action-count`, `signer/bad-disclosure`, `signer/note-differs` and `signer/value-differs` when the
/// disclosure does not open the bundle; `signer/payee-missing`, `signer/amount-differs`, `signer/memo-differs`,
/// `signer/output-unreadable` for a payment that is not made as intended; `signer/extra-payment`,
/// `signer/unnamed-payee`, `signer/change-unreadable` for another output; `signer/output-unrecoverable`,
/// `signer/output-recoverable` for a copy that the sender could not read, or could though nobody asked for that;
/// `signer/balance-differs`, `signer/fee-not-positive`, `signer/fee-differs`, `signer/fee-above-maximum`;
/// `wallet/memo-too-long`.
pub fn check(
    bundle: &Bundle,
    disclosure: &[Disclosed],
    fvk: &FullViewingKey,
    terms: &Terms<'_>,
) -> Result<Flow, SvcError> {
    let outputs = open(bundle, disclosure)?;
    let Matched { made, rest } = match_payments(outputs, terms.payments)?;
    let ivk = fvk.to_ivk(Scope::External);
    for output in &rest {
        check_other_output(output, &ivk, terms.payments)?;
    }
    if let Some(recoverable) = terms.recoverable {
        check_sender_copies(&made, &rest, fvk, recoverable)?;
    }
    let fee = check_balance(bundle, disclosure, terms)?;
    // No sum overflows: what is spent exists, and was committed to with the same values.
    let spent = total(disclosure.iter().map(|entry| entry.spend_value))?;
    let paid = total(terms.payments.iter().map(|payment| payment.value))?;
    let change = total(rest.iter().map(Output::value))?;
    Ok(Flow {
        spent,
        paid,
        change,
        fee,
    })
}

fn open<'a>(bundle: &'a Bundle, disclosure: &[Disclosed]) -> Result<Vec<Output<'a>>, SvcError> {
    if disclosure.len() != bundle.actions.len() {
        return Err(SvcError::new(Code::SignerActionCount)
            .with("expected", bundle.actions.len())
            .with("found", disclosure.len()));
    }
    let pairs = bundle.actions.iter().zip(disclosure).enumerate();
    pairs
        .map(|(index, (action, disclosed))| {
            let note = disclosed.open_note(action, index)?;
            disclosed.open_value(action, index)?;
            Ok(Output {
                index,
                action,
                note,
            })
        })
        .collect()
}

/// Finds the output of each payment: same receiver, value and memo, and a ciphertext from which the receiver
/// learns all of that.
fn match_payments<'a>(
    outputs: Vec<Output<'a>>,
    payments: &[IntendedPayment],
) -> Result<Matched<'a>, SvcError> {
    let mut unpaid = payments
        .iter()
        .enumerate()
        .map(|(position, payment)| Ok((position, payment, memo::pad(&payment.memo)?)))
        .collect::<Result<Vec<_>, SvcError>>()?;
    let (mut made, mut rest) = (Vec::new(), Vec::new());
    for output in outputs {
        let is_candidate = unpaid
            .iter()
            .any(|(_, payment, _)| is_note_of(&output, payment));
        let memo = is_candidate
            .then(|| sealed_memo(output.action, &output.note))
            .flatten();
        let paid = unpaid
            .iter()
            .position(|(_, payment, wanted)| is_note_of(&output, payment) && memo == Some(*wanted));
        match paid {
            Some(paid) => {
                unpaid.remove(paid);
                made.push(output);
            }
            None => rest.push(output),
        }
    }
    match unpaid.first() {
        Some((position, payment, _)) => Err(why_unpaid(*position, payment, &rest)),
        None => Ok(Matched { made, rest }),
    }
}

fn is_note_of(output: &Output<'_>, payment: &IntendedPayment) -> bool {
    output.value() == payment.value && output.pays(&payment.address)
}

/// Says what is nearest to a payment that is not made.
fn why_unpaid(position: usize, payment: &IntendedPayment, rest: &[Output<'_>]) -> SvcError {
    if let Some(output) = rest.iter().find(|output| is_note_of(output, payment)) {
        return match sealed_memo(output.action, &output.note) {
            Some(_) => output.refuse(Code::SignerMemoDiffers),
            None => output.refuse(Code::SignerOutputUnreadable),
        };
    }
    match rest.iter().find(|output| output.pays(&payment.address)) {
        Some(output) => SvcError::new(Code::SignerAmountDiffers)
            .with("index", output.index)
            .with("expected", payment.value)
            .with("found", output.value()),
        None => SvcError::new(Code::SignerPayeeMissing).with("position", position),
    }
}

/// Change must be the wallet's own and readable by it; an output of value 0 to a stranger harms nobody. A payee gets
/// nothing beside its payment, not even an output of value 0: its memo would speak in the payer's name.
fn check_other_output(
    output: &Output<'_>,
    ivk: &IncomingViewingKey,
    payments: &[IntendedPayment],
) -> Result<(), SvcError> {
    let is_own = ivk.diversifier_index(&output.note.recipient()).is_some();
    if !is_own && payments.iter().any(|payment| output.pays(&payment.address)) {
        return Err(output.refuse(Code::SignerExtraPayment));
    }
    if output.value() == 0 {
        return Ok(());
    }
    if !is_own {
        return Err(output.refuse(Code::SignerUnnamedPayee));
    }
    let sealed = FullOutput::from_action(output.action)?;
    let domain = OrchardDomain::for_compact_action(&sealed.compact);
    match try_note_decryption(&domain, &PreparedIncomingViewingKey::new(ivk), &sealed) {
        Some((read, _, _)) if read == output.note => Ok(()),
        _ => Err(output.refuse(Code::SignerChangeUnreadable)),
    }
}

/// Where the sender's history shall be recoverable, the external outgoing viewing key, with which wallets read their history
/// (specification shielded 2.1), reads every payment and the change back. Where it shall not, neither outgoing viewing key
/// reads anything, dummies included: both follow from the full viewing key that the preparer has.
fn check_sender_copies(
    made: &[Output<'_>],
    rest: &[Output<'_>],
    fvk: &FullViewingKey,
    recoverable: bool,
) -> Result<(), SvcError> {
    let external = fvk.to_ovk(Scope::External);
    let internal = fvk.to_ovk(Scope::Internal);
    let reads =
        |output: &Output<'_>, ovk| sender_copy::is_readable(output.action, &output.note, ovk);
    if recoverable {
        let change = rest.iter().filter(|output| output.value() > 0);
        for output in made.iter().chain(change) {
            if !reads(output, &external)? {
                return Err(output.refuse(Code::SignerOutputUnrecoverable));
            }
        }
        return Ok(());
    }
    for output in made.iter().chain(rest) {
        if reads(output, &external)? || reads(output, &internal)? {
            return Err(output.refuse(Code::SignerOutputRecoverable));
        }
    }
    Ok(())
}

/// Compares the value balance with the disclosed values and with the fee, which it returns.
fn check_balance(
    bundle: &Bundle,
    disclosure: &[Disclosed],
    terms: &Terms<'_>,
) -> Result<u64, SvcError> {
    let sum = |value: fn(&Disclosed) -> u64| {
        disclosure
            .iter()
            .map(|entry| i128::from(value(entry)))
            .sum::<i128>()
    };
    let left_over = sum(|entry| entry.spend_value) - sum(|entry| entry.out_value);
    if left_over != i128::from(bundle.value_balance) {
        return Err(SvcError::new(Code::SignerBalanceDiffers)
            .with("expected", left_over)
            .with("found", bundle.value_balance));
    }
    let fee = u64::try_from(bundle.value_balance).unwrap_or(0);
    if fee == 0 {
        return Err(SvcError::new(Code::SignerFeeNotPositive).with("fee", bundle.value_balance));
    }
    if fee != terms.fee {
        return Err(SvcError::new(Code::SignerFeeDiffers)
            .with("expected", terms.fee)
            .with("found", fee));
    }
    match terms.max_fee {
        Some(max) if fee > max => Err(SvcError::new(Code::SignerFeeAboveMaximum)
            .with("fee", fee)
            .with("max", max)),
        _ => Ok(fee),
    }
}

/// Adds values up. Error: `signer/balance-differs` for a sum that no chain holds.
fn total(mut values: impl Iterator<Item = u64>) -> Result<u64, SvcError> {
    values.try_fold(0_u64, u64::checked_add).ok_or_else(|| {
        SvcError::new(Code::SignerBalanceDiffers)
            .with("expected", u64::MAX)
            .with("found", "more")
    })
}
