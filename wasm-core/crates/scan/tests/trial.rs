//! Trial decryption against upstream's batch decryption, over random and spoilt actions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use orchard::Note;
use orchard::keys::{
    FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope, SpendingKey,
};
use orchard::note_encryption::OrchardDomain;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_kernels::curve::abscissas::Abscissas;
use svc_kernels::curve::ladder::Digits;
use svc_kernels::curve::{Affine, Pallas};
use svc_scan::received_note::ReceivedNote;
use svc_scan::record::RecordAction;
use svc_scan::trial::{TrialKey, domain_and_output, find_notes};
use svc_shielded::memo;
use svc_shielded::note::{NoteParts, commitment};
use svc_tree::note_commitment::commit;
use zcash_note_encryption::{
    Domain, NoteEncryption, batch, try_compact_note_decryption, try_note_decryption,
};

fn random(tag: &str, index: u64) -> [u8; 32] {
    blake2b_plain()
        .update(tag.as_bytes())
        .update(&index.to_le_bytes())
        .finalize()
        .0
}

fn canonical(tag: &str, index: u64) -> Hash32 {
    let mut bytes = random(tag, index);
    bytes[31] &= 0x3f;
    Hash32(bytes)
}

/// Both scopes of three accounts.
fn accounts() -> Vec<IncomingViewingKey> {
    let account =
        |index| FullViewingKey::from(&SpendingKey::from_bytes(random("account", index)).unwrap());
    (0..3)
        .map(account)
        .flat_map(|fvk| [Scope::External, Scope::Internal].map(|scope| fvk.to_ivk(scope)))
        .collect()
}

fn paid(recipient: [u8; 43], index: u64) -> RecordAction {
    let parts = NoteParts {
        recipient,
        value: index,
        rho: canonical("rho", index),
        rseed: random("rseed", index),
    };
    let note = parts.to_note().unwrap();
    let text = memo::pad(b"memo").unwrap();
    let encryption = NoteEncryption::<OrchardDomain>::new(None, note, text);
    RecordAction {
        nullifier: parts.rho,
        cmx: commitment(&note),
        epk: OrchardDomain::epk_bytes(encryption.epk()).0,
        enc: encryption.encrypt_note_plaintext().0,
        out: [0; 80],
        cv_net: [0; 32],
    }
}

/// An action that nobody reads, with an ephemeral key that is a point.
fn foreign(epk: [u8; 32], index: u64) -> RecordAction {
    let mut enc = [0; 580];
    for (part, chunk) in enc.chunks_mut(32).enumerate() {
        chunk.copy_from_slice(&random("cipher", 100 * index + part as u64)[..chunk.len()]);
    }
    let (nullifier, cmx) = (canonical("nullifier", index), canonical("cmx", index));
    RecordAction {
        nullifier,
        cmx,
        epk,
        enc,
        out: [0; 80],
        cv_net: [0; 32],
    }
}

/// Notes of every key, foreign notes, and every way to spoil one.
fn actions(keys: &[IncomingViewingKey]) -> Vec<RecordAction> {
    let mut actions = Vec::new();
    let mut next = 0;
    let mut paid_to = |key: usize| {
        next += 1;
        paid(keys[key].address_at(next).to_raw_address_bytes(), next)
    };
    for round in 0..40 {
        let own = paid_to(round % keys.len());
        let epk = own.epk;
        actions.push(own.clone());
        actions.extend((0..12).map(|index| foreign(epk, 12 * round as u64 + index)));
        let spoilers: [fn(&mut RecordAction); 13] = [
            |action| action.epk = SMALL_ORDER,
            |action| action.enc[0] ^= 1,
            |action| action.enc[1] ^= 1,
            |action| action.enc[13] ^= 1,
            |action| action.enc[51] ^= 1,
            |action| action.enc[52] ^= 1,
            |action| action.enc[579] ^= 1,
            |action| action.cmx.0[0] ^= 1,
            |action| action.nullifier.0[0] ^= 1,
            |action| action.epk[31] ^= 0x80,
            |action| action.epk = [0; 32],
            |action| action.epk = [0xff; 32],
            |action| action.epk[3] ^= 4,
        ];
        let mut spoilt = own;
        spoilers[round % spoilers.len()](&mut spoilt);
        actions.push(spoilt);
    }
    actions
}

/// Everything that a wallet is told of a note.
type Facts = ([u8; 43], u64, [u8; 32], [u8; 32], Hash32, Vec<u8>);

fn facts(note: &ReceivedNote) -> Facts {
    (
        note.recipient,
        note.fields.value,
        note.fields.rho,
        note.rseed,
        commit(&[note.fields])[0],
        note.memo.clone(),
    )
}

fn facts_of_upstream(note: &Note, memo: Vec<u8>) -> Facts {
    (
        note.recipient().to_raw_address_bytes(),
        note.value().inner(),
        note.rho().to_bytes(),
        *note.rseed().as_bytes(),
        commitment(note),
        memo,
    )
}

/// The abscissa of a point of order three on the twist of Pallas, worked out apart from this code: with it points meet.
const SMALL_ORDER: [u8; 32] = [
    0x30, 0x79, 0x1f, 0x3c, 0x9b, 0x64, 0x47, 0xba, 0xc4, 0x65, 0xc9, 0x4d, 0x4a, 0xfb, 0x16, 0xf5,
    0xbe, 0xe1, 0xb6, 0x7a, 0xf7, 0xbf, 0xba, 0x39, 0xd5, 0x44, 0xac, 0xa4, 0xbf, 0x87, 0x8e, 0x0f,
];

#[test]
fn ephemeral_keys_of_small_order_hide_nothing() {
    let keys = accounts();
    let trial: Vec<_> = keys.iter().map(TrialKey::new).collect();
    let mut actions: Vec<RecordAction> = (0u32..3)
        .map(|index| {
            paid(
                keys[1].address_at(index).to_raw_address_bytes(),
                u64::from(index),
            )
        })
        .collect();
    actions.insert(1, foreign(SMALL_ORDER, 1));
    let borrowed: Vec<&RecordAction> = actions.iter().collect();
    let encodings: Vec<[u8; 32]> = actions.iter().map(|action| action.epk).collect();
    let digits = Digits::new(&[3, 0, 0, 0]).unwrap();
    let quick = Abscissas::without_roots(&encodings);
    assert!(quick.have_met() && quick.times(&digits).is_err());
    // Keys still share their inversions, over the points that are left.
    assert!(Abscissas::of_points(&encodings).scalars_at_once() > keys.len());
    let found = find_notes(&trial, &borrowed).unwrap();
    let owners: Vec<Option<usize>> = found
        .iter()
        .map(|hit| hit.as_ref().map(|hit| hit.key))
        .collect();
    assert_eq!(owners, [Some(1), None, Some(1), Some(1)]);
}

/// The same of order 8191: its multiples differ for a while, so that points meet in the ladder and not in the tables.
const LARGER_ORDER: [u8; 32] = [
    0xf2, 0xb0, 0x31, 0xc7, 0xd9, 0x29, 0x84, 0x69, 0x43, 0x69, 0x08, 0xa5, 0x0e, 0x32, 0xe0, 0x99,
    0x77, 0x26, 0x43, 0x86, 0x3d, 0x67, 0x80, 0x52, 0x37, 0x07, 0xaf, 0x00, 0x76, 0x56, 0x04, 0x26,
];

/// A scalar whose ladder comes to a multiple of 8191 soon.
fn meeting_digits() -> Digits {
    let found = (1u64..).find_map(|word| {
        let digits = Digits::new(&[word, 0, 0, 0])?;
        let points = Abscissas::without_roots(&[LARGER_ORDER]);
        points.times(&digits).is_err().then_some(digits)
    });
    found.unwrap()
}

#[test]
fn keys_that_are_tried_together_miss_nothing_where_points_meet_in_the_ladder() {
    let keys = accounts();
    let trial: Vec<_> = keys.iter().map(TrialKey::new).collect();
    let own = |key: usize| paid(keys[key].address_at(9u32).to_raw_address_bytes(), 9);
    let actions = [own(0), foreign(LARGER_ORDER, 1), own(4)];
    let encodings = actions.each_ref().map(|action| action.epk);
    let points = Abscissas::without_roots(&encodings);
    assert!(!points.have_met() && points.scalars_at_once() > keys.len());
    let good = Digits::new(&[3, 0, 0, 0]).unwrap();
    let bad = meeting_digits();
    assert!(points.times_together(&[&good, &bad]).is_err());
    let sorted = Abscissas::of_points(&encodings);
    assert!(sorted.times_together(&[&good, &bad]).is_ok());
    let borrowed: Vec<&RecordAction> = actions.iter().collect();
    let found = find_notes(&trial, &borrowed).unwrap();
    let owners: Vec<Option<usize>> = found
        .iter()
        .map(|hit| hit.as_ref().map(|hit| hit.key))
        .collect();
    assert_eq!(owners, [Some(0), None, Some(4)]);
}

#[test]
fn a_note_under_another_ephemeral_key_is_no_note() {
    let keys = accounts();
    let trial = [TrialKey::new(&keys[0])];
    let own = paid(keys[0].address_at(1u32).to_raw_address_bytes(), 7);
    // The same note, encrypted to its owner with a secret that does not follow from it.
    let parts = NoteParts {
        recipient: keys[0].address_at(1u32).to_raw_address_bytes(),
        value: 7,
        rho: canonical("rho", 7),
        rseed: random("rseed", 7),
    };
    let other = paid(keys[0].address_at(1u32).to_raw_address_bytes(), 8);
    let key = symmetric_key(&keys[0], &other.epk);
    let mut forged = own.clone();
    forged.epk = other.epk;
    let mut plaintext = [0; 52];
    plaintext[0] = 2;
    plaintext[1..12].copy_from_slice(&parts.recipient[..11]);
    plaintext[12..20].copy_from_slice(&parts.value.to_le_bytes());
    plaintext[20..].copy_from_slice(&parts.rseed);
    let mut stream = ChaCha20::new(&key.into(), &[0; 12].into());
    stream.seek(64u64);
    stream.apply_keystream(&mut plaintext);
    forged.enc[..52].copy_from_slice(&plaintext);
    let found = find_notes(&trial, &[&own, &forged]).unwrap();
    assert!(found[0].is_some() && found[1].is_none());
    let (domain, output) = domain_and_output(&forged).unwrap();
    let prepared = PreparedIncomingViewingKey::new(&keys[0]);
    assert!(try_compact_note_decryption(&domain, &prepared, &output).is_none());
}

/// What the owner of an incoming viewing key derives from an ephemeral key.
fn symmetric_key(ivk: &IncomingViewingKey, epk: &[u8; 32]) -> [u8; 32] {
    let mut scalar = [0; 32];
    scalar.copy_from_slice(&ivk.to_bytes()[32..]);
    let words = core::array::from_fn(|word| {
        u64::from_le_bytes(core::array::from_fn(|byte| scalar[8 * word + byte]))
    });
    let point = Affine::<Pallas>::from_bytes(epk).unwrap();
    let secret = point.to_point().mul(&words).to_affine().to_bytes();
    let mut params = blake2b_simd::Params::new();
    params.hash_length(32).personal(b"Zcash_OrchardKDF");
    let hash = params.hash(&[secret, *epk].concat());
    hash.as_bytes().try_into().unwrap()
}

#[test]
fn hits_are_those_of_upstream() {
    let keys = accounts();
    let actions = actions(&keys);
    let borrowed: Vec<&RecordAction> = actions.iter().collect();
    let outputs: Vec<_> = actions
        .iter()
        .map(|action| domain_and_output(action).unwrap())
        .collect();
    let mut found = 0;
    for range in [0..6, 0..1, 3..5, 5..6] {
        let prepared: Vec<_> = keys[range.clone()]
            .iter()
            .map(PreparedIncomingViewingKey::new)
            .collect();
        let trial: Vec<_> = keys[range].iter().map(TrialKey::new).collect();
        let expected = batch::try_compact_note_decryption(&prepared, &outputs);
        let hits = find_notes(&trial, &borrowed).unwrap();
        assert_eq!(hits.len(), expected.len());
        for (index, (hit, expected)) in hits.iter().zip(&expected).enumerate() {
            let ours = hit.as_ref().map(|hit| (facts(&hit.note), hit.key));
            let theirs = expected.as_ref().map(|((note, _), key)| {
                let (domain, output) = &outputs[index];
                let memo = try_note_decryption(domain, &prepared[*key], output)
                    .map_or_else(Vec::new, |(_, _, memo)| memo::trim(&memo).to_vec());
                (facts_of_upstream(note, memo), *key)
            });
            assert_eq!(ours, theirs, "action {index}");
            found += usize::from(ours.is_some());
        }
    }
    assert!(found > 60, "{found}");
    assert!(
        find_notes(&[], &borrowed)
            .unwrap()
            .iter()
            .all(Option::is_none)
    );
    assert!(
        find_notes(&[TrialKey::new(&keys[0])], &[])
            .unwrap()
            .is_empty()
    );
}

#[test]
fn one_action_alone_is_read_as_well() {
    let keys = accounts();
    for (index, key) in keys.iter().enumerate() {
        let action = paid(
            key.address_at(9u32).to_raw_address_bytes(),
            1_000 + index as u64,
        );
        let trial: Vec<_> = keys.iter().map(TrialKey::new).collect();
        let hits = find_notes(&trial, &[&action]).unwrap();
        assert_eq!(hits[0].as_ref().map(|hit| hit.key), Some(index));
    }
}

#[test]
fn fields_that_are_not_canonical_are_refused() {
    let keys = accounts();
    let trial = [TrialKey::new(&keys[0])];
    let good = paid(keys[0].address_at(0u32).to_raw_address_bytes(), 5);
    let spoilers: [fn(&mut RecordAction); 2] = [
        |action| action.nullifier = Hash32([0xff; 32]),
        |action| action.cmx = Hash32([0xff; 32]),
    ];
    for spoil in spoilers {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert_eq!(
            find_notes(&trial, &[&good, &bad]).err().unwrap().code,
            Code::ShieldedBadField
        );
    }
}
