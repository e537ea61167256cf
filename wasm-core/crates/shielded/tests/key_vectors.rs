//! Keys, addresses and messages against the vectors of specification shielded 22.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_codec::code::Code;
use svc_shielded::keys;
use svc_shielded::keys::address;
use svc_shielded::message;
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::secret::Secret32;

use crate::common::{array, hash, list, load, number, personal, small, text};

fn vector_seed() -> Secret32 {
    Secret32::new(array(&load("shielded-keys.json")["seed"]))
}

#[test]
fn every_key_follows_from_the_seed() {
    let vector = load("shielded-keys.json");
    let fvk = keys::full_viewing_key(&vector_seed()).unwrap();
    assert_eq!(fvk, array::<96>(&vector["fvk"]));
    assert_eq!(
        keys::incoming_viewing_key(&fvk).unwrap(),
        array::<64>(&vector["ivk"])
    );
    assert_eq!(
        keys::outgoing_viewing_key(&fvk).unwrap(),
        array::<32>(&vector["ovk"])
    );
    assert_eq!(
        keys::address_at(&fvk, 0).unwrap(),
        array::<43>(&vector["address0"])
    );
    assert_ne!(
        keys::address_at(&fvk, 1).unwrap(),
        keys::address_at(&fvk, 0).unwrap()
    );
}

#[test]
fn incoming_keys_derive_the_addresses_of_full_ones() {
    let vector = load("incoming-addresses.json");
    assert_eq!(list(&vector["cases"]).len(), 2);
    for case in list(&vector["cases"]) {
        let fvk = array(&case["fvk"]);
        let ivk = array(&case["ivk"]);
        assert_eq!(keys::incoming_viewing_key(&fvk).unwrap(), ivk);
        for address in list(&case["addresses"]) {
            let index = u32::try_from(small(&address["index"])).unwrap();
            let raw = array::<43>(&address["raw"]);
            assert_eq!(keys::address_at(&fvk, index).unwrap(), raw, "{index}");
            let run = keys::incoming::addresses(&ivk, index, 1).unwrap();
            assert_eq!(run, [raw], "{index}");
        }
    }
}

#[test]
fn note_commitment_and_nullifier() {
    let vector = load("shielded-keys.json");
    let facts = &vector["note"];
    let parts = NoteParts {
        recipient: array(&vector["address0"]),
        value: number(&facts["value"]),
        rho: hash(&facts["rho"]),
        rseed: array(&facts["rseed"]),
    };
    let note = parts.to_note().unwrap();
    assert_eq!(commitment(&note), hash(&facts["cmx"]));
    let fvk = keys::viewing_key(&array(&vector["fvk"])).unwrap();
    assert_eq!(
        note.nullifier(&fvk).to_bytes(),
        array::<32>(&facts["nullifier"])
    );
}

#[test]
fn foreign_keys_are_refused_with_a_code() {
    assert_eq!(
        keys::viewing_key(&[0xff; 96]).unwrap_err().code,
        Code::KeysBadViewingKey
    );
    assert_eq!(
        keys::viewing_key(&[0; 96]).unwrap_err().code,
        Code::KeysBadViewingKey
    );
    assert!(Secret32::from_slice(&[7; 31]).is_none());
    assert_eq!(format!("{:?}", vector_seed()), "Secret32(..)");
}

#[test]
fn generated_seeds_are_valid_and_differ() {
    let (first, second) = (keys::generate().unwrap(), keys::generate().unwrap());
    assert_ne!(first.expose(), second.expose());
    keys::full_viewing_key(&first).unwrap();
}

#[test]
fn addresses_round_trip() {
    for case in list(&load("shielded-addresses.json")["valid"]) {
        let raw = array::<43>(&case["raw"]);
        assert_eq!(
            address::encode(text(&case["hrp"]), &raw),
            text(&case["text"])
        );
        assert_eq!(
            address::decode(text(&case["hrp"]), text(&case["text"])).unwrap(),
            raw
        );
        assert!(address::is_valid_recipient(&raw));
    }
    assert!(!address::is_valid_recipient(&[0; 43]));
    assert!(!address::is_valid_recipient(&[0; 42]));
}

#[test]
fn each_address_error_has_its_own_code() {
    let invalid = &load("shielded-addresses.json")["invalid"];
    for case in list(&invalid["cases"]) {
        let error = address::decode(text(&invalid["hrp"]), text(&case["text"])).unwrap_err();
        assert_eq!(error.code.as_str(), text(&case["code"]), "{}", case["why"]);
    }
}

#[test]
fn one_wrong_character_is_always_found() {
    let vectors = load("shielded-addresses.json");
    let right = text(&vectors["valid"][0]["text"]);
    for position in 4..right.len() {
        let mut wrong = right.as_bytes().to_vec();
        wrong[position] = if wrong[position] == b'q' { b'p' } else { b'q' };
        let error = address::decode("svc", core::str::from_utf8(&wrong).unwrap()).unwrap_err();
        assert_eq!(error.code, Code::AddressBadChecksum, "position {position}");
    }
}

#[test]
fn message_digests() {
    let vector = load("shielded-message.json");
    for case in list(&vector["cases"]) {
        let words = if case["message"].is_string() {
            text(&case["message"])
        } else {
            text(&vector["message"])
        };
        let found = message::digest(
            &personal(&case["personal"]),
            text(&vector["tag"]),
            &array(&vector["address"]),
            words,
        );
        assert_eq!(found, hash(&case["digest"]), "{words}");
    }
}

#[test]
fn a_signed_message_verifies_for_every_address_of_the_wallet_only() {
    let seed = vector_seed();
    let fvk = keys::full_viewing_key(&seed).unwrap();
    let tag = *b"test_message_tag";
    for index in [0, 1, 1_000_000] {
        let owner = keys::address_at(&fvk, index).unwrap();
        let digest = message::digest(&tag, "svc", &owner, "hello");
        let blob = message::sign(&seed, &digest).unwrap();
        message::verify(&owner, &digest, &blob).unwrap();
        check_refusals(&owner, &digest.0.into(), &blob);
    }
}

fn check_refusals(owner: &[u8; 43], digest: &svc_codec::hash32::Hash32, blob: &[u8]) {
    let other = message::digest(b"test_message_tag", "svc", owner, "hellO");
    assert_eq!(
        message::verify(owner, &other, blob).unwrap_err().code,
        Code::KeysBadSignature
    );
    let stranger = keys::full_viewing_key(&Secret32::new([7; 32])).unwrap();
    let stranger = keys::address_at(&stranger, 0).unwrap();
    assert_eq!(
        message::verify(&stranger, digest, blob).unwrap_err().code,
        Code::KeysAddressMismatch
    );
    assert_eq!(
        message::verify(owner, digest, &blob[1..]).unwrap_err().code,
        Code::CodecWrongLength
    );
    let mut spoilt = blob.to_vec();
    spoilt[..96].fill(0xff);
    assert_eq!(
        message::verify(owner, digest, &spoilt).unwrap_err().code,
        Code::KeysBadViewingKey
    );
    spoilt.copy_from_slice(blob);
    spoilt[159] ^= 1;
    assert_eq!(
        message::verify(owner, digest, &spoilt).unwrap_err().code,
        Code::KeysBadSignature
    );
}
