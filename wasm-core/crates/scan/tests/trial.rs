//! Trial decryption against upstream's batch decryption, over random and spoilt actions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use orchard::keys::{
    FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope, SpendingKey,
};
use orchard::note_encryption::OrchardDomain;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_scan::record::RecordAction;
use svc_scan::trial::{TrialKey, domain_and_output, find_notes};
use svc_shielded::memo;
use svc_shielded::note::{NoteParts, commitment};
use zcash_note_encryption::{Domain, NoteEncryption, batch};

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
        let spoilers: [fn(&mut RecordAction); 12] = [
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
            let ours = hit
                .as_ref()
                .map(|hit| (commitment(&hit.note), hit.note.value().inner(), hit.key));
            let theirs = expected
                .as_ref()
                .map(|((note, _), key)| (commitment(note), note.value().inner(), *key));
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
