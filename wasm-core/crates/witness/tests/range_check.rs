//! Every range check of an action against upstream's cells.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_witness::range_check;
use svc_witness::sheet::Sheet;

use crate::common::{self, record, samples, starts};

/// Column of all range checks.
const COLUMN: usize = 9;

#[test]
fn range_checks_have_upstreams_cells() {
    for seed in [0, 3] {
        let sample = samples::sample(seed);
        let recording = record(&sample.circuit, &sample.instance);
        let (mut short, mut long) = (0, 0);
        for (region, name) in recording.regions.iter().enumerate() {
            let name = name.rsplit(" / ").next().unwrap();
            let number = |text: &str| text.trim().parse::<usize>().ok();
            let bits = name
                .strip_prefix("Range check ")
                .and_then(|rest| number(rest.strip_suffix(" bits")?));
            let words = match name {
                "Witness element" => Some(count_cells(&recording, region) - 1),
                _ => name.strip_suffix(" words range check").and_then(number),
            };
            let mut sheet = Sheet::at(starts(), region);
            if let Some(bits) = bits {
                short += 1;
                range_check::short(&mut sheet, &recording.cell(region, COLUMN, 0), bits);
            } else if let Some(words) = words {
                long += 1;
                let element = recording.cell(region, COLUMN, 0);
                let sums = range_check::words(&mut sheet, &element, words);
                assert!(sums.len() == words + 1 && sums[0] == element);
            } else {
                continue;
            }
            recording.compare(&sheet, region);
        }
        println!("{short} short, {long} long");
        assert!(short > 64 && long > 10);
    }
}

fn count_cells(recording: &common::Recording, region: usize) -> usize {
    let mut cells = recording.cells.values();
    let count = cells.by_ref().filter(|cell| cell.region == region).count();
    assert!(count > 1);
    count
}
