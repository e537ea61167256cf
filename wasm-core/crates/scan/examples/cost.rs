#![allow(clippy::all, missing_docs)]
use std::time::Instant;
use svc_chain::profile::Profile;
use svc_codec::hashers::blake2b_plain;
use svc_codec::writer::Writer;
use svc_scan::incoming_scanner::IncomingScanner;
use svc_scan::scanner::Scanner;
use svc_shielded::keys::incoming::addresses;
use svc_shielded::keys::{address_at, full_viewing_key, incoming_viewing_key};
use svc_shielded::secret::Secret32;

fn seed(n: u32) -> [u8; 32] {
    let mut s = [9; 32];
    s[..4].copy_from_slice(&n.to_le_bytes());
    s
}
fn rnd(n: u64, tag: &str) -> [u8; 32] {
    blake2b_plain()
        .update(tag.as_bytes())
        .update(&n.to_le_bytes())
        .finalize()
        .0
}

fn page(actions: usize) -> Vec<u8> {
    let fvk = full_viewing_key(&Secret32::new(seed(999_999))).unwrap();
    let mut w = Writer::new();
    w.bytes(&[0xb1; 32])
        .u64(5)
        .u64(7)
        .u64(1)
        .u64(100)
        .bytes(&[0xcb; 32]);
    w.count_u16(0);
    w.count_u16(1);
    w.bytes(&[3; 32]).count_u16(actions);
    for a in 0..actions as u64 {
        let mut nf = rnd(a, "nf");
        nf[31] &= 0x3f;
        let mut cmx = rnd(a, "cmx");
        cmx[31] &= 0x3f;
        let epk = &address_at(&fvk, a as u32).unwrap()[11..];
        w.bytes(&nf).bytes(&cmx).bytes(epk);
        for part in 0..19 {
            let c = rnd(a * 100 + part, "enc");
            w.bytes(&c[..if part == 18 { 4 } else { 32 }]);
        }
        w.bytes(&[0; 80]).bytes(&[0; 32]);
    }
    w.into_vec()
}
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    t.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e3
}
fn best(mut f: impl FnMut()) -> f64 {
    let mut all = Vec::new();
    let begun = Instant::now();
    while all.len() < 5 || (begun.elapsed().as_secs_f64() < 2.0 && all.len() < 300) {
        let t = cpu();
        f();
        all.push(cpu() - t);
    }
    all.sort_by(f64::total_cmp);
    all[all.len() / 4]
}
fn main() {
    let fvks: Vec<[u8; 96]> = (0..256)
        .map(|n| full_viewing_key(&Secret32::new(seed(n))).unwrap())
        .collect();
    let ivks: Vec<[u8; 64]> = fvks
        .iter()
        .map(|f| incoming_viewing_key(f).unwrap())
        .collect();
    let only = std::env::args().nth(1).unwrap_or_default();
    for keys in [1, 8, 32, 64, 128, 256] {
        println!(
            "{keys} keys: prepare {:.0} us",
            best(|| {
                IncomingScanner::for_keys(&ivks[..keys]).unwrap();
            })
        );
    }
    println!(
        "addresses: {:.1} us each",
        best(|| {
            addresses(&ivks[0], 1 << 31, 256).unwrap();
        }) / 256.0
    );
    for actions in [1, 2, 4, 16, 64, 256, 1024] {
        let body = page(actions);
        for keys in [1, 8, 32, 64, 128, 256] {
            let s = IncomingScanner::for_keys(&ivks[..keys]).unwrap();
            let us = best(|| {
                s.scan_records(&body, 1).unwrap();
            });
            let mut full = 0.0;
            if only == "full" {
                let f =
                    Scanner::for_keys(Profile::built_in("simnet").unwrap(), &fvks[..keys]).unwrap();
                full = best(|| {
                    f.scan_records(&body, 1).unwrap();
                });
            }
            println!(
                "{actions} actions {keys} keys: page {us:.0} us, per action {:.1} us, per action and key {:.2} us; full {full:.0}",
                us / actions as f64,
                us / actions as f64 / keys as f64
            );
        }
    }
}
