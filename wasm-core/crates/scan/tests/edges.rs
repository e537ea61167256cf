//! Trial decryption near the edges of what a note may be: actions that differ from a right one in one place, against upstream's verdict.
#![allow(clippy::unwrap_used)]

use blake2b_simd::Params;
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use orchard::keys::{
    FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope, SpendingKey,
};
use orchard::note_encryption::OrchardDomain;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_kernels::curve::{Affine, Pallas};
use svc_scan::record::RecordAction;
use svc_scan::trial::{TrialKey, domain_and_output, find_notes};
use svc_shielded::memo;
use svc_shielded::note::{NoteParts, commitment};
use svc_tree::note_fields::{diversified_base, ephemeral_secret};
use zcash_note_encryption::{batch, try_note_decryption};

const SEED: u64 = 20_261_130;
/// Actions at the reduced size, and at the full one.
const ACTIONS: (u64, u64) = (3_000, 100_000);
/// Actions that are tried at once.
const BATCH: u64 = 500;

/// In what an action differs from a right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Right,
    LeadByte,
    NegatedSecret,
    NegatedEphemeralKey,
    BothNegated,
    IdentityEphemeralKey,
    ZeroEphemeralSecret,
    TwistEphemeralKey,
    NoncanonicalEphemeralKey,
    OtherEphemeralSecret,
    OtherDiversifier,
    OtherReceiver,
    OtherCommitment,
    OtherSeed,
    OtherValue,
    MemoTag,
    MemoText,
}

const EDGES: [Edge; 17] = [
    Edge::Right,
    Edge::LeadByte,
    Edge::NegatedSecret,
    Edge::NegatedEphemeralKey,
    Edge::BothNegated,
    Edge::IdentityEphemeralKey,
    Edge::ZeroEphemeralSecret,
    Edge::TwistEphemeralKey,
    Edge::NoncanonicalEphemeralKey,
    Edge::OtherEphemeralSecret,
    Edge::OtherDiversifier,
    Edge::OtherReceiver,
    Edge::OtherCommitment,
    Edge::OtherSeed,
    Edge::OtherValue,
    Edge::MemoTag,
    Edge::MemoText,
];

/// The edges at which a note stays readable: its memo is not what a scanner decides by.
const READABLE: [Edge; 3] = [Edge::Right, Edge::MemoTag, Edge::MemoText];

/// Bytes that a seed and a place draw.
struct Drawn {
    seed: u64,
    place: u64,
}

impl Drawn {
    fn bytes(&self, tag: &str) -> [u8; 32] {
        let mut hasher = blake2b_plain();
        hasher.update(tag.as_bytes());
        hasher.update(&self.seed.to_le_bytes());
        hasher.update(&self.place.to_le_bytes());
        hasher.finalize().0
    }

    fn number(&self, tag: &str) -> u64 {
        u64::from_le_bytes(*self.bytes(tag).first_chunk().unwrap())
    }

    fn field(&self, tag: &str) -> Hash32 {
        let mut bytes = self.bytes(tag);
        bytes[31] &= 0x3f;
        Hash32(bytes)
    }
}

fn point(bytes: &[u8]) -> Affine<Pallas> {
    Affine::from_bytes(bytes.try_into().unwrap()).unwrap()
}

/// The other point with the same abscissa.
fn negated(mut encoded: [u8; 32]) -> [u8; 32] {
    encoded[31] ^= 0x80;
    encoded
}

/// An abscissa that is none of the curve.
fn of_twist(drawn: &Drawn) -> [u8; 32] {
    let tried = (0..64).map(|round| drawn.field(&format!("twist {round}")).0);
    let mut outside = tried.filter(|bytes| Affine::<Pallas>::from_bytes(bytes).is_none());
    outside.next().unwrap()
}

fn recipient(key: &IncomingViewingKey, place: u64) -> [u8; 43] {
    key.address_at(place).to_raw_address_bytes()
}

/// Ephemeral key and shared secret of a note that is told for an address.
fn sealing(
    key: &IncomingViewingKey,
    edge: Edge,
    drawn: &Drawn,
    (parts, told): (&NoteParts, &[u8; 43]),
) -> ([u8; 32], [u8; 32]) {
    let secret = match edge {
        Edge::ZeroEphemeralSecret => [0; 4],
        Edge::OtherEphemeralSecret => ephemeral_secret(&parts.rho.0, &drawn.bytes("other")),
        _ => ephemeral_secret(&parts.rho.0, &parts.rseed),
    };
    let base = point(&diversified_base(&told[..11].try_into().unwrap()));
    let receiver = match edge {
        Edge::OtherReceiver => point(&recipient(key, drawn.place + 2)[11..]),
        _ => point(&told[11..]),
    };
    let times = |point: &Affine<Pallas>| point.to_point().mul(&secret).to_affine().to_bytes();
    let (epk, shared) = (times(&base), times(&receiver));
    match edge {
        Edge::NegatedSecret => (epk, negated(shared)),
        Edge::NegatedEphemeralKey => (negated(epk), shared),
        Edge::BothNegated => (negated(epk), negated(shared)),
        Edge::IdentityEphemeralKey => ([0; 32], [0; 32]),
        Edge::TwistEphemeralKey => (of_twist(drawn), shared),
        Edge::NoncanonicalEphemeralKey => ([0xff; 32], shared),
        _ => (epk, shared),
    }
}

/// An action for a key, sealed as its sender would, but for the edge.
fn sealed(key: &IncomingViewingKey, edge: Edge, drawn: &Drawn) -> RecordAction {
    let values = [0, 1, u64::MAX, drawn.number("value")];
    let parts = NoteParts {
        recipient: recipient(key, drawn.place),
        value: values[(drawn.place % 4) as usize],
        rho: drawn.field("rho"),
        rseed: drawn.bytes("rseed"),
    };
    let cmx = commitment(&parts.to_note().unwrap());
    let mut told = parts;
    match edge {
        Edge::OtherDiversifier => told.recipient = recipient(key, drawn.place + 1),
        Edge::OtherValue => told.value ^= 1,
        Edge::OtherSeed => told.rseed = drawn.bytes("another"),
        _ => {}
    }
    let (epk, shared) = sealing(key, edge, drawn, (&parts, &told.recipient));
    let lead = match edge {
        Edge::LeadByte => [0, 1, 3, 0xff][(drawn.place % 4) as usize],
        _ => 2,
    };
    let mut action = RecordAction {
        nullifier: parts.rho,
        cmx,
        epk,
        enc: encrypted(&plaintext(lead, &told), &shared, &epk),
        out: [0; 80],
        cv_net: [0; 32],
    };
    match edge {
        Edge::OtherCommitment => action.cmx = drawn.field("cmx"),
        Edge::MemoTag => action.enc[579] ^= 1,
        Edge::MemoText => action.enc[60] ^= 1,
        _ => {}
    }
    action
}

/// Lead byte, diversifier, value, seed and memo (protocol specification 5.5).
fn plaintext(lead: u8, parts: &NoteParts) -> Vec<u8> {
    let text = memo::pad(b"memo").unwrap();
    let value = parts.value.to_le_bytes();
    [
        &[lead],
        &parts.recipient[..11],
        &value,
        &parts.rseed,
        &text[..],
    ]
    .concat()
}

fn encrypted(plaintext: &[u8], shared: &[u8; 32], epk: &[u8; 32]) -> [u8; 580] {
    let mut params = Params::new();
    params.hash_length(32).personal(b"Zcash_OrchardKDF");
    let key = params.hash(&[*shared, *epk].concat());
    let key: [u8; 32] = key.as_bytes().try_into().unwrap();
    let cipher = ChaCha20Poly1305::new(&key.into());
    let mut sealed = plaintext.to_vec();
    let tag = cipher
        .encrypt_inout_detached(&[0; 12].into(), &[], sealed.as_mut_slice().into())
        .unwrap();
    sealed.extend_from_slice(&tag);
    sealed.try_into().unwrap()
}

fn accounts() -> Vec<IncomingViewingKey> {
    let account = |index: u8| FullViewingKey::from(&SpendingKey::from_bytes([index; 32]).unwrap());
    (1..4)
        .map(account)
        .flat_map(|fvk| [Scope::External, Scope::Internal].map(|scope| fvk.to_ivk(scope)))
        .collect()
}

/// Note found in an action: the place of its key, value, recipient, seed and memo.
type Found = Option<(usize, u64, [u8; 43], [u8; 32], Vec<u8>)>;

fn found_by_upstream(keys: &[IncomingViewingKey], actions: &[RecordAction]) -> Vec<Found> {
    let outputs: Vec<_> = actions
        .iter()
        .map(|action| domain_and_output(action).unwrap())
        .collect();
    let prepared: Vec<_> = keys.iter().map(PreparedIncomingViewingKey::new).collect();
    let found = batch::try_compact_note_decryption(&prepared, &outputs);
    let found = found.into_iter().zip(&outputs);
    found
        .map(|(found, (domain, output))| {
            let ((note, to), key) = found?;
            let domain: &OrchardDomain = domain;
            let text = try_note_decryption(domain, &prepared[key], output)
                .map_or_else(Vec::new, |(_, _, text)| memo::trim(&text).to_vec());
            let (value, seed) = (note.value().inner(), *note.rseed().as_bytes());
            Some((key, value, to.to_raw_address_bytes(), seed, text))
        })
        .collect()
}

fn found_by_us(keys: &[IncomingViewingKey], actions: &[RecordAction]) -> Vec<Found> {
    let keys: Vec<TrialKey> = keys.iter().map(TrialKey::new).collect();
    let borrowed: Vec<&RecordAction> = actions.iter().collect();
    let hits = find_notes(&keys, &borrowed).unwrap().into_iter();
    hits.map(|hit| {
        let hit = hit?;
        let note = &hit.note;
        let text = note.memo.clone();
        Some((hit.key, note.fields.value, note.recipient, note.rseed, text))
    })
    .collect()
}

fn seed() -> u64 {
    let named = std::env::var("SVC_SEED").ok();
    let seed = named.and_then(|text| text.parse().ok()).unwrap_or(SEED);
    println!("SVC_SEED={seed}");
    seed
}

#[test]
fn each_edge_is_judged_as_upstream_judges_it() {
    let is_full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    let count = if is_full { ACTIONS.1 } else { ACTIONS.0 };
    let (seed, keys) = (seed(), accounts());
    let mut read = 0;
    for first in (0..count).step_by(BATCH as usize) {
        let drawn = (first..count.min(first + BATCH)).map(|place| Drawn { seed, place });
        let drawn: Vec<(Edge, Drawn)> = drawn
            .map(|drawn| (EDGES[(drawn.number("edge") % 17) as usize], drawn))
            .collect();
        let actions: Vec<RecordAction> = drawn
            .iter()
            .map(|(edge, drawn)| sealed(&keys[(drawn.number("key") % 6) as usize], *edge, drawn))
            .collect();
        let theirs = found_by_upstream(&keys, &actions);
        let ours = found_by_us(&keys, &actions);
        for (((edge, Drawn { place, .. }), ours), theirs) in drawn.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{edge:?} at {place}");
            assert_eq!(
                ours.is_some(),
                READABLE.contains(edge),
                "{edge:?} at {place}"
            );
            read += u64::from(ours.is_some());
        }
    }
    assert!(read > count / 10, "{read}");
}

#[test]
fn each_edge_alone_is_judged_as_upstream_judges_it() {
    let keys = accounts();
    for edge in EDGES {
        for place in 0..4 {
            let drawn = Drawn { seed: 7, place };
            let actions = [sealed(&keys[0], edge, &drawn)];
            let ours = found_by_us(&keys[..1], &actions);
            assert_eq!(ours, found_by_upstream(&keys[..1], &actions), "{edge:?}");
            assert_eq!(ours[0].is_some(), READABLE.contains(&edge), "{edge:?}");
        }
    }
}
