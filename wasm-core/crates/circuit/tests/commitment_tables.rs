//! Stored tables: only those that follow from the assets are taken.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::{CommitmentTables, read_coefficient_table};
use svc_circuit::table_pins::{COEFFICIENT_TABLE_PIN, ROW_TABLE_PIN, RUN_TABLE_PIN};
use svc_kernels::msm::fixed_bases::FixedBases;

#[test]
fn stored_tables_are_those_of_the_assets_and_no_others_are_taken() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    let assets = Assets::decode(&std::fs::read(path).unwrap()).unwrap();
    let tables = CommitmentTables::build(&assets);
    assert_eq!(
        tables.pins(),
        [COEFFICIENT_TABLE_PIN, ROW_TABLE_PIN, RUN_TABLE_PIN],
        "run `npm run generate:circuit`"
    );

    let mut stored = tables.to_bytes();
    let read = CommitmentTables::from_bytes(&stored).unwrap();
    assert_eq!(read.pins(), tables.pins());
    assert_eq!(read.coefficients.bases(), tables.coefficients.bases());
    assert_eq!(read.rows.bases(), tables.rows.bases());

    for length in [0, 3, 4, 5, stored.len() / 2, stored.len() - 1] {
        assert!(CommitmentTables::from_bytes(&stored[..length]).is_none());
    }
    let longer = [&stored[..], &[0]].concat();
    assert!(CommitmentTables::from_bytes(&longer).is_none());
    let last = stored.len() - 1;
    for place in [0, 3, 4, 8, 16, 20, stored.len() / 3, stored.len() / 2, last] {
        stored[place] ^= 0x10;
        assert!(
            CommitmentTables::from_bytes(&stored).is_none(),
            "byte {place}"
        );
        stored[place] ^= 0x10;
    }

    let coefficients = tables.coefficients.to_bytes();
    assert!(read_coefficient_table(&coefficients).is_some());
    assert!(read_coefficient_table(&tables.rows.to_bytes()).is_none());
    // Tables of other bases are well formed, too.
    let foreign = FixedBases::build(&tables.rows.bases()[1..4]).to_bytes();
    assert!(FixedBases::<svc_kernels::curve::Vesta>::from_bytes(&foreign).is_some());
    assert!(read_coefficient_table(&foreign).is_none());
}
