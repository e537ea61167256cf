//! Fees of payments against the figures of specification shielded 13.2; the wallet's own formula reads the
//! same file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_shielded::bundle::{BundleFormat, wire_len};
use svc_shielded::fee::{node_minimum, wallet_fee};

use crate::common::{list, load, number, small};

#[test]
fn every_figure_of_the_fee_table() {
    let vector = load("fee.json");
    for case in list(&vector["walletFees"]) {
        assert_eq!(
            wallet_fee(small(&case["actions"])),
            number::<u64>(&case["fee"])
        );
    }
    for case in list(&vector["nodeMinimums"]) {
        let format = BundleFormat::for_fork(case["fork"].as_bool().unwrap());
        let length = wire_len(small(&case["actions"]), format);
        assert_eq!(length, small(&case["payloadLength"]));
        assert_eq!(node_minimum(length), number::<u64>(&case["fee"]));
    }
}

#[test]
fn payouts_in_parts_add_up() {
    for case in list(&load("fee.json")["sums"]) {
        let once: u64 = list(&case["actions"])
            .iter()
            .map(|actions| wallet_fee(small(actions)))
            .sum();
        let times = case["times"].as_u64().unwrap_or(1);
        assert_eq!(once * times, number::<u64>(&case["fee"]));
    }
}
