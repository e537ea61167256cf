//! Work division: which worker has which part of which action.

/// A worker's part in one action: it makes all columns, but commits to every `parts`-th column and takes every
/// `parts`-th coset, beginning with number `part`; workers that lend to each other divide their cosets anew
/// ([`crate::halo2::polynomials::quotient_plan`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Index of the action.
    pub action: usize,
    /// Which part, below `parts`.
    pub part: usize,
    /// Workers that have the action.
    pub parts: usize,
}

impl Share {
    /// Whether the item with this number, a column or a coset, is this worker's.
    pub fn has(&self, item: usize) -> bool {
        item % self.parts.max(1) == self.part
    }

    /// How many of `items` are this worker's.
    pub fn count(&self, items: usize) -> usize {
        (0..items).filter(|item| self.has(*item)).count()
    }
}

/// The shares of every worker. Each gets as many whole actions as the others; what remains is divided: the workers
/// spread over the remaining actions, and those at the same action divide it among them.
pub fn shares(actions: usize, workers: usize) -> Vec<Vec<Share>> {
    let workers = workers.max(1);
    let whole = actions / workers * workers;
    let rest = actions - whole;
    let of_worker = |worker: usize| {
        let own = (worker..whole).step_by(workers);
        let mut shares: Vec<Share> = own
            .map(|action| Share {
                action,
                part: 0,
                parts: 1,
            })
            .collect();
        if rest > 0 {
            let index = worker % rest;
            let parts = (workers - index).div_ceil(rest);
            shares.push(Share {
                action: whole + index,
                part: worker / rest,
                parts,
            });
        }
        shares
    };
    (0..workers).map(of_worker).collect()
}

/// Range `part` of `parts` nearly equal ranges of `0..items`.
pub fn range(items: usize, part: usize, parts: usize) -> core::ops::Range<usize> {
    let parts = parts.max(1);
    items * part / parts..items * (part + 1) / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_of_every_action_is_somebodys_once() {
        for actions in 1..12 {
            for workers in 1..10 {
                let all = shares(actions, workers);
                assert_eq!(all.len(), workers);
                for action in 0..actions {
                    for item in 0..8 {
                        let takers = all
                            .iter()
                            .flatten()
                            .filter(|s| s.action == action && s.has(item));
                        assert_eq!(takers.count(), 1, "{actions} actions, {workers} workers");
                    }
                    let first = all
                        .iter()
                        .flatten()
                        .filter(|s| s.action == action && s.part == 0);
                    assert_eq!(first.count(), 1);
                }
            }
        }
    }

    #[test]
    fn loads_differ_by_no_more_than_an_action() {
        let two_on_four = shares(2, 4);
        assert_eq!(
            two_on_four[3],
            [Share {
                action: 1,
                part: 1,
                parts: 2
            }]
        );
        let three_on_two = shares(3, 2);
        assert_eq!(
            three_on_two[1][1],
            Share {
                action: 2,
                part: 1,
                parts: 2
            }
        );
        assert_eq!(range(10, 2, 3), 6..10);
    }
}
