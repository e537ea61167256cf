//! Checks of a signer before it signs a payment (specification shielded 18), on bundles put together by hand. Real
//! proofs are in `svc-prove`'s tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use orchard::keys::{FullViewingKey, Scope};
use orchard::note::ExtractedNoteCommitment;
use orchard::note_encryption::OrchardDomain;
use orchard::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Action, Bundle};
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::secret::Secret32;
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::payment_check::{Flow, IntendedPayment, Terms, check};
use svc_shielded::{keys, memo};
use zcash_note_encryption::{Domain, NoteEncryption};

use crate::common::{array, load};

const FEE: u64 = 1_000;
const PAID: u64 = 600;
const SPENT: u64 = 100_000;

/// The wallet's viewing key.
fn own() -> [u8; 96] {
    keys::full_viewing_key(&Secret32::new(array(&load("shielded-keys.json")["seed"]))).unwrap()
}

fn stranger() -> [u8; 43] {
    let fvk = keys::full_viewing_key(&Secret32::new([9; 32])).unwrap();
    keys::address_at(&fvk, 0).unwrap()
}

/// An action that creates such a note, and what its prover tells of it.
fn action(number: u8, spend_value: u64, out: ([u8; 43], u64, &[u8])) -> (Action, Disclosed) {
    let (out_recipient, out_value, text) = out;
    let mut rcv = [0; 32];
    rcv[0] = number;
    let disclosed = Disclosed {
        spend_value,
        out_value,
        out_recipient,
        out_rseed: [number; 32],
        rcv,
    };
    let mut nullifier = [0; 32];
    nullifier[0] = number;
    let note = NoteParts {
        recipient: out_recipient,
        value: out_value,
        rho: Hash32(nullifier),
        rseed: disclosed.out_rseed,
    };
    let note = note.to_note().unwrap();
    let net = NoteValue::from_raw(spend_value) - NoteValue::from_raw(out_value);
    let rcv = ValueCommitTrapdoor::from_bytes(rcv).unwrap();
    let padded = memo::pad(text).unwrap();
    let encryption = NoteEncryption::<OrchardDomain>::new(None, note, padded);
    let action = Action {
        nullifier: Hash32(nullifier),
        rk: [0; 32],
        cmx: commitment(&note),
        cv_net: ValueCommitment::derive(net, rcv).to_bytes(),
        epk: OrchardDomain::epk_bytes(encryption.epk()).0,
        enc_ciphertext: encryption.encrypt_note_plaintext().0,
        out_ciphertext: [0; 80],
        signature: [0; 64],
    };
    (action, disclosed)
}

/// A payment of 600 to a stranger, with change.
struct Made {
    bundle: Bundle,
    disclosure: Vec<Disclosed>,
    payments: Vec<IntendedPayment>,
    fee: u64,
    max_fee: Option<u64>,
    recoverable: Option<bool>,
}

fn made() -> Made {
    let change = keys::address_at(&own(), 0).unwrap();
    let actions = [
        action(1, SPENT, (stranger(), PAID, b"for you")),
        action(2, 0, (change, SPENT - PAID - FEE, b"")),
    ];
    let (actions, disclosure) = actions.into_iter().unzip();
    Made {
        bundle: Bundle {
            flags: 3,
            value_balance: i64::try_from(FEE).unwrap(),
            anchor: Hash32::ZERO,
            binding_signature: [0; 64],
            actions,
            proof: Vec::new(),
            anchor_block: None,
        },
        disclosure,
        payments: vec![IntendedPayment {
            address: stranger(),
            value: PAID,
            memo: b"for you".to_vec(),
        }],
        fee: FEE,
        max_fee: None,
        recoverable: None,
    }
}

/// The code of the refusal of a payment that was spoilt; none when it is taken.
fn refusal(spoil: impl FnOnce(&mut Made)) -> Option<Code> {
    flow(spoil).err()
}

fn flow(spoil: impl FnOnce(&mut Made)) -> Result<Flow, Code> {
    let mut asked = made();
    spoil(&mut asked);
    let fvk = FullViewingKey::from_bytes(&own()).unwrap();
    let terms = Terms {
        payments: &asked.payments,
        fee: asked.fee,
        max_fee: asked.max_fee,
        recoverable: asked.recoverable,
    };
    check(&asked.bundle, &asked.disclosure, &fvk, &terms).map_err(|error| error.code)
}

/// Puts another output in the place of the change.
fn instead_of_change(asked: &mut Made, out: ([u8; 43], u64, &[u8])) {
    let (action, disclosed) = action(2, 0, out);
    (asked.bundle.actions[1], asked.disclosure[1]) = (action, disclosed);
}

#[test]
fn the_payment_that_was_asked_for_is_taken() {
    let expected = Flow {
        spent: SPENT,
        paid: PAID,
        change: SPENT - PAID - FEE,
        fee: FEE,
    };
    assert_eq!(flow(|_| {}), Ok(expected));
    assert_eq!(flow(|asked| asked.max_fee = Some(FEE)), Ok(expected));
}

#[test]
fn change_may_go_to_any_own_address() {
    let diversified = keys::address_at(&own(), 7).unwrap();
    let change = (diversified, SPENT - PAID - FEE, b"".as_slice());
    assert_eq!(refusal(|asked| instead_of_change(asked, change)), None);
}

/// A payment to oneself looks like change and is told from it by its value and memo.
#[test]
fn a_payment_to_oneself_is_taken() {
    let to_self = |asked: &mut Made| {
        asked.payments[0].address = keys::address_at(&own(), 0).unwrap();
        let (action, disclosed) = action(1, SPENT, (asked.payments[0].address, PAID, b"for you"));
        (asked.bundle.actions[0], asked.disclosure[0]) = (action, disclosed);
    };
    assert_eq!(refusal(to_self), None);
}

#[test]
fn an_announcement_of_value_0_is_made_for_its_memo() {
    let announce = |asked: &mut Made, sealed: &[u8]| {
        asked.payments[0].value = 0;
        let (first, disclosed) = action(1, SPENT, (stranger(), 0, sealed));
        (asked.bundle.actions[0], asked.disclosure[0]) = (first, disclosed);
        let change = keys::address_at(&own(), 0).unwrap();
        instead_of_change(asked, (change, SPENT - FEE, b""));
    };
    assert_eq!(refusal(|asked| announce(asked, b"for you")), None);
    let other = refusal(|asked| announce(asked, b"for them"));
    assert_eq!(other, Some(Code::SignerMemoDiffers));
}

#[test]
fn another_payment_than_the_one_asked_for_is_refused() {
    let amount = refusal(|asked| asked.payments[0].value += 1);
    assert_eq!(amount, Some(Code::SignerAmountDiffers));
    let memo = refusal(|asked| asked.payments[0].memo.clear());
    assert_eq!(memo, Some(Code::SignerMemoDiffers));
    let unreadable = refusal(|asked| asked.bundle.actions[0].enc_ciphertext[579] ^= 1);
    assert_eq!(unreadable, Some(Code::SignerOutputUnreadable));
    let unnamed = refusal(|asked| asked.payments.clear());
    assert_eq!(unnamed, Some(Code::SignerUnnamedPayee));
    let twice = refusal(|asked| asked.payments.push(asked.payments[0].clone()));
    assert_eq!(twice, Some(Code::SignerPayeeMissing));
    let long = refusal(|asked| asked.payments[0].memo = vec![1; 513]);
    assert_eq!(long, Some(Code::WalletMemoTooLong));
}

#[test]
fn change_that_does_not_come_back_is_refused() {
    let change = SPENT - PAID - FEE;
    let other = keys::address_at(&keys::full_viewing_key(&Secret32::new([8; 32])).unwrap(), 0);
    let to_other = refusal(|asked| instead_of_change(asked, (other.unwrap(), change, b"")));
    assert_eq!(to_other, Some(Code::SignerUnnamedPayee));
    for value in [change, PAID, 0] {
        let more = refusal(|asked| instead_of_change(asked, (stranger(), value, b"for you")));
        assert_eq!(more, Some(Code::SignerExtraPayment), "{value}");
    }
    let unreadable = refusal(|asked| asked.bundle.actions[1].enc_ciphertext[0] ^= 1);
    assert_eq!(unreadable, Some(Code::SignerChangeUnreadable));
}

#[test]
fn what_does_not_open_the_bundle_is_refused() {
    // Too few entries, also where those that are left would do.
    let few = refusal(|asked| asked.disclosure.truncate(1));
    assert_eq!(few, Some(Code::SignerActionCount));
    let more = refusal(|asked| asked.disclosure.push(asked.disclosure[1].clone()));
    assert_eq!(more, Some(Code::SignerActionCount));
    let rcv = refusal(|asked| asked.disclosure[0].rcv[0] ^= 1);
    assert_eq!(rcv, Some(Code::SignerValueDiffers));
    let rseed = refusal(|asked| asked.disclosure[0].out_rseed[0] ^= 1);
    assert_eq!(rseed, Some(Code::SignerNoteDiffers));
    let recipient = refusal(|asked| asked.disclosure[0].out_recipient = [0; 43]);
    assert_eq!(recipient, Some(Code::SignerBadDisclosure));
}

#[test]
fn the_fee_is_the_one_that_was_approved() {
    for difference in [-1, 1, -(i64::try_from(FEE).unwrap()), i64::MIN / 2] {
        let balance = refusal(|asked| asked.bundle.value_balance += difference);
        assert_eq!(balance, Some(Code::SignerBalanceDiffers));
    }
    for fee in [FEE - 1, FEE + 1] {
        let differs = refusal(|asked| asked.fee = fee);
        assert_eq!(differs, Some(Code::SignerFeeDiffers));
    }
    let above = refusal(|asked| asked.max_fee = Some(FEE - 1));
    assert_eq!(above, Some(Code::SignerFeeAboveMaximum));
    let change = keys::address_at(&own(), 0).unwrap();
    for surplus in [0, 5] {
        let none = refusal(|asked| {
            instead_of_change(asked, (change, SPENT - PAID + surplus, b""));
            asked.bundle.value_balance = -i64::try_from(surplus).unwrap();
            asked.fee = 0;
        });
        assert_eq!(none, Some(Code::SignerFeeNotPositive));
    }
}

/// Seals the sender's copies for the wallet's outgoing viewing key.
fn seal_copies(asked: &mut Made) {
    seal_for(asked, Scope::External);
}

fn seal_for(asked: &mut Made, scope: Scope) {
    let fvk = FullViewingKey::from_bytes(&own()).unwrap();
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let pairs = asked.bundle.actions.iter_mut().zip(&asked.disclosure);
    for (action, disclosed) in pairs {
        let note = disclosed.open_note(action, 0).unwrap();
        let ovk = Some(fvk.to_ovk(scope));
        let sealer = NoteEncryption::<OrchardDomain>::new(ovk, note, [0; 512]);
        let cv = ValueCommitment::from_bytes(&action.cv_net).unwrap();
        let cmx = ExtractedNoteCommitment::from_bytes(action.cmx.as_bytes()).unwrap();
        action.out_ciphertext = sealer.encrypt_outgoing_plaintext(&cv, &cmx, &mut rng);
    }
}

#[test]
fn the_senders_copies_are_as_the_owner_set_the_history() {
    let asked_for = |asked: &mut Made| {
        seal_copies(asked);
        asked.recoverable = Some(true);
    };
    assert_eq!(refusal(asked_for), None);
    assert_eq!(refusal(|asked| asked.recoverable = Some(false)), None);
    // Nobody told: they are not judged.
    assert_eq!(refusal(seal_copies), None);
    let lacking = refusal(|asked| asked.recoverable = Some(true));
    assert_eq!(lacking, Some(Code::SignerOutputUnrecoverable));
    for index in [0, 1] {
        let damaged = refusal(|asked| {
            asked_for(asked);
            asked.bundle.actions[index].out_ciphertext[5] ^= 1;
        });
        assert_eq!(damaged, Some(Code::SignerOutputUnrecoverable), "{index}");
    }
    let unasked = refusal(|asked| {
        seal_copies(asked);
        asked.recoverable = Some(false);
    });
    assert_eq!(unasked, Some(Code::SignerOutputRecoverable));
}

/// The same viewing key has a second one, which no wallet attaches and which a preparer can derive.
#[test]
fn copies_for_the_internal_outgoing_viewing_key_are_copies_that_nobody_asked_for() {
    let internal = |recoverable: Option<bool>| {
        refusal(|asked| {
            seal_for(asked, Scope::Internal);
            asked.recoverable = recoverable;
        })
    };
    assert_eq!(internal(Some(false)), Some(Code::SignerOutputRecoverable));
    // A wallet reads its history with the external one.
    assert_eq!(internal(Some(true)), Some(Code::SignerOutputUnrecoverable));
    assert_eq!(internal(None), None);
}
