//! A wallet with one minted note in a small tree, and plans that spend it.
// The examples use parts of it, too.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod sender_copies;
pub mod upstream;

use serde_json::{Value, json};
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::writer::Writer;
use svc_scan::note_tree::NoteTree;
use svc_scan::scanner::Scanner;
use svc_shielded::bundle::Bundle;
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::note::NoteParts;
use svc_shielded::secret::Secret32;
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash};
use svc_shielded::signing::payment_check::IntendedPayment;

/// A leaf that is nobody's.
const OTHER_LEAF: Hash32 = Hash32([9; 32]);

pub fn seed(byte: u8) -> Secret32 {
    Secret32::new([byte; 32])
}

/// Address 0 of a test wallet.
pub fn address(byte: u8) -> [u8; 43] {
    address_at(&full_viewing_key(&seed(byte)).unwrap(), 0).unwrap()
}

/// A payment to test wallet 9.
pub fn intended(value: u64, memo: &[u8]) -> IntendedPayment {
    IntendedPayment {
        address: address(9),
        value,
        memo: memo.to_vec(),
    }
}

/// Test wallet 7 with one note.
pub struct Wallet {
    pub profile: Profile,
    pub note: NoteParts,
    pub tree: NoteTree,
    pub position: u64,
    pub anchor_block: Hash32,
}

impl Wallet {
    pub fn new(network: &str, value: u64) -> Self {
        let profile = Profile::built_in(network).unwrap();
        let source = Source {
            block: Hash32([1; 32]),
            txid: Hash32([2; 32]),
            daa_score: 7,
            index: 0,
        };
        let minted = coinbase_note::derive(&profile, &source, &address(7), value).unwrap();
        let mut tree = NoteTree::new(Frontier::empty()).unwrap();
        tree.append(&[OTHER_LEAF, OTHER_LEAF, minted.cmx, OTHER_LEAF])
            .unwrap();
        let note = minted.parts(&address(7), value);
        Self {
            profile,
            note,
            tree,
            position: 2,
            anchor_block: Hash32([0xab; 32]),
        }
    }

    /// What is signed of a bundle on the wallet's network.
    pub fn sighash(&self, bundle: &Bundle) -> Hash32 {
        sighash(
            self.profile.personalisation.sighash.as_bytes(),
            &self.profile.genesis.hash,
            bundle,
            &WALLET_TX_CONTEXT,
        )
    }
}

/// A plan that spends the note at the newest size.
pub fn plan(wallet: &Wallet, outputs: &[IntendedPayment], fee: u64) -> Value {
    let size = wallet.tree.size();
    let path: Vec<u8> = wallet
        .tree
        .path(wallet.position, size)
        .unwrap()
        .iter()
        .flat_map(|hash| hash.0)
        .collect();
    json!({
        "profile": serde_json::from_str::<Value>(&wallet.profile.canonical_json()).unwrap(),
        "fvk": hex::encode(&full_viewing_key(&seed(7)).unwrap()),
        "daaScore": "50",
        "anchor": wallet.tree.root(size).unwrap(),
        "anchorBlock": wallet.anchor_block,
        "spends": [{
            "recipient": hex::encode(&wallet.note.recipient),
            "value": wallet.note.value.to_string(),
            "rho": wallet.note.rho,
            "rseed": hex::encode(&wallet.note.rseed),
            "position": wallet.position.to_string(),
            "path": hex::encode(&path),
        }],
        "outputs": outputs,
        "fee": fee.to_string(),
        "recoverable": false,
    })
}

/// Values and memos that test wallet `byte` finds in a bundle.
pub fn received(profile: &Profile, byte: u8, bundle: &Bundle) -> Vec<(u64, Vec<u8>)> {
    let mut writer = Writer::new();
    writer
        .hash(&Hash32([1; 32]))
        .u64(1)
        .u64(1)
        .u64(1)
        .u64(0)
        .hash(&Hash32::ZERO)
        .count_u16(0);
    writer
        .count_u16(1)
        .hash(&Hash32::ZERO)
        .count_u16(bundle.actions.len());
    for action in &bundle.actions {
        writer
            .hash(&action.nullifier)
            .hash(&action.cmx)
            .bytes(&action.epk)
            .bytes(&action.enc_ciphertext);
        writer.bytes(&action.out_ciphertext).bytes(&action.cv_net);
    }
    let scanner = Scanner::new(profile.clone(), &full_viewing_key(&seed(byte)).unwrap()).unwrap();
    let facts = scanner.scan_records(&writer.into_vec(), 1).unwrap();
    facts.blocks[0]
        .notes
        .iter()
        .map(|note| (note.value, note.memo.clone()))
        .collect()
}
