//! Index of the blocks that wait for a proof verdict, by transaction. Bounded: the oldest half is forgotten, and a
//! carrier that is forgotten is named again when its block is to be judged.

use std::collections::{BTreeMap, BTreeSet};

use svc_codec::hash32::Hash32;
use svc_codec::limits::WAITING_CARRIERS;

use crate::rules::acceptance::Job;

/// Transaction and number of the bundle form.
type Proof = (Hash32, u8);
/// Block and index of the transaction in it.
type Carrier = (Hash32, usize);

/// Carriers by transaction and form, at most `2 × capacity`.
pub(crate) struct WaitingVerdicts {
    young: BTreeMap<Proof, BTreeSet<Carrier>>,
    old: BTreeMap<Proof, BTreeSet<Carrier>>,
    young_carriers: usize,
    capacity: usize,
}

impl WaitingVerdicts {
    /// An empty index.
    pub(crate) fn new() -> Self {
        Self::with_capacity(WAITING_CARRIERS)
    }

    fn with_capacity(capacity: usize) -> Self {
        Self {
            young: BTreeMap::new(),
            old: BTreeMap::new(),
            young_carriers: 0,
            capacity,
        }
    }

    /// Remembers the carriers that wait for these verdicts.
    pub(crate) fn add(&mut self, jobs: &[Job]) {
        for job in jobs {
            if self.young_carriers >= self.capacity {
                self.old = std::mem::take(&mut self.young);
                self.young_carriers = 0;
            }
            let proof = (job.txid, job.format.number());
            let carriers = self.young.entry(proof).or_default();
            self.young_carriers += usize::from(carriers.insert((job.block, job.index)));
        }
    }

    /// Removes and returns the carriers that wait for a verdict.
    pub(crate) fn take(&mut self, txid: Hash32, format: u8) -> BTreeSet<Carrier> {
        let mut carriers = self.young.remove(&(txid, format)).unwrap_or_default();
        self.young_carriers -= carriers.len();
        carriers.extend(self.old.remove(&(txid, format)).unwrap_or_default());
        carriers
    }
}

#[cfg(test)]
mod tests {
    use svc_shielded::bundle::BundleFormat;

    use super::*;

    fn job(txid: u8, block: u8) -> Job {
        Job {
            block: Hash32([block; 32]),
            index: 1,
            txid: Hash32([txid; 32]),
            format: BundleFormat::Plain,
        }
    }

    #[test]
    fn each_carrier_is_given_back_once() {
        let mut waiting = WaitingVerdicts::with_capacity(4);
        waiting.add(&[job(1, 1), job(1, 2), job(1, 1), job(2, 3)]);
        let carriers = waiting.take(Hash32([1; 32]), 0);
        let expected = [(Hash32([1; 32]), 1), (Hash32([2; 32]), 1)];
        assert_eq!(carriers, BTreeSet::from(expected));
        assert!(waiting.take(Hash32([1; 32]), 0).is_empty());
        assert!(waiting.take(Hash32([2; 32]), 1).is_empty(), "another form");
        assert_eq!(waiting.take(Hash32([2; 32]), 0).len(), 1);
    }

    #[test]
    fn the_oldest_are_forgotten_and_the_number_stays_bounded() {
        let mut waiting = WaitingVerdicts::with_capacity(4);
        for number in 0..=255 {
            // Many transactions, and one that every block carries.
            waiting.add(&[job(number, 7), job(9, number)]);
            let all = waiting.young.values().chain(waiting.old.values());
            assert!(all.map(BTreeSet::len).sum::<usize>() <= 8);
        }
        assert!(waiting.take(Hash32([8; 32]), 0).is_empty());
        assert_eq!(waiting.take(Hash32([255; 32]), 0).len(), 1);
    }

    #[test]
    fn one_that_is_named_again_is_as_young_as_any() {
        let mut waiting = WaitingVerdicts::with_capacity(2);
        waiting.add(&[job(1, 1), job(2, 2), job(1, 1), job(3, 3)]);
        waiting.add(&[job(4, 4)]);
        assert_eq!(waiting.take(Hash32([1; 32]), 0).len(), 1);
    }
}
