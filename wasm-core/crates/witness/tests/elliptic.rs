//! Points, additions and multiplications against upstream's cells.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::OnceLock;

use svc_codec::code::Code;
use svc_kernels::curve::{Affine, Pallas};
use svc_witness::multiply::fixed_mul::full;
use svc_witness::multiply::fixed_mul_base::base_field;
use svc_witness::multiply::fixed_mul_short::short;
use svc_witness::multiply::variable_mul::mul;
use svc_witness::sheet::{Fp, Fq, Sheet};
use svc_witness::tables::{Base, WINDOWS, WindowTables};
use svc_witness::{add, point};

use crate::common::samples::sample;
use crate::common::{Recording, assets, record, starts};

/// The modulus of the circuit's field less one, and that of the scalars.
fn largest() -> (Fp, Fq) {
    (Fp::ONE.neg(), Fq::ONE.neg())
}

fn tables() -> &'static WindowTables {
    static TABLES: OnceLock<WindowTables> = OnceLock::new();
    TABLES.get_or_init(|| WindowTables::build(assets()))
}

/// Samples with all kinds of values.
fn recordings() -> &'static [Recording] {
    static RECORDINGS: OnceLock<Vec<Recording>> = OnceLock::new();
    RECORDINGS.get_or_init(|| {
        let samples = (0..6).map(sample);
        samples
            .map(|sample| record(&sample.circuit, &sample.instance))
            .collect()
    })
}

/// The one region with a name.
fn region(recording: &Recording, name: &str) -> usize {
    let regions = recording.regions_named(name);
    assert!(!regions.is_empty(), "{name}");
    regions[0]
}

/// The point in two columns of a region.
fn point_at(recording: &Recording, region: usize, column: usize, offset: usize) -> Affine<Pallas> {
    Affine {
        x: recording.cell(region, column, offset),
        y: recording.cell(region, column + 1, offset),
    }
}

/// The scalar whose windows a region shows.
fn scalar(recording: &Recording, region: usize) -> Fq {
    let windows = (0..WINDOWS).rev();
    windows.fold(Fq::ZERO, |sum, window| {
        let digit = recording.cell(region, 4, window).to_words()[0];
        sum.mul(&Fq::from_u64(8)).add(&Fq::from_u64(digit))
    })
}

#[test]
fn points_have_upstreams_cells() {
    for recording in recordings() {
        for name in ["witness non-identity point", "witness point"] {
            for region in recording.regions_named(name) {
                let mut sheet = Sheet::at(starts(), region);
                let value = point_at(recording, region, 0, 0);
                if name == "witness point" {
                    point::witness(&mut sheet, &value);
                } else {
                    point::non_identity(&mut sheet, &value);
                }
                recording.compare(&sheet, region);
            }
        }
    }
}

#[test]
fn additions_have_upstreams_cells() {
    for recording in recordings() {
        let mut regions = recording.regions_named("complete point addition");
        regions.extend(recording.regions_named("(complete addition)"));
        regions.extend(recording.regions_named("last window, complete addition"));
        assert_eq!(regions.len(), 12);
        for region in regions {
            let [p, q] = [0, 2].map(|column| point_at(recording, region, column, 0));
            let mut sheet = Sheet::at(starts(), region);
            let sum = add::complete(&mut sheet, &p, &q);
            recording.compare(&sheet, region);
            assert!(sum == point_at(recording, region, 2, 1));
        }
    }
}

#[test]
fn full_multiplications_have_upstreams_cells() {
    let cases = [
        (Base::ValueCommitR, "of ValueCommitR", 1),
        (Base::SpendAuthG, "of SpendAuthG", 1),
        (Base::CommitIvkR, "of CommitIvkR", 1),
        (Base::NoteCommitR, "of NoteCommitR", 2),
    ];
    for recording in recordings() {
        for (base, name, count) in cases {
            let regions = recording.regions_named(name);
            assert_eq!(regions.len(), 2 * count);
            for region in regions.into_iter().step_by(2) {
                let mut sheet = Sheet::at(starts(), region);
                let scalar = scalar(recording, region);
                let product = full(&mut sheet, tables(), base, &scalar);
                recording.compare(&sheet, region);
                assert_eq!(sheet.next_region(), region + 2);
                assert!(product == point_at(recording, region + 1, 2, 1));
            }
        }
    }
}

#[test]
fn short_multiplications_have_upstreams_cells() {
    for recording in recordings() {
        let region = region(recording, "of ValueCommitV");
        let magnitude = recording.cell(region, 4, 0).to_words()[0];
        let negative = recording.named(region + 1, "sign") != Fp::ONE;
        println!("magnitude {magnitude}, negative {negative}");
        let mut sheet = Sheet::at(starts(), region);
        short(
            &mut sheet,
            tables(),
            Base::ValueCommitV,
            magnitude,
            negative,
        );
        recording.compare(&sheet, region);
        assert_eq!(sheet.next_region(), region + 2);
    }
}

#[test]
fn multiplications_by_base_field_elements_have_upstreams_cells() {
    for recording in recordings() {
        let region = region(recording, "of NullifierK");
        let mut sheet = Sheet::at(starts(), region);
        let alpha = recording.cell(region, 4, 0);
        base_field(&mut sheet, tables(), Base::NullifierK, &alpha);
        recording.compare(&sheet, region);
        assert_eq!(sheet.next_region(), region + 4);
    }
}

#[test]
fn variable_multiplications_have_upstreams_cells() {
    for recording in recordings() {
        let region = region(recording, "variable-base scalar mul");
        let base = point_at(recording, region, 0, 0);
        let alpha = recording.named(region + 3, "copy original alpha");
        let mut sheet = Sheet::at(starts(), region);
        let product = mul(&mut sheet, &base, &alpha);
        recording.compare(&sheet, region);
        assert_eq!(sheet.next_region(), region + 4);
        assert!(product == base.to_point().mul(&alpha.to_words()).to_affine());
    }
}

/// Multiples 0, 1, 2 of a point, and the opposites.
fn multiples() -> Vec<Affine<Pallas>> {
    let one = Affine::generator();
    let two = one.to_point().double().to_affine();
    vec![Affine::IDENTITY, one, two, one.neg(), two.neg()]
}

#[test]
fn additions_of_all_kinds_satisfy_the_gates() {
    let recording = &recordings()[0];
    let region = region(recording, "complete point addition");
    for p in multiples() {
        for q in multiples() {
            let mut sheet = Sheet::at(starts(), region);
            let sum = add::complete(&mut sheet, &p, &q);
            assert!(sum == p.to_point().add_affine(&q).to_affine());
            assert!(recording.gates_hold(&sheet, region));
        }
    }
}

#[test]
fn a_wrong_cell_fails_a_gate() {
    let recording = &recordings()[0];
    let region = region(recording, "complete point addition");
    let points = multiples();
    for column in 0..9 {
        let mut sheet = Sheet::at(starts(), region);
        let mut ours = Sheet::at(starts(), region);
        add::complete(&mut sheet, &points[1], &points[2]);
        let value = sheet.columns().unwrap()[column].get(usize::from(starts()[region]));
        let mut cells = ours.region();
        for other in 0..9 {
            let row = usize::from(starts()[region]);
            cells.set(other, 0, &sheet.columns().unwrap()[other].get(row));
            cells.set(other, 1, &sheet.columns().unwrap()[other].get(row + 1));
        }
        cells.set(column, 0, &value.add(&Fp::ONE));
        assert!(!recording.gates_hold(&ours, region), "column {column}");
    }
}

#[test]
fn full_multiplications_by_extreme_scalars_satisfy_the_gates() {
    let recording = &recordings()[0];
    let region = region(recording, "of SpendAuthG");
    let generator = tables().entry(Base::SpendAuthG, 0, 0).point;
    for scalar in [Fq::ZERO, Fq::ONE, Fq::from_u64(2), largest().1] {
        let mut sheet = Sheet::at(starts(), region);
        let product = full(&mut sheet, tables(), Base::SpendAuthG, &scalar);
        // The first entry is twice the base.
        let expected = generator.to_point().mul(&scalar.to_words());
        assert!(product.to_point().double() == expected);
        assert!(recording.gates_hold(&sheet, region));
    }
}

#[test]
fn short_multiplications_by_extreme_scalars_satisfy_the_gates() {
    let recording = &recordings()[0];
    let region = region(recording, "of ValueCommitV");
    let generator = tables().entry(Base::ValueCommitV, 0, 0).point;
    for magnitude in [0, 1, 2, 8, u64::MAX] {
        for negative in [false, true] {
            let mut sheet = Sheet::at(starts(), region);
            let product = short(
                &mut sheet,
                tables(),
                Base::ValueCommitV,
                magnitude,
                negative,
            );
            let expected = generator.to_point().mul(&[magnitude, 0, 0, 0]);
            let expected = if negative { expected.neg() } else { expected };
            assert!(product.to_point().double() == expected);
            assert!(recording.gates_hold(&sheet, region));
        }
    }
}

/// 0, 1, p − 1, and values around those where the checks change: t and 2²⁵⁴ − t of either field, 2¹³⁰, 2²⁵⁴.
fn extremes() -> Vec<Fp> {
    let (p, q) = (largest().0.to_words(), largest().1.to_words());
    let t = Fp::from_words(&[p[0], p[1], 0, 0]);
    let power = Fp::from_words(&[0, 0, 0, 1 << 62]);
    let crossing = power.sub(&Fp::from_words(&[q[0], q[1], 0, 0]));
    vec![
        Fp::ZERO,
        Fp::ONE,
        largest().0,
        t,
        t.add(&Fp::ONE),
        Fp::from_words(&[0, 0, 1 << 2, 0]),
        power,
        crossing,
        crossing.sub(&Fp::ONE),
    ]
}

#[test]
fn multiplications_by_extreme_base_field_elements_satisfy_the_gates() {
    let recording = &recordings()[0];
    let region = region(recording, "of NullifierK");
    let generator = tables().entry(Base::NullifierK, 0, 0).point;
    for alpha in extremes() {
        let mut sheet = Sheet::at(starts(), region);
        let product = base_field(&mut sheet, tables(), Base::NullifierK, &alpha);
        let expected = generator.to_point().mul(&alpha.to_words());
        assert!(product.to_point().double() == expected);
        assert!(recording.gates_hold(&sheet, region));
    }
}

#[test]
fn variable_multiplications_by_extreme_elements_satisfy_the_gates() {
    let recording = &recordings()[0];
    let region = region(recording, "variable-base scalar mul");
    let base = Affine::generator();
    for alpha in extremes() {
        let mut sheet = Sheet::at(starts(), region);
        let product = mul(&mut sheet, &base, &alpha);
        assert!(product.to_point() == base.to_point().mul(&alpha.to_words()));
        assert!(recording.gates_hold(&sheet, region));
    }
}

#[test]
fn the_identity_is_refused_where_it_has_no_witness() {
    let region = region(&recordings()[0], "witness non-identity point");
    let mut sheet = Sheet::at(starts(), region);
    point::non_identity(&mut sheet, &Affine::IDENTITY);
    assert_eq!(sheet.columns().unwrap_err().code, Code::ProveFailed);
    let mut sheet = Sheet::at(starts(), region);
    mul(&mut sheet, &Affine::IDENTITY, &Fp::ONE);
    assert_eq!(sheet.columns().unwrap_err().code, Code::ProveFailed);
}

#[test]
fn stored_tables_are_taken_only_unharmed() {
    let bytes = tables().to_bytes();
    let read = WindowTables::from_bytes(&bytes).unwrap();
    assert!(read.to_bytes() == bytes);
    let mut bad = bytes.clone();
    bad[1000] ^= 1;
    assert!(WindowTables::from_bytes(&bad).is_none());
    assert!(WindowTables::from_bytes(&bytes[1..]).is_none());
    assert!(WindowTables::from_bytes(&[]).is_none());
}
