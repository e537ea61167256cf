//! Negative cache of header ids: those of headers that were refused for what the id covers. It saves work and decides
//! nothing: a header that was forgotten is judged again, with the same end.
//!
//! Not in here: what depends on the clock, on parents that may still come or on a witness, which the id does not
//! cover; what is found before the proof of work, since a look costs as much; and refusals that the store keeps
//! (specification consensus 8, stage 4 on).

use std::cell::Cell;
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::limits::REFUSED_HEADERS;

use crate::records::record_cache::RecordCache;

/// Refused headers, kept apart by what it takes to be refused: one kind does not push out another.
pub(crate) struct NegativeCache {
    /// Without native work, and judged without a witness.
    without_work: RecordCache<Code>,
    /// Refused by their place in the graph, once and for all.
    by_place: RecordCache<Code>,
    /// Refused by their place while `pruning_point` is the pruning point.
    by_pruning: RecordCache<Code>,
    pruning_point: Cell<Hash32>,
}

impl NegativeCache {
    pub(crate) fn new() -> Self {
        Self {
            without_work: RecordCache::new(REFUSED_HEADERS),
            by_place: RecordCache::new(REFUSED_HEADERS),
            by_pruning: RecordCache::new(REFUSED_HEADERS),
            pruning_point: Cell::new(Hash32::ZERO),
        }
    }

    /// Why a header was refused before. One that lacked native work is heard again when it comes with a witness.
    pub(crate) fn find(
        &self,
        id: &Hash32,
        has_witness: bool,
        pruning_point: &Hash32,
    ) -> Option<Code> {
        self.follow(pruning_point);
        let found = self.by_place.get(id).or_else(|| self.by_pruning.get(id));
        let without_work = || (!has_witness).then(|| self.without_work.get(id)).flatten();
        found.or_else(without_work).map(|code| *code)
    }

    /// Remembers a refusal if it is of a kind that is kept.
    pub(crate) fn note(&self, id: &Hash32, has_witness: bool, pruning_point: &Hash32, code: Code) {
        self.follow(pruning_point);
        let cache = match code {
            Code::HeaderInvalidPow if !has_witness => &self.without_work,
            code if Code::PLACE.contains(&code) => &self.by_place,
            Code::HeaderInvalidParent | Code::HeaderPruningViolation => &self.by_pruning,
            _ => return,
        };
        cache.insert(*id, Rc::new(code));
    }

    /// A header that lacked work has come with a witness that does it: its body may come without one.
    pub(crate) fn forget(&self, id: &Hash32) {
        self.without_work.remove(id);
    }

    /// A new pruning point ends what was refused because of the old one.
    fn follow(&self, pruning_point: &Hash32) {
        if self.pruning_point.get() != *pruning_point {
            self.by_pruning.clear();
            self.pruning_point.set(*pruning_point);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: Hash32 = Hash32([1; 32]);

    fn id(number: usize) -> Hash32 {
        let mut bytes = [0x5a; 32];
        bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
        Hash32(bytes)
    }

    #[test]
    fn a_witness_may_follow() {
        let cache = NegativeCache::new();
        cache.note(&id(1), true, &POINT, Code::HeaderInvalidPow);
        assert_eq!(cache.find(&id(1), false, &POINT), None);
        cache.note(&id(1), false, &POINT, Code::HeaderInvalidPow);
        let found = cache.find(&id(1), false, &POINT);
        assert_eq!(found, Some(Code::HeaderInvalidPow));
        assert_eq!(cache.find(&id(1), true, &POINT), None);
    }

    #[test]
    fn only_what_the_id_covers_is_kept() {
        let cache = NegativeCache::new();
        let others = [
            Code::HeaderTimeTooFarAhead,
            Code::HeaderMissingParents,
            Code::HeaderNoParents,
            Code::BodyBadMerkleRoot,
            Code::HeaderWrongBlueScore,
        ];
        for code in others {
            cache.note(&id(1), false, &POINT, code);
            assert_eq!(cache.find(&id(1), false, &POINT), None, "{code:?}");
        }
    }

    #[test]
    fn a_new_pruning_point_ends_what_hangs_on_the_old_one() {
        let cache = NegativeCache::new();
        cache.note(&id(1), false, &POINT, Code::HeaderInvalidParent);
        cache.note(&id(2), false, &POINT, Code::HeaderPruningViolation);
        cache.note(&id(3), false, &POINT, Code::HeaderWrongBits);
        let found = [1, 2, 3].map(|number| cache.find(&id(number), true, &POINT).is_some());
        assert_eq!(found, [true; 3]);
        let next = Hash32([2; 32]);
        let found = [1, 2, 3].map(|number| cache.find(&id(number), true, &next).is_some());
        assert_eq!(found, [false, false, true]);
    }

    #[test]
    fn one_kind_does_not_push_out_another() {
        let cache = NegativeCache::new();
        cache.note(&id(0), false, &POINT, Code::HeaderWrongDaaScore);
        for number in 1..10 * REFUSED_HEADERS {
            cache.note(&id(number), false, &POINT, Code::HeaderInvalidPow);
        }
        assert!(cache.find(&id(0), false, &POINT).is_some());
        let kept = (1..10 * REFUSED_HEADERS)
            .filter(|number| cache.find(&id(*number), false, &POINT).is_some())
            .count();
        assert!(kept > 0 && kept <= 2 * REFUSED_HEADERS, "{kept}");
    }
}
