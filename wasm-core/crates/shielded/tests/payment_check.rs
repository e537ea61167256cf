//! Checks of a signer before it signs a payment (specification shielded 18), on bundles put together by hand. Real
//! proofs are in `svc-prove`'s tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{array, load};
use orchard::keys::FullViewingKey;
use orchard::note_encryption::OrchardDomain;
use orchard::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Action, Bundle};
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::payment_check::{Disclosed, IntendedPayment, check};
use svc_shielded::secret::Secret32;
use svc_shielded::{keys, memo};
use zcash_note_encryption::{Domain, NoteEncryption};

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
    }
}

/// The code of the refusal of a payment that was spoilt; none when it is taken.
fn refusal(spoil: impl FnOnce(&mut Made)) -> Option<Code> {
    let mut asked = made();
    spoil(&mut asked);
    let fvk = FullViewingKey::from_bytes(&own()).unwrap();
    let intent = (asked.payments.as_slice(), asked.fee);
    let checked = check(&asked.bundle, &asked.disclosure, &fvk, intent);
    checked.err().map(|error| error.code)
}

#[test]
fn the_payment_that_was_asked_for_is_taken() {
    assert_eq!(refusal(|_| {}), None);
}

#[test]
fn another_payment_than_the_one_asked_for_is_refused() {
    let mismatch = Some(Code::ProveIntentMismatch);
    assert_eq!(refusal(|asked| asked.payments[0].value += 1), mismatch);
    assert_eq!(refusal(|asked| asked.payments[0].memo.clear()), mismatch);
    assert_eq!(refusal(|asked| asked.payments.clear()), mismatch);
    let twice = |asked: &mut Made| asked.payments.push(asked.payments[0].clone());
    assert_eq!(refusal(twice), mismatch);
    assert_eq!(refusal(|asked| asked.fee += 1), mismatch);
    let change_to_stranger = |asked: &mut Made| {
        let value = asked.disclosure[1].out_value;
        let (action, disclosed) = action(2, 0, (stranger(), value, b""));
        (asked.bundle.actions[1], asked.disclosure[1]) = (action, disclosed);
    };
    assert_eq!(refusal(change_to_stranger), mismatch);
    let unreadable = |asked: &mut Made| asked.bundle.actions[1].enc_ciphertext[0] ^= 1;
    assert_eq!(refusal(unreadable), mismatch);
}

#[test]
fn what_does_not_open_the_bundle_is_refused() {
    let bad = Some(Code::ProveBadDisclosure);
    // Too few entries, also where those that are left would do.
    assert_eq!(refusal(|asked| asked.disclosure.truncate(1)), bad);
    let more = |asked: &mut Made| asked.disclosure.push(asked.disclosure[1].clone());
    assert_eq!(refusal(more), bad);
    assert_eq!(refusal(|asked| asked.disclosure[0].rcv[0] ^= 1), bad);
    assert_eq!(refusal(|asked| asked.disclosure[0].out_rseed[0] ^= 1), bad);
    for difference in [-1, 1] {
        let balance = |asked: &mut Made| asked.bundle.value_balance += difference;
        assert_eq!(refusal(balance), bad);
    }
}
