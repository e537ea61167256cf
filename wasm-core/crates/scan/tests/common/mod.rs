//! Scan records as a node makes them, with notes that can be read.
#![allow(clippy::unwrap_used)]

use orchard::keys::{OutgoingViewingKey, Scope};
use orchard::note::ExtractedNoteCommitment;
use orchard::note_encryption::OrchardDomain;
use orchard::value::ValueCommitment;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::writer::Writer;
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::keys::{full_viewing_key, viewing_key};
use svc_shielded::memo;
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::secret::Secret32;
use zcash_note_encryption::{Domain, NoteEncryption};

/// Hash of every block.
pub const BLOCK: Hash32 = Hash32([0xb1; 32]);
/// Id of every coinbase.
pub const COINBASE: Hash32 = Hash32([0xcb; 32]);

pub fn profile() -> Profile {
    Profile::built_in("simnet").unwrap()
}

pub fn fvk(seed: u8) -> [u8; 96] {
    full_viewing_key(&Secret32::new([seed; 32])).unwrap()
}

/// A field element that is told by a number.
pub fn canonical(tag: u8) -> Hash32 {
    let mut hash = blake2b_plain().update(&[tag]).finalize();
    hash.0[31] &= 0x3f;
    hash
}

/// A minted output as a node records it.
pub fn minted(recipient: [u8; 43], index: u32, value: u64) -> Vec<u8> {
    let source = Source {
        block: BLOCK,
        txid: COINBASE,
        daa_score: 7,
        index,
    };
    let note = coinbase_note::derive(&profile(), &source, &recipient, value).unwrap();
    let mut writer = Writer::new();
    writer.bytes(&recipient).u64(value).hash(&note.cmx);
    writer.into_vec()
}

/// An action that pays `value` with `memo`, as a node records it. Its sender cannot read it back.
pub fn paid(recipient: [u8; 43], value: u64, text: &[u8], tag: u8) -> Vec<u8> {
    sealed_action(None, recipient, value, text, tag)
}

/// An action that pays `value` with `memo`, and that the outgoing viewing key of the full one reads back.
pub fn paid_by(fvk: &[u8; 96], recipient: [u8; 43], value: u64, text: &[u8], tag: u8) -> Vec<u8> {
    let ovk = viewing_key(fvk).unwrap().to_ovk(Scope::External);
    sealed_action(Some(ovk), recipient, value, text, tag)
}

fn sealed_action(
    ovk: Option<OutgoingViewingKey>,
    recipient: [u8; 43],
    value: u64,
    text: &[u8],
    tag: u8,
) -> Vec<u8> {
    let parts = NoteParts {
        recipient,
        value,
        rho: canonical(tag),
        rseed: [tag; 32],
    };
    let note = parts.to_note().unwrap();
    let is_readable = ovk.is_some();
    let encryption = NoteEncryption::<OrchardDomain>::new(ovk, note, memo::pad(text).unwrap());
    // Zeros encode the identity: a value commitment like any other.
    let cv = ValueCommitment::from_bytes(&[0; 32]).unwrap();
    let cmx = ExtractedNoteCommitment::from(note.commitment());
    let copy = match is_readable {
        true => {
            encryption.encrypt_outgoing_plaintext(&cv, &cmx, &mut ChaCha20Rng::from_seed([tag; 32]))
        }
        false => [0; 80],
    };
    let mut writer = Writer::new();
    writer
        .hash(&parts.rho)
        .hash(&commitment(&note))
        .bytes(&OrchardDomain::epk_bytes(encryption.epk()).0);
    writer
        .bytes(&encryption.encrypt_note_plaintext().0)
        .bytes(&copy)
        .bytes(&[0; 32]);
    writer.into_vec()
}

/// A record with one transaction per list of actions.
pub fn record(
    blue_score: u64,
    first_leaf: u64,
    outputs: &[Vec<u8>],
    txs: &[Vec<Vec<u8>>],
) -> Vec<u8> {
    let mut writer = Writer::new();
    writer
        .hash(&BLOCK)
        .u64(blue_score)
        .u64(7)
        .u64(1_700_000_000_000)
        .u64(first_leaf)
        .hash(&COINBASE);
    writer.count_u16(outputs.len());
    writer.bytes(&outputs.concat());
    writer.count_u16(txs.len());
    for (index, actions) in txs.iter().enumerate() {
        writer
            .bytes(&[index as u8; 32])
            .count_u16(actions.len())
            .bytes(&actions.concat());
    }
    writer.into_vec()
}
