//! Makes the bundles of `tests/vectors/shielded-verification.json`: sixteen proved and signed payments of one to
//! twelve actions, with dummies, zero values, disabled spends, disabled outputs, and both bundle forms. Prints the
//! vector:
//!
//! `cargo run --release -p svc-prove --example verification_bundles > ../tests/vectors/shielded-verification.json`
//!
//! Proofs are random, so every run prints other ones; the checked-in file stays as it is.

use std::error::Error;

use orchard::Anchor;
use orchard::builder::{Builder, BundleType};
use orchard::bundle::{Authorized, Flags};
use orchard::circuit::ProvingKey;
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::NoteValue;
use serde_json::{Value, json};
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_prove::payment::{envelope, unsigned_bundle};
use svc_scan::note_tree::NoteTree;
use svc_shielded::bundle::Bundle;
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::field::node;
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::address::to_orchard;
use svc_shielded::keys::{address_at, full_viewing_key, spend_authorizing_key, viewing_key};
use svc_shielded::note::NoteParts;
use svc_shielded::random::system_rng;
use svc_shielded::secret::Secret32;
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash};
use svc_shielded::verify::{BUNDLE_VERSION, CIRCUIT};

type Failure = Box<dyn Error>;

/// What one bundle is made of.
struct Case {
    about: &'static str,
    network: &'static str,
    flags: u8,
    /// Actions to pad to; 0 makes a bundle of dummies only.
    pad: Option<u8>,
    spends: &'static [u64],
    outputs: &'static [u64],
}

const fn case(
    about: &'static str,
    network: &'static str,
    spends: &'static [u64],
    outputs: &'static [u64],
) -> Case {
    Case {
        about,
        network,
        flags: 3,
        pad: None,
        spends,
        outputs,
    }
}

const CASES: [Case; 16] = [
    Case {
        pad: Some(1),
        ..case("one action", "mainnet", &[9_000], &[7_000])
    },
    Case {
        pad: Some(1),
        ..case("one action that moves nothing", "simnet", &[0], &[0])
    },
    case("two dummies", "mainnet", &[], &[]),
    case(
        "a spend and its change",
        "simnet",
        &[50_000],
        &[20_000, 28_000],
    ),
    case("value zero, no fee", "mainnet", &[1_000], &[0, 1_000]),
    Case {
        flags: 1,
        ..case("outputs disabled", "mainnet", &[3_000, 4_000], &[])
    },
    Case {
        flags: 2,
        ..case("spends disabled, value enters", "simnet", &[], &[600, 500])
    },
    case(
        "three spends, one output",
        "simnet",
        &[1, 2, 30_000],
        &[28_000],
    ),
    case(
        "one spend, three outputs",
        "mainnet",
        &[90_000],
        &[1, 0, 80_000],
    ),
    case(
        "four and four",
        "mainnet",
        &[10, 20, 30, 4_000],
        &[5, 6, 7, 8],
    ),
    case(
        "one spend, four outputs",
        "simnet",
        &[70_000],
        &[1, 2, 3, 60_000],
    ),
    case("five spends", "simnet", &[1, 1, 1, 1, 9_000], &[3]),
    case("six outputs", "mainnet", &[60_000], &[1, 2, 3, 4, 5, 6]),
    case(
        "seven spends",
        "simnet",
        &[7, 7, 7, 7, 7, 7, 7_000],
        &[4_000, 1_000],
    ),
    case(
        "eight outputs",
        "mainnet",
        &[50, 90_000],
        &[1, 2, 3, 4, 5, 6, 7, 8],
    ),
    case(
        "twelve spends",
        "simnet",
        &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12_000],
        &[100, 0, 200],
    ),
];

fn main() -> Result<(), Failure> {
    let key = ProvingKey::build(CIRCUIT);
    let mut bundles = Vec::new();
    for case in &CASES {
        let made = make(case, &key)?;
        eprintln!("{}: {}", bundles.len(), case.about);
        bundles.push(made);
    }
    let vector = json!({
        "origin": "made once by crates/prove/examples/verification_bundles.rs with orchard 0.16.0, then frozen",
        "bundles": bundles,
    });
    println!("{vector:#}");
    Ok(())
}

/// Notes of test wallet 7 as a coinbase would mint them, and the tree that holds them.
fn mint(profile: &Profile, values: &[u64]) -> Result<(Vec<NoteParts>, NoteTree), Failure> {
    let address = address_at(&full_viewing_key(&seed())?, 0)?;
    let mut tree = NoteTree::new(Frontier::empty())?;
    let mut notes = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let source = Source {
            block: Hash32([1; 32]),
            txid: Hash32([2; 32]),
            daa_score: 7,
            index: index as u32,
        };
        let minted = coinbase_note::derive(profile, &source, &address, *value)?;
        tree.append(&[minted.cmx])?;
        notes.push(minted.parts(&address, *value));
    }
    tree.append(&[Hash32([9; 32])])?;
    Ok((notes, tree))
}

fn seed() -> Secret32 {
    Secret32::new([7; 32])
}

fn make(case: &Case, key: &ProvingKey) -> Result<Value, Failure> {
    let profile = Profile::built_in(case.network).ok_or("no such network")?;
    let (notes, tree) = mint(&profile, case.spends)?;
    let anchor = tree.root(tree.size())?;
    let mut partial = build(case, &notes, &tree)?;
    let anchor_block = (case.network == "simnet").then_some(Hash32([0xab; 32]));
    let unsigned = unsigned_bundle(&partial, anchor, anchor_block)?;
    let personal = profile.personalisation.sighash.as_bytes();
    let digest = sighash(
        personal,
        &profile.genesis.hash,
        &unsigned,
        &WALLET_TX_CONTEXT,
    );
    let mut rng = system_rng()?;
    let real: Vec<bool> = partial
        .actions()
        .iter()
        .map(|action| action.spend().dummy_sk().is_none())
        .collect();
    partial.finalize_io(digest.0, &mut rng).map_err(debug)?;
    partial.create_proof(key, &mut rng).map_err(debug)?;
    let ask = spend_authorizing_key(&seed())?;
    for (action, real) in partial.actions_mut().iter_mut().zip(real) {
        if real {
            action.sign(digest.0, &ask, &mut rng).map_err(debug)?;
        }
    }
    let unbound = partial
        .extract::<i64>()
        .map_err(debug)?
        .ok_or("no actions")?;
    let signed = unbound
        .apply_binding_signature(digest.0, rng)
        .ok_or("a signature")?;
    let transaction = envelope(&sign(unsigned, &signed));
    Ok(json!({
        "about": case.about,
        "network": case.network,
        "actions": signed.actions().len(),
        "sighash": digest,
        "transaction": hex::encode(&transaction.to_bytes()),
    }))
}

fn build(
    case: &Case,
    notes: &[NoteParts],
    tree: &NoteTree,
) -> Result<orchard::pczt::Bundle, Failure> {
    let fvk = viewing_key(&full_viewing_key(&seed())?)?;
    let flags = Flags::from_byte(case.flags, BUNDLE_VERSION).ok_or("flags")?;
    let anchor = Anchor::from(node(&tree.root(tree.size())?)?);
    let kind = BundleType::Transactional {
        bundle_required: true,
        pad_to_minimum: case.pad,
    };
    let mut builder = Builder::new(kind, BUNDLE_VERSION, flags, anchor).map_err(debug)?;
    for (position, note) in notes.iter().enumerate() {
        let siblings = tree.path(position as u64, tree.size())?;
        let siblings = siblings
            .iter()
            .map(node)
            .collect::<Result<Vec<MerkleHashOrchard>, _>>()?;
        let siblings = siblings.try_into().map_err(|_| "path length")?;
        let path = MerklePath::from_parts(position as u32, siblings);
        builder
            .add_spend(fvk.clone(), note.to_note()?, path)
            .map_err(debug)?;
    }
    let recipient = address_at(&full_viewing_key(&Secret32::new([9; 32]))?, 0)?;
    for value in case.outputs {
        let value = NoteValue::from_raw(*value);
        builder
            .add_output(None, to_orchard(&recipient)?, value, [0; 512])
            .map_err(debug)?;
    }
    Ok(builder.build_for_pczt(&mut system_rng()?).map_err(debug)?.0)
}

fn sign(mut bundle: Bundle, signed: &orchard::Bundle<Authorized, i64>) -> Bundle {
    bundle.proof = signed.authorization().proof().as_ref().to_vec();
    bundle.binding_signature = signed.authorization().binding_signature().into();
    for (action, upstream) in bundle.actions.iter_mut().zip(signed.actions()) {
        action.signature = upstream.authorization().into();
    }
    bundle
}

fn debug(error: impl core::fmt::Debug) -> Failure {
    format!("{error:?}").into()
}
