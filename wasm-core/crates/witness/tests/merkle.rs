//! The path to the root and its hashes against upstream's cells.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ff::PrimeField;
use pasta_curves::pallas;
use svc_kernels::curve::Affine;
use svc_witness::hash::merkle;
use svc_witness::hash::sinsemilla::{Chip, Domain, Generators, Piece, hash_to_point};
use svc_witness::sheet::{Fp, Sheet};

use crate::common::{Recording, assets, ours, record, samples, starts};

fn path_of(sample: &samples::Sample) -> [Fp; merkle::DEPTH] {
    sample
        .path
        .map(|node| ours(&pallas::Base::from_repr(node.to_bytes()).unwrap()))
}

/// The first region of the path.
fn first_region(recording: &Recording) -> usize {
    recording.regions_named("Merkle path")[0]
}

#[test]
fn paths_have_upstreams_cells() {
    let generators = Generators::of(&assets().fixed).unwrap();
    for seed in 0..3 {
        let sample = samples::sample(seed);
        let recording = record(&sample.circuit, &sample.instance);
        let first = first_region(&recording);
        let leaf = recording.cell(first, 0, 0);
        let mut sheet = Sheet::at(starts(), first);
        let root = merkle::root(
            &mut sheet,
            &generators,
            &leaf,
            sample.position,
            &path_of(&sample),
        );
        assert_eq!(sheet.next_region() - first, 8 * merkle::DEPTH);
        recording.compare(&sheet, first);
        assert!(root == ours(&sample.instance[0]), "root");
    }
}

#[test]
fn other_hashes_have_upstreams_cells() {
    let generators = Generators::of(&assets().fixed).unwrap();
    let sample = samples::sample(1);
    let recording = record(&sample.circuit, &sample.instance);
    let hashes = recording.regions_named("hash_to_point");
    let hashes: Vec<_> = hashes
        .into_iter()
        .filter(|region| !recording.regions[*region].contains("Merkle path"))
        .collect();
    // The viewing key and the old note left, the new note right.
    let kinds = [
        (Domain::CommitIvk, Chip::Left),
        (Domain::NoteCommit, Chip::Left),
        (Domain::NoteCommit, Chip::Right),
    ];
    assert_eq!(hashes.len(), kinds.len());
    for (region, (domain, chip)) in hashes.into_iter().zip(kinds) {
        let pieces = pieces_of(&recording, region, if chip == Chip::Left { 2 } else { 7 });
        let mut sheet = Sheet::at(starts(), region);
        let hash = hash_to_point(&mut sheet, chip, &generators, &domain.start(), &pieces);
        recording.compare(&sheet, region);
        assert!(hash.point.is_valid() && hash.sums.len() == pieces.len());
        for (sums, piece) in hash.sums.iter().zip(&pieces) {
            assert!(sums.len() == piece.words && sums[0] == piece.value);
        }
    }
}

/// The pieces of a message by the copies of them in its hash.
fn pieces_of(recording: &Recording, region: usize, column: usize) -> Vec<Piece> {
    let start = usize::from(starts()[region]);
    let own = recording
        .cells
        .range((column, start)..(column + 1, 0))
        .take_while(|(_, cell)| cell.region == region);
    let mut pieces: Vec<Piece> = Vec::new();
    for (_, cell) in own {
        match pieces.last_mut() {
            Some(piece) if !cell.name.starts_with("z_0") => piece.words += 1,
            _ => pieces.push(Piece {
                value: cell.value,
                words: 1,
            }),
        }
    }
    pieces
}

#[test]
fn starts_are_upstreams() {
    use group::Curve;
    use pasta_curves::arithmetic::{CurveAffine, CurveExt};
    let names = [
        (Domain::NoteCommit, "z.cash:Orchard-NoteCommit-M"),
        (Domain::CommitIvk, "z.cash:Orchard-CommitIvk-M"),
        (Domain::MerkleCrh, "z.cash:Orchard-MerkleCRH"),
    ];
    for (domain, name) in names {
        let point = pallas::Point::hash_to_curve("z.cash:SinsemillaQ")(name.as_bytes());
        let point = point.to_affine().coordinates().unwrap();
        let start = domain.start();
        assert!(start.x == ours(point.x()) && start.y == ours(point.y()));
    }
}

#[test]
fn an_undefined_hash_is_refused() {
    let generators = Generators::of(&assets().fixed).unwrap();
    // A start at the point of chunk 0 meets it at once.
    let [x, y] = [1, 2].map(|column: usize| assets().fixed[column].get(0));
    let start = Affine { x, y };
    let mut sheet = Sheet::new(starts());
    let piece = Piece {
        value: Fp::ZERO,
        words: 3,
    };
    hash_to_point(&mut sheet, Chip::Left, &generators, &start, &[piece]);
    assert!(sheet.columns().is_err());
}
