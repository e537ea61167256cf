//! The nullifier's hash against upstream's cells.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_witness::hash::poseidon;
use svc_witness::sheet::Sheet;

use crate::common::{assets, record, samples, starts};

#[test]
fn hashes_have_upstreams_cells() {
    for seed in 0..3 {
        let sample = samples::sample(seed);
        let recording = record(&sample.circuit, &sample.instance);
        let regions = recording.regions_named("Poseidon");
        assert_eq!(regions.len(), 3);
        let [nk, rho] = [6, 7].map(|column| recording.cell(regions[1], column, 1));
        let mut sheet = Sheet::at(starts(), regions[0]);
        let hash = poseidon::hash(&mut sheet, &assets().fixed, &nk, &rho);
        assert_eq!(sheet.next_region() - regions[0], 3);
        recording.compare(&sheet, regions[0]);
        assert!(hash == recording.cell(regions[2], 6, 36));
    }
}
