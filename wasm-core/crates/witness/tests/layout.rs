//! The layout in the assets is the one upstream's synthesis follows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{record, samples::sample, starts};

#[test]
fn regions_start_where_upstream_puts_them() {
    let sample = sample(0);
    let recording = record(&sample.circuit, &sample.instance);
    assert_eq!(recording.regions.len(), starts().len());
    let mut least = vec![usize::MAX; starts().len()];
    for ((_, row), cell) in &recording.cells {
        least[cell.region] = least[cell.region].min(*row);
    }
    for (region, least) in least.iter().enumerate() {
        // A region may begin with fixed cells or selectors.
        let ahead = least - usize::from(starts()[region]);
        assert!(ahead <= 1, "region {region} {}", recording.regions[region]);
    }
}
