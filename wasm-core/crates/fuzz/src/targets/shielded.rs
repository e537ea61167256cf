//! Fuzz targets of the shielded pool: bundles, note trees, logs, and the verification of payments.

use std::sync::LazyLock;

use svc_chain::transaction::Transaction;
use svc_circuit::assets::Assets;
use svc_codec::hash32::Hash32;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::bundle::{self, Bundle, BundleFormat};
use svc_shielded::frontier::Frontier;
use svc_shielded::{memo, message};
use svc_verify::transactions::{RawTransaction, verify_transactions};
use svc_verify::verifier::Verifier;

use crate::payment_chain::SIMNET;
use crate::target::{NONE, Outcome, Target, refused, strict};
use crate::targets::chain::{whole, written};
use crate::targets::proving::ASSETS;
use crate::vectors;

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("shielded/bundle", plain_payloads, plain_bundle),
    Target::new(
        "shielded/bundle-with-anchor-block",
        named_payloads,
        named_bundle,
    ),
    Target::new("shielded/layout", plain_payloads, plain_layout),
    Target::new(
        "shielded/layout-with-anchor-block",
        named_payloads,
        named_layout,
    ),
    Target::new("shielded/frontier", frontiers, frontier),
    Target::new("shielded/anchor-log", logs, log),
    Target::new("shielded/memo", memos, trimmed_memo),
    Target::new("shielded/signed-message", signed_messages, signed_message).pinned(),
    Target::new("shielded/payment", payments, payment)
        .pinned()
        .room(1 << 23, 64)
        .weight(200),
];

fn payloads(named: bool) -> Vec<Vec<u8>> {
    vectors::proved_transactions()
        .into_iter()
        .filter(|(_, is_named)| *is_named == named)
        .filter_map(|(raw, _)| Some(Transaction::from_bytes(&raw).ok()?.payload))
        .take(3)
        .collect()
}

fn plain_payloads() -> Vec<Vec<u8>> {
    payloads(false)
}

fn named_payloads() -> Vec<Vec<u8>> {
    payloads(true)
}

fn plain_bundle(bytes: &[u8]) -> Outcome {
    decoded(bytes, BundleFormat::Plain)
}

fn named_bundle(bytes: &[u8]) -> Outcome {
    decoded(bytes, BundleFormat::NamedAnchor)
}

fn decoded(bytes: &[u8], format: BundleFormat) -> Outcome {
    strict(bytes, Bundle::decode(bytes, format), |bundle| {
        assert!(bundle.format() == format, "another form");
        assert!(
            bundle::check_layout(bytes, format).is_ok_and(|count| count == bundle.actions.len()),
            "the layout check refuses what the decoder takes"
        );
        let fee = bundle::payload_fee(bytes, format);
        assert!(fee == bundle.fee(), "another fee in the head");
        bundle.nullifiers();
        bundle.commitments();
        bundle.encode()
    })
}

fn plain_layout(bytes: &[u8]) -> Outcome {
    layout(bytes, BundleFormat::Plain)
}

fn named_layout(bytes: &[u8]) -> Outcome {
    layout(bytes, BundleFormat::NamedAnchor)
}

/// The layout check keeps nothing; together with the check of the fee it promises that the decoder succeeds.
fn layout(bytes: &[u8], format: BundleFormat) -> Outcome {
    match bundle::check_layout(bytes, format) {
        Err(error) => refused(&error),
        Ok(count) => {
            let head = bundle::action_count(bytes).map(|count| count as usize);
            assert!(head == Some(count), "another count in the head");
            if bundle::payload_fee(bytes, format).is_ok() {
                let bundle = Bundle::decode(bytes, format);
                assert!(bundle.is_ok(), "layout and fee hold, and yet: {bundle:?}");
            }
            Outcome::Taken
        }
    }
}

/// Trees with so many of the recorded leaves.
pub(crate) fn trees() -> Vec<Frontier> {
    let leaves: Vec<Hash32> = vectors::leaves()
        .into_iter()
        .filter_map(|leaf| Some(Hash32(leaf.try_into().ok()?)))
        .collect();
    [0, 1, 2, 7, 8, 33, 64]
        .into_iter()
        .filter_map(|count| {
            let mut frontier = Frontier::empty();
            frontier.append_all(leaves.get(..count)?).ok()?;
            Some(frontier)
        })
        .collect()
}

pub(crate) fn frontiers() -> Vec<Vec<u8>> {
    let write = |frontier: &Frontier| written(|writer| frontier.encode(writer));
    trees().iter().map(write).collect()
}

fn frontier(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, Frontier::decode), |frontier| {
        let mut more = frontier.clone();
        // A full tree refuses.
        if more.append(&Hash32([1; 32])).is_ok() {
            assert!(more.size() == frontier.size() + 1, "size");
        }
        written(|writer| frontier.encode(writer))
    })
}

fn logs() -> Vec<Vec<u8>> {
    let mut log = AnchorLog::default();
    let mut all = Vec::new();
    for blue_score in 0..7 {
        all.push(written(|writer| log.encode(writer)));
        log.append(&PERSONALS, &entry(blue_score));
    }
    all
}

const PERSONALS: LogPersonals = LogPersonals {
    leaf: *b"leaf of the log.",
    node: *b"node of the log.",
    root: *b"root of the log.",
};

fn entry(blue_score: u64) -> LogEntry {
    LogEntry {
        block: Hash32([1; 32]),
        parent: Hash32([2; 32]),
        tree_root: Hash32([3; 32]),
        blue_score,
    }
}

fn log(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, AnchorLog::decode), |log| {
        let mut more = log.clone();
        more.append(&PERSONALS, &entry(9));
        more.commitment(&PERSONALS);
        assert!(more.count() == log.count() + 1, "count");
        written(|writer| log.encode(writer))
    })
}

fn memos() -> Vec<Vec<u8>> {
    vec![b"thanks".to_vec(), vec![0xf6], vec![7; 512], Vec::new()]
}

fn trimmed_memo(bytes: &[u8]) -> Outcome {
    let text = memo::trim(bytes);
    assert!(bytes.starts_with(text) || text.is_empty(), "another memo");
    match memo::pad(bytes) {
        Ok(padded) => {
            assert!(memo::trim(&padded) == text, "padding says something");
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

/// Who signed, what, and the signature.
struct Signed {
    address: [u8; 43],
    digest: Hash32,
    blob: Vec<u8>,
}

/// One signed message. Signatures are drawn with the system's chance, which
/// no outcome depends on.
static SIGNED: LazyLock<Option<Signed>> = LazyLock::new(|| {
    let seed = svc_shielded::secret::Secret32::new([7; 32]);
    let fvk = svc_shielded::keys::full_viewing_key(&seed).ok()?;
    let address = svc_shielded::keys::address_at(&fvk, 3).ok()?;
    let digest = message::digest(b"message personal", "svc", &address, "hello");
    let blob = message::sign(&seed, &digest).ok()?.to_vec();
    Some(Signed {
        address,
        digest,
        blob,
    })
});

fn signed_messages() -> Vec<Vec<u8>> {
    SIGNED.iter().map(|signed| signed.blob.clone()).collect()
}

fn signed_message(bytes: &[u8]) -> Outcome {
    let Some(signed) = SIGNED.as_ref() else {
        return NONE;
    };
    match message::verify(&signed.address, &signed.digest, bytes) {
        Ok(()) => {
            assert!(
                bytes[..96] == signed.blob[..96],
                "the signature of another key"
            );
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

static VERIFIER: LazyLock<Option<Verifier>> = LazyLock::new(|| {
    let assets = Assets::decode(ASSETS).ok()?;
    Verifier::new(&assets).ok()
});

fn payments() -> Vec<Vec<u8>> {
    let (_, payments) = vectors::payment_parts();
    payments.into_iter().take(2).collect()
}

/// A whole payment as the node judges it; a changed one is refused whatever was changed.
fn payment(bytes: &[u8]) -> Outcome {
    let (Some(verifier), Some(profile)) = (VERIFIER.as_ref(), SIMNET.as_ref()) else {
        return NONE;
    };
    let format = BundleFormat::for_fork(svc_chain::profile::active(
        profile.activations.security_fork,
        1,
    ));
    let transaction = RawTransaction { raw: bytes, format };
    match verify_transactions(verifier, profile, &[transaction], &[5; 32]).pop() {
        Some(Ok(())) => Outcome::Taken,
        Some(Err(error)) => refused(&error),
        None => NONE,
    }
}
