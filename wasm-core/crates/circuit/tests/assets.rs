//! The checked-in assets: what they hold belongs together, and no other bytes are taken for them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_circuit::assets::Assets;
use svc_circuit::shape;
use svc_codec::code::Code;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fft::Domain;
use svc_kernels::fft::column::Rows;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::msm::fixed_bases::FixedBases;

fn file() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    std::fs::read(path).unwrap()
}

fn commitment(bases: &FixedBases<Vesta>, column: &Rows<PallasBase>) -> Affine<Vesta> {
    let mut scalars: Vec<[u64; 4]> = (0..shape::ROWS)
        .map(|row| column.get(row).to_words())
        .collect();
    // Keys are blinded by one, for no reason other than that upstream does so.
    scalars.push([1, 0, 0, 0]);
    bases.msm(&scalars).to_affine()
}

#[test]
fn columns_belong_to_their_commitments() {
    let assets = Assets::decode(&file()).unwrap();
    let mut bases = assets.g_lagrange.clone();
    bases.push(assets.w);
    let bases = FixedBases::build(&bases);
    assert_eq!(assets.fixed.len(), shape::FIXED_COLUMNS);
    for (column, expected) in assets.fixed.iter().zip(&assets.fixed_commitments) {
        assert_eq!(commitment(&bases, column), *expected);
    }
    let permutation = assets.mapping.values(&Domain::new().omega());
    assert_eq!(permutation.len(), shape::PERMUTATION_COLUMNS);
    for (column, expected) in permutation.iter().zip(&assets.permutation_commitments) {
        assert_eq!(commitment(&bases, column), *expected);
    }
}

#[test]
fn bases_of_rows_and_of_coefficients_give_one_commitment() {
    let assets = Assets::decode(&file()).unwrap();
    // The polynomial 1 has one coefficient, and is one on every row.
    let sum = assets
        .g_lagrange
        .iter()
        .fold(Point::<Vesta>::identity(), |sum, base| sum.add_affine(base));
    assert_eq!(sum.to_affine(), assets.g[0]);
    // X has the values ω^row.
    let domain = Domain::new();
    let mut column = Rows::zero();
    let mut value = svc_kernels::field::stored::Single::ONE;
    for row in 0..shape::ROWS {
        column.set(row, &value);
        value = value.mul(&domain.omega());
    }
    let mut bases = assets.g_lagrange.clone();
    bases.push(assets.w);
    let expected = assets.g[1].to_point().add_affine(&assets.w).to_affine();
    assert_eq!(commitment(&FixedBases::build(&bases), &column), expected);
}

#[test]
fn encoding_goes_around() {
    let file = file();
    assert!(file.len() < 1 << 20, "{} bytes", file.len());
    assert!(Assets::decode(&file).unwrap().encode() == file);
}

#[test]
fn other_bytes_are_refused() {
    let file = file();
    for position in (0..file.len()).step_by(file.len() / 100) {
        let mut bad = file.clone();
        bad[position] ^= 1 << (position % 8);
        assert_eq!(
            Assets::decode(&bad).unwrap_err().code,
            Code::ProveAssetsDamaged
        );
        assert_eq!(
            Assets::decode(&file[..position]).unwrap_err().code,
            Code::ProveAssetsDamaged
        );
    }
    assert_eq!(
        Assets::decode(&[file, vec![0]].concat()).unwrap_err().code,
        Code::ProveAssetsDamaged
    );
}

#[test]
fn the_decoder_itself_takes_damage_for_damage_or_for_other_assets() {
    let file = file();
    // A prime step, so that all kinds of fields are met.
    for position in (0..file.len()).step_by(7_919) {
        let mut bad = file.clone();
        bad[position] ^= 1 << (position % 8);
        match Assets::decode_unpinned(&bad) {
            Ok(assets) => assert!(assets.encode() != file, "position {position}"),
            Err(error) => assert_eq!(error.code, Code::ProveAssetsDamaged),
        }
        assert!(Assets::decode_unpinned(&file[..position]).is_err());
    }
}
