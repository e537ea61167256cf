//! What an indexer and a third party read in a payment (specification shielded 18 and 20), on the golden bundle.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::bundle_scan::{ReadOutput, scan_bundle};
use svc_shielded::keys;
use svc_shielded::memo;
use svc_shielded::note::NoteParts;
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_proof::{PaymentProof, SpentPart, check_proof};
use svc_shielded::signing::sealed_note::sealed_memo;

use crate::common::{array, bytes, load};

fn golden() -> (Transaction, Bundle) {
    let payload = bytes(&load("shielded-golden-bundle.json")["payload"]);
    let bundle = Bundle::decode(&payload, BundleFormat::Plain).unwrap();
    let transaction = Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: [0; 20],
        gas: 0,
        payload,
        storage_mass: 0,
    };
    (transaction, bundle)
}

fn fvk(byte: u8) -> [u8; 96] {
    keys::full_viewing_key(&Secret32::new([byte; 32])).unwrap()
}

fn read(byte: u8, bundle: &Bundle) -> Vec<ReadOutput> {
    scan_bundle(&keys::incoming_viewing_key(&fvk(byte)).unwrap(), bundle).unwrap()
}

#[test]
fn an_incoming_viewing_key_reads_its_outputs_alone() {
    let vector = load("shielded-golden-bundle.json");
    assert_eq!(array::<32>(&vector["seed"]), [7; 32]);
    let (_, bundle) = golden();
    let outputs = read(7, &bundle);
    assert_eq!(outputs.len(), 1);
    let output = &outputs[0];
    let address = keys::address_at(&fvk(7), 0).unwrap();
    assert_eq!((output.recipient, output.value), (address, 5_000));
    assert_eq!(output.memo, b"golden");
    assert!(read(8, &bundle).is_empty());
    let refused = scan_bundle(&[0xff; 64], &bundle).unwrap_err();
    assert_eq!(refused.code, Code::KeysBadViewingKey);
}

/// An action that is not well formed hides nothing behind it, and a damaged ciphertext is nobody's.
#[test]
fn damaged_actions_are_left_out() {
    let (_, mut bundle) = golden();
    let index = read(7, &bundle)[0].index;
    bundle.actions[1 - index].cmx.0 = [0xff; 32];
    assert_eq!(read(7, &bundle).len(), 1);
    bundle.actions[index].enc_ciphertext[579] ^= 1;
    assert!(read(7, &bundle).is_empty());
}

/// The proof that the sender of the golden bundle could publish. Its rseed is read with the receiver's key.
fn proof(transaction: &Transaction, bundle: &Bundle) -> PaymentProof {
    let read = &read(7, bundle)[0];
    let rseed = received_rseed(bundle, read.index);
    PaymentProof {
        txid: transaction.id(),
        index: u32::try_from(read.index).unwrap(),
        recipient: read.recipient,
        value: read.value,
        rseed,
        spent: None,
    }
}

fn received_rseed(bundle: &Bundle, index: usize) -> [u8; 32] {
    use orchard::keys::{FullViewingKey, PreparedIncomingViewingKey, Scope};
    use orchard::note_encryption::OrchardDomain;
    use svc_shielded::full_output::FullOutput;
    let key = FullViewingKey::from_bytes(&fvk(7)).unwrap();
    let ivk = PreparedIncomingViewingKey::new(&key.to_ivk(Scope::External));
    let output = FullOutput::from_action(&bundle.actions[index]).unwrap();
    let domain = OrchardDomain::for_compact_action(&output.compact);
    let (note, _, _) = zcash_note_encryption::try_note_decryption(&domain, &ivk, &output).unwrap();
    *note.rseed().as_bytes()
}

#[test]
fn a_payment_proof_shows_payee_value_and_memo_without_keys() {
    let (transaction, bundle) = golden();
    let proof = proof(&transaction, &bundle);
    let proven = check_proof(&proof, &transaction, &bundle).unwrap();
    assert_eq!((proven.recipient, proven.value), (proof.recipient, 5_000));
    assert_eq!(proven.memo, b"golden");
}

#[test]
fn a_payment_proof_about_something_else_is_refused() {
    let (transaction, bundle) = golden();
    let refused = |spoil: fn(&mut PaymentProof)| {
        let mut proof = proof(&transaction, &bundle);
        spoil(&mut proof);
        check_proof(&proof, &transaction, &bundle).unwrap_err().code
    };
    assert_eq!(
        refused(|proof| proof.txid.0[0] ^= 1),
        Code::SignerOtherTransaction
    );
    assert_eq!(refused(|proof| proof.index = 2), Code::SignerUnknownAction);
    assert_eq!(
        refused(|proof| proof.index = 1 - proof.index),
        Code::SignerNoteDiffers
    );
    assert_eq!(refused(|proof| proof.value += 1), Code::SignerNoteDiffers);
    assert_eq!(
        refused(|proof| proof.recipient = [0; 43]),
        Code::SignerBadDisclosure
    );
    let spent = |proof: &mut PaymentProof| {
        proof.spent = Some(SpentPart {
            value: 7,
            rcv: [1; 32],
        });
    };
    assert_eq!(refused(spent), Code::SignerValueDiffers);
    let mut damaged = bundle.clone();
    let proof = proof(&transaction, &bundle);
    damaged.actions[proof.index as usize].enc_ciphertext[100] ^= 1;
    let unreadable = check_proof(&proof, &transaction, &damaged).unwrap_err();
    assert_eq!(unreadable.code, Code::SignerOutputUnreadable);
}

#[test]
fn the_memo_of_a_known_note_is_read_from_its_ciphertext() {
    let (transaction, bundle) = golden();
    let proof = proof(&transaction, &bundle);
    let action = &bundle.actions[proof.index as usize];
    let parts = NoteParts {
        recipient: proof.recipient,
        value: proof.value,
        rho: action.nullifier,
        rseed: proof.rseed,
    };
    let note = parts.to_note().unwrap();
    assert_eq!(
        sealed_memo(action, &note),
        Some(memo::pad(b"golden").unwrap())
    );
    for spoil in [0, 51, 52, 563, 579] {
        let mut action = action.clone();
        action.enc_ciphertext[spoil] ^= 1;
        assert_eq!(sealed_memo(&action, &note), None, "byte {spoil}");
    }
}
