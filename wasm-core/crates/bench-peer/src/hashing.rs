//! Benchmark of upstream's hashes: note commitments and Merkle nodes.

use std::time::Instant;

use ff::PrimeField;
use incrementalmerkletree::{Hashable, Level};
use orchard::tree::MerkleHashOrchard;
use serde_json::{Value, json};
use sinsemilla::CommitDomain;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::field::{node, node_bytes, scalar};
use svc_tree::note_fields::{NoteFields, diversified_base};

use crate::keys::millis;
use crate::request::Failure;
use crate::wallet;

/// Bytes of one note in a request.
const NOTE_LEN: usize = 43 + 8 + 32 + 32;
/// Levels of a note tree.
const DEPTH: u8 = 32;

/// Notes to commit to, and their commitments as leaves of a tree.
pub fn notes(count: usize) -> Result<Value, Failure> {
    let (mut notes, mut leaves) = (Writer::new(), Writer::new());
    for (note, cmx) in wallet::minted(count, true)? {
        notes
            .bytes(&note.recipient)
            .u64(note.value)
            .hash(&note.rho)
            .bytes(&note.rseed);
        leaves.hash(&cmx);
    }
    let (notes, leaves) = (notes.into_vec(), leaves.into_vec());
    Ok(json!({ "notes": hex::encode(&notes), "leaves": hex::encode(&leaves) }))
}

/// The commitments, one after the other: upstream has no batch call. What a note commits to, and the base of its
/// address, which wallets and nodes keep, is computed before.
pub fn commit(notes: &str) -> Result<Value, Failure> {
    let bytes = hex::decode(notes)?;
    let mut reader = Reader::new(&bytes);
    let notes = (0..bytes.len() / NOTE_LEN)
        .map(|_| {
            let diversifier = reader.array()?;
            let pk_d = reader.array()?;
            let (value, rho) = (reader.u64()?, reader.array()?);
            let g_d = diversified_base(&diversifier);
            Ok(NoteFields::new(g_d, pk_d, value, rho, &reader.array()?))
        })
        .collect::<Result<Vec<_>, SvcError>>()?;
    let domain = CommitDomain::new("z.cash:Orchard-NoteCommit");
    let start = Instant::now();
    let mut commitments = Vec::with_capacity(notes.len());
    for note in &notes {
        let randomness = scalar(note.rcm).ok_or("randomness")?;
        let value = note.value.to_le_bytes();
        let message = bits(&note.g_d, 256)
            .chain(bits(&note.pk_d, 256))
            .chain(bits(&value, 64))
            .chain(bits(&note.rho, 255))
            .chain(bits(&note.psi, 255));
        commitments.push(domain.short_commit(message, &randomness));
    }
    let ms = millis(start);
    let mut written = Writer::new();
    for commitment in commitments {
        let commitment = commitment.into_option().ok_or("no commitment")?;
        written.hash(&Hash32(commitment.to_repr()));
    }
    let commitments = hex::encode(&written.into_vec());
    Ok(json!({ "ms": ms, "commitments": commitments }))
}

/// The first `count` bits, lowest first.
fn bits(bytes: &[u8], count: usize) -> impl Iterator<Item = bool> + '_ {
    (0..count).map(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1)
}

/// All complete nodes over the leaves. `root` is that of a whole tree with these leaves; what lies above the last complete
/// node is not timed.
pub fn merkle(leaves: &str, batched: bool) -> Result<Value, Failure> {
    let bytes = hex::decode(leaves)?;
    let mut reader = Reader::new(&bytes);
    let mut row = (0..bytes.len() / 32)
        .map(|_| node(&reader.hash()?))
        .collect::<Result<Vec<_>, _>>()?;
    if !row.len().is_power_of_two() {
        return Err("leaves: a power of two".into());
    }
    let start = Instant::now();
    let (mut nodes, mut level) = (0, 0);
    while row.len() > 1 {
        row = parents(level, &row, batched);
        nodes += row.len();
        level += 1;
    }
    let ms = millis(start);
    let top = *row.first().ok_or("leaves: a power of two")?;
    let root = (level..DEPTH).map(Level::from).fold(top, |left, level| {
        MerkleHashOrchard::combine(level, &left, &MerkleHashOrchard::empty_root(level))
    });
    Ok(json!({ "ms": ms, "nodes": nodes, "root": node_bytes(&root) }))
}

fn parents(level: u8, row: &[MerkleHashOrchard], batched: bool) -> Vec<MerkleHashOrchard> {
    let pairs = row.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
    let level = Level::from(level);
    if batched {
        return MerkleHashOrchard::combine_batch(level, pairs);
    }
    pairs
        .map(|(left, right)| MerkleHashOrchard::combine(level, left, right))
        .collect()
}
