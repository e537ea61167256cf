//! One-byte mutations of stored payments: our verdict, in batches of good and bad ones, is upstream's.
//!
//! 60 mutations, or 10,000 with `SVC_TEST_SIZE=full`. `SVC_SEED` chooses others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::Bundle;
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash};

use crate::support::{BUNDLES, Stored, UPSTREAM, VERIFIER, profile};

/// Bundles of one batch: some of them mutated, some not.
const MAX_BATCH: u64 = 20;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (value ^ (value >> 31)) % bound
    }
}

/// A copy of a stored bundle with one byte of its payload changed, until one still decodes.
fn mutated(stored: &Stored, random: &mut Random) -> (Bundle, Hash32, usize) {
    let payload = stored.bundle.encode();
    loop {
        let place = random.below(payload.len() as u64) as usize;
        let mut changed = payload.clone();
        changed[place] ^= 1 + random.below(255) as u8;
        let Ok(bundle) = Bundle::decode(&changed, stored.bundle.format()) else {
            continue;
        };
        let profile = profile(&stored.network);
        let personal = profile.personalisation.sighash.as_bytes();
        let digest = sighash(personal, &profile.genesis.hash, &bundle, &WALLET_TX_CONTEXT);
        return (bundle, digest, place);
    }
}

#[test]
fn mutated_payments_get_upstream_verdicts() {
    let full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    let (count, bundles) = if full {
        (10_000, BUNDLES.len())
    } else {
        (60, 7)
    };
    let seed = std::env::var("SVC_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(2_026);
    println!("seed {seed}, {count} mutations");
    let mut random = Random(seed);
    let mut done = 0;
    let mut refused = 0;
    let mut told = 0;
    while done < count {
        if done / 1_000 > told {
            told = done / 1_000;
            println!("{done} done");
        }
        let size = 1 + random.below(MAX_BATCH);
        let mut batch: Vec<(Bundle, Hash32, Option<usize>)> = Vec::new();
        for _ in 0..size {
            let stored = &BUNDLES[random.below(bundles as u64) as usize];
            if random.below(3) == 0 {
                batch.push((stored.bundle.clone(), stored.sighash, None));
            } else {
                let (bundle, digest, place) = mutated(stored, &mut random);
                batch.push((bundle, digest, Some(place)));
                done += 1;
            }
        }
        let asked: Vec<_> = batch
            .iter()
            .map(|(bundle, digest, _)| (bundle, *digest))
            .collect();
        let mut batch_seed = [0; 32];
        batch_seed[0] = random.below(256) as u8;
        let verdicts = VERIFIER.verify_batch(&asked, &batch_seed);
        for ((bundle, digest, place), ours) in batch.iter().zip(verdicts) {
            let theirs: Result<(), SvcError> = match place {
                Some(_) => UPSTREAM.verify(bundle, digest),
                None => Ok(()),
            };
            assert_eq!(
                ours,
                theirs,
                "seed {seed}, {} actions, byte {place:?}",
                bundle.actions.len()
            );
            refused += usize::from(theirs.is_err());
        }
    }
    println!("{done} mutations, {refused} refused");
    // Nothing in a payload is free: every byte is signed, proved or a part of proof and signature.
    assert_eq!(refused, done);
}
