//! Receipts: what a payee shows holds whatever became of the block, and each thing that is not so has one named error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::transaction::Transaction;
use svc_chain::uint256::U256;
use svc_codec::cbor::{CborReader, CborWriter};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::limits::{MAX_CHALLENGE_LEN, MAX_RECEIPT_LEN};
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::note::NoteOpening;
use svc_evidence::proved_receipt::{Grade, ProvedReceipt};
use svc_evidence::receipt::{Challenge, Disclosure, Receipt};
use svc_evidence::tip::ProvedTip;
use svc_scan::note_tree::NoteTree;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::secret::Secret32;
use svc_shielded::signing::challenge_answer::answer;

use crate::common::{EASY_BITS, TestChain};

const FORK: u64 = 9;
const LENGTH: usize = 60;
/// The blocks whose trees hold the note: one from before the fork, one from after it.
const EARLY: usize = 5;
const PAID: usize = 20;
/// Leaves of the tree after those blocks, and the place of the note.
const LEAVES: u64 = 21;
const POSITION: u32 = 12;

/// A named change and its error.
type Change = (&'static str, Code, fn(&TestChain, &mut Receipt));

/// A named change of a disclosure and its error.
type DisclosureChange = (&'static str, Code, fn(&mut Disclosure));

/// The key that was paid in the golden bundle.
fn payee() -> [u8; 96] {
    full_viewing_key(&Secret32::new([7; 32])).unwrap()
}

fn golden() -> (Transaction, Bundle) {
    let text = include_str!("../../../../tests/vectors/shielded-golden-bundle.json");
    let vector: serde_json::Value = serde_json::from_str(text).unwrap();
    let payload = hex::decode(vector["payload"].as_str().unwrap()).unwrap();
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

/// The action of the golden bundle that pays, and the note that it made.
fn paid() -> (u32, NoteParts) {
    let (_, bundle) = golden();
    let parts = |rho| NoteParts {
        recipient: address_at(&payee(), 0).unwrap(),
        value: 5_000,
        rho,
        rseed: hex::decode_array(GOLDEN_RSEED).unwrap(),
    };
    let found = bundle
        .actions
        .iter()
        .enumerate()
        .find_map(|(index, action)| {
            let parts = parts(action.nullifier);
            let is_it = commitment(&parts.to_note().ok()?) == action.cmx;
            is_it.then_some((u32::try_from(index).unwrap(), parts))
        });
    found.expect("the golden bundle pays")
}

/// Randomness of that note, as its payee reads it.
const GOLDEN_RSEED: &str = "8d5d217518fe36373a30f608f16e7fe3466b02eb6372846652f06c897ebee42a";

/// The note with its path, and the root of its tree.
fn told_note() -> (Hash32, NoteOpening) {
    let (_, parts) = paid();
    let mut leaves: Vec<Hash32> = (0..LEAVES)
        .map(|leaf| {
            let mut bytes = [0; 32];
            bytes[0] = leaf as u8 + 1;
            Hash32(bytes)
        })
        .collect();
    leaves[POSITION as usize] = commitment(&parts.to_note().unwrap());
    let mut tree = NoteTree::new(Frontier::empty()).unwrap();
    tree.append(&leaves).unwrap();
    let note = NoteOpening {
        parts,
        position: POSITION,
        path: tree.path(u64::from(POSITION), LEAVES).unwrap().to_vec(),
    };
    (tree.root(LEAVES).unwrap(), note)
}

fn chain() -> TestChain {
    let (root, _) = told_note();
    TestChain::with_trees(7, LENGTH, FORK, (6, 16), vec![(EARLY, root), (PAID, root)])
}

/// The receipt of the note as the block at `index` shows it, at the header of another.
fn receipt(chain: &TestChain, index: usize, header: usize) -> Receipt {
    let state = header - 1;
    Receipt {
        network: chain.hash(0),
        note: told_note().1,
        opening: (chain.header(header), chain.opening(state, false)),
        membership: (state != index).then(|| chain.membership(index, state)),
        block: Some(chain.blocks[index].header.clone()),
        disclosure: None,
        challenge: None,
    }
}

fn checked(chain: &TestChain, receipt: &Receipt) -> Result<ProvedReceipt, SvcError> {
    let bytes = receipt.encode()?;
    chain.with_judge(None, |judge| judge.receipt(&bytes, None))
}

fn code<T>(result: Result<T, SvcError>) -> Code {
    result.err().expect("must be refused").code
}

fn tip(chain: &TestChain, judge: &Judge<'_>) -> ProvedTip {
    let opening = chain.opening(50, false).encode(&chain.header(51));
    judge
        .tip(&opening, &chain.run(51, LENGTH, 0).encode())
        .unwrap()
}

#[test]
fn a_receipt_shows_payee_amount_and_block_at_every_later_header() {
    let chain = chain();
    for header in PAID + 1..=LENGTH {
        let told = receipt(&chain, PAID, header);
        let bytes = told.encode().unwrap();
        assert_eq!(Receipt::decode(&bytes).unwrap(), told);
        assert!(bytes.len() < 8 * 1_024, "{} bytes", bytes.len());
        let proved = checked(&chain, &told).unwrap();
        assert_eq!(proved.grade(), Grade::Work);
        assert_eq!(proved.note().parts(), &paid().1);
        assert_eq!(proved.note().position(), POSITION);
        assert_eq!(proved.block(), chain.hash(PAID));
        assert_eq!(proved.blue_score(), Some(PAID as u64));
        assert_eq!(proved.depth(), (header - PAID) as u64);
        assert_eq!(proved.time(), Some(1_000 * PAID as u64));
        assert_eq!(proved.header().hash(), chain.hash(header));
        assert!(proved.disclosed().is_none() && proved.challenge().is_none());
    }
}

#[test]
fn a_receipt_from_before_the_fork_stands_on_the_block_above() {
    let chain = chain();
    let proved = checked(&chain, &receipt(&chain, EARLY, EARLY + 1)).unwrap();
    assert_eq!(proved.block(), chain.hash(EARLY));
    assert_eq!((proved.blue_score(), proved.depth()), (None, 1));
    let mut told = receipt(&chain, EARLY, EARLY + 1);
    told.membership = Some(chain.membership(PAID, 40));
    assert_eq!(code(checked(&chain, &told)), Code::EvidenceNoLog);
}

#[test]
fn the_work_of_a_receipt_is_that_of_its_header() {
    let chain = chain();
    // Every sixteenth block is as hard as 128 hashes at least, where others take two.
    let hard = checked(&chain, &receipt(&chain, PAID, 48)).unwrap();
    assert!(hard.work() >= U256::from(128), "{}", hard.work());
    assert!(hard.in_blocks_of(EASY_BITS) >= 64);
    let run = chain.run(PAID, LENGTH, 0).encode();
    let found = chain
        .with_judge(None, |judge| judge.hardest_header(&run))
        .unwrap();
    let found = found.unwrap();
    let place = (0..=LENGTH)
        .find(|index| chain.hash(*index) == found.hash)
        .unwrap();
    assert_eq!(found.below, chain.hash(place - 1));
    let hardest = checked(&chain, &receipt(&chain, PAID, place)).unwrap();
    for header in PAID + 1..=LENGTH {
        let other = checked(&chain, &receipt(&chain, PAID, header)).unwrap();
        assert!(other.work() <= hardest.work());
    }
    let alone = chain.run(PAID, PAID, 0).encode();
    let none = chain.with_judge(None, |judge| judge.hardest_header(&alone));
    assert_eq!(none.unwrap(), None);
}

#[test]
fn a_tip_that_was_proved_anchors_a_receipt() {
    let chain = chain();
    let bytes = receipt(&chain, PAID, 30).encode().unwrap();
    chain.with_judge(None, |judge| {
        let tip = tip(&chain, judge);
        let path = chain.membership(30, 50).encode();
        let proved = judge.receipt_in_chain(&bytes, None, &tip, &path).unwrap();
        assert_eq!(proved.grade(), Grade::Chain);
        assert_eq!(proved.work(), tip.run().work());
        assert_eq!(proved.block(), chain.hash(PAID));
        let other = chain.membership(31, 50).encode();
        let refused = judge.receipt_in_chain(&bytes, None, &tip, &other);
        assert_eq!(code(refused), Code::EvidenceOtherHeader);
    });
}

/// The network became harder since the receipt was made.
#[test]
fn an_anchored_receipt_needs_no_work_of_its_own() {
    let chain = chain();
    let bytes = receipt(&chain, PAID, 30).encode().unwrap();
    let path = chain.membership(30, 50).encode();
    let tip = chain.with_judge(None, |judge| tip(&chain, judge));
    let floor = WorkFloor::below(&chain.profile, 0x1d00_ffff, 0);
    chain.with_judge(Some(floor), |judge| {
        assert_eq!(code(judge.receipt(&bytes, None)), Code::EvidenceTooEasy);
        judge.receipt_in_chain(&bytes, None, &tip, &path).unwrap();
    });
}

#[test]
fn another_payment_is_refused_by_name() {
    let chain = chain();
    let changes: [Change; 14] = [
        ("network", Code::EvidenceOtherNetwork, |_, one| {
            one.network.0[0] ^= 1
        }),
        ("value", Code::EvidenceNotInTree, |_, one| {
            one.note.parts.value += 1
        }),
        ("recipient", Code::EvidenceNotInTree, |_, one| {
            one.note.parts.recipient = address_at(&payee(), 1).unwrap();
        }),
        ("seed", Code::EvidenceNotInTree, |_, one| {
            one.note.parts.rseed[0] ^= 1
        }),
        ("action", Code::EvidenceNotInTree, |_, one| {
            one.note.parts.rho.0[0] ^= 1
        }),
        ("place", Code::EvidenceNotInTree, |_, one| {
            one.note.position += 1
        }),
        ("score of the block", Code::EvidenceNotMember, |_, one| {
            one.membership.as_mut().unwrap().entry.blue_score += 1;
        }),
        ("another block", Code::EvidenceNotInTree, |chain, one| {
            one.membership = Some(chain.membership(PAID + 1, 39));
            one.block = None;
        }),
        ("no membership", Code::EvidenceNotInTree, |_, one| {
            one.membership = None;
            one.block = None;
        }),
        ("time", Code::EvidenceOtherHeader, |_, one| {
            one.block.as_mut().unwrap().timestamp_ms += 1;
        }),
        ("state", Code::EvidenceOtherState, |_, one| {
            one.opening.1.tree_root.0[0] ^= 1;
        }),
        (
            "swapped opening",
            Code::EvidenceForeignCoinbase,
            |chain, one| {
                one.opening.1 = chain.opening(41, false);
            },
        ),
        ("header without work", Code::HeaderInvalidPow, |_, one| {
            one.opening.0.0.bits = 0x1d00_ffff;
        }),
        (
            "header easier than allowed",
            Code::EvidenceTooEasy,
            |_, one| {
                one.opening.0.0.bits = 0x2100_ffff;
            },
        ),
    ];
    checked(&chain, &receipt(&chain, PAID, 40)).unwrap();
    for (what, expected, change) in changes {
        let mut told = receipt(&chain, PAID, 40);
        change(&chain, &mut told);
        assert_eq!(code(checked(&chain, &told)), expected, "{what}");
    }
}

#[test]
fn a_challenge_is_answered_by_the_payee_alone() {
    let chain = chain();
    let text = "order 7, for the tax office";
    let mut told = receipt(&chain, PAID, 40);
    let digest = Receipt::answer_digest(&told.network, &told.note, text);
    let signed = answer(&payee(), &told.note.parts.recipient, &digest).unwrap();
    let challenge = |answer| {
        Some(Challenge {
            text: text.to_owned(),
            answer,
        })
    };
    let asked = |told: &Receipt, asked: Option<&str>| {
        let bytes = told.encode().unwrap();
        chain.with_judge(None, |judge| judge.receipt(&bytes, asked))
    };
    assert_eq!(code(asked(&told, Some(text))), Code::EvidenceOtherChallenge);
    told.challenge = challenge(None);
    assert!(
        asked(&told, Some(text))
            .unwrap()
            .challenge()
            .unwrap()
            .answer
            .is_none()
    );
    assert_eq!(
        code(asked(&told, Some("order 8"))),
        Code::EvidenceOtherChallenge
    );
    told.challenge = challenge(Some(signed));
    assert_eq!(
        asked(&told, None).unwrap().challenge(),
        told.challenge.as_ref()
    );
    asked(&told, Some(text)).unwrap();
    // Who copied the receipt writes another text above the answer.
    told.challenge.as_mut().unwrap().text = "order 8".to_owned();
    assert_eq!(code(asked(&told, None)), Code::KeysBadSignature);
    told.challenge = Some(Challenge {
        text: "x".repeat(MAX_CHALLENGE_LEN + 1),
        answer: None,
    });
    assert_eq!(code(told.encode()), Code::CodecCountTooLarge);
}

#[test]
fn a_payer_discloses_the_payment() {
    let chain = chain();
    let (transaction, _) = golden();
    let (index, _) = paid();
    let mut told = receipt(&chain, PAID, 40);
    told.disclosure = Some(Disclosure {
        txid: transaction.id(),
        transaction,
        index,
        spent: None,
    });
    let proved = checked(&chain, &told).unwrap();
    let disclosed = proved.disclosed().unwrap();
    assert_eq!((disclosed.index, disclosed.spent), (index, None));
    assert_eq!(disclosed.memo, b"golden");
    let changes: [DisclosureChange; 5] = [
        ("id", Code::SignerOtherTransaction, |one| one.txid.0[0] ^= 1),
        ("action", Code::SignerNoteDiffers, |one| one.index ^= 1),
        ("no action", Code::SignerUnknownAction, |one| one.index = 2),
        ("spent", Code::SignerValueDiffers, |one| {
            one.spent = Some((1, [0; 32]))
        }),
        ("kind", Code::TxNotShielded, |one| {
            one.transaction.subnetwork_id = svc_chain::subnetwork::COINBASE;
        }),
    ];
    for (what, expected, change) in changes {
        let mut changed = told.clone();
        change(changed.disclosure.as_mut().unwrap());
        assert_eq!(code(checked(&chain, &changed)), expected, "{what}");
    }
    // The payment makes the note, and it is another one that stands in the tree.
    told.note.parts.rho.0[0] ^= 1;
    assert_eq!(code(checked(&chain, &told)), Code::EvidenceNotInTree);
}

/// Writes the entries of a receipt anew, by key and bytes; a text and a list are not asked for.
fn entries(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut reader = CborReader::new(bytes);
    let count = reader.map(16).unwrap();
    assert_eq!(
        (reader.number(9).unwrap(), reader.number(9).unwrap()),
        (0, 1)
    );
    let entry = |_| {
        let key = reader.number(9).unwrap();
        (key, reader.bytes(MAX_RECEIPT_LEN).unwrap().to_vec())
    };
    (1..count).map(entry).collect()
}

fn written(version: u64, entries: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut writer = CborWriter::new();
    writer.map(1 + entries.len()).number(0).number(version);
    for (key, value) in entries {
        writer.number(*key).bytes(value);
    }
    writer.into_vec()
}

#[test]
fn a_receipt_has_one_form() {
    let chain = chain();
    let bytes = receipt(&chain, PAID, 40).encode().unwrap();
    let whole = entries(&bytes);
    assert_eq!(written(1, &whole), bytes);
    let refused = |bytes: &[u8]| code(Receipt::decode(bytes));
    assert_eq!(refused(&written(2, &whole)), Code::CodecVersion);
    for missing in 0..3 {
        let mut less = whole.clone();
        less.remove(missing);
        assert_eq!(
            refused(&written(1, &less)),
            Code::CodecBadCbor,
            "without {missing}"
        );
    }
    for (first, second) in [(0, 1), (1, 2), (3, 4)] {
        let mut other = whole.clone();
        other.swap(first, second);
        assert_eq!(
            refused(&written(1, &other)),
            Code::CodecBadCbor,
            "{first} and {second}"
        );
    }
    let mut twice = whole.clone();
    twice.insert(4, whole[3].clone());
    assert_eq!(refused(&written(1, &twice)), Code::CodecBadCbor);
    let mut unknown = whole.clone();
    unknown.push((9, vec![1]));
    assert_eq!(refused(&written(1, &unknown)), Code::CodecBadCbor);
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(refused(&longer), Code::CodecTrailingBytes);
    // The head of the map in two bytes, and without a length.
    let (_, rest) = bytes.split_first().unwrap();
    assert_eq!(refused(&[&[0xb8, 6], rest].concat()), Code::CodecBadCbor);
    assert_eq!(
        refused(&[&[0xbf], rest, &[0xff]].concat()),
        Code::CodecBadCbor
    );
    assert_eq!(refused(&[0xbb; 9]), Code::CodecCountTooLarge);
    assert_eq!(refused(&[]), Code::CodecUnexpectedEnd);
    assert_eq!(
        refused(&vec![0; MAX_RECEIPT_LEN + 1]),
        Code::CodecCountTooLarge
    );
}

#[test]
fn pieces_that_say_more_than_they_show_are_refused() {
    let chain = chain();
    let mut told = receipt(&chain, PAID, 40);
    told.opening.1 = chain.opening(39, true);
    let bytes = told.encode().unwrap();
    assert_eq!(code(Receipt::decode(&bytes)), Code::CodecNotCanonical);
    let mut told = receipt(&chain, PAID, 40);
    told.opening.0.1 = Some(vec![1]);
    assert_eq!(code(checked(&chain, &told)), Code::CodecNotCanonical);
    // An answer without a challenge, a witness beside the block's header, a disclosure of four items.
    let bytes = receipt(&chain, PAID, 40).encode().unwrap();
    let mut whole = entries(&bytes);
    whole.push((8, vec![0; 64]));
    assert_eq!(
        code(Receipt::decode(&written(1, &whole))),
        Code::CodecBadCbor
    );
    let mut whole = entries(&bytes);
    whole[4].1[0] = 2;
    whole[4].1.extend([1, 0, 0, 0, 7]);
    assert_eq!(
        code(Receipt::decode(&written(1, &whole))),
        Code::CodecNotCanonical
    );
    let mut writer = CborWriter::new();
    writer.number(6).list(4);
    let mut bytes = bytes;
    bytes[0] += 1;
    bytes.extend(writer.into_vec());
    assert_eq!(code(Receipt::decode(&bytes)), Code::CodecBadCbor);
}
