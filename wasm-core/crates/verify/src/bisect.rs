//! Bisection of a failed batch: finds the bad items of a list of which only sums can be checked.

/// Whether each item holds. `holds` tells whether all of a part do; a part that does not is halved until the bad items
/// are alone. One bad item among n costs about 2·log₂ n checks; no list costs more than 2n − 1.
pub fn bisect<T>(items: &[T], holds: &impl Fn(&[T]) -> bool) -> Vec<bool> {
    let mut verdicts = Vec::with_capacity(items.len());
    split(items, false, holds, &mut verdicts);
    verdicts
}

/// Appends the verdicts of a part. A part `known_bad` is not checked as a whole again.
fn split<T>(items: &[T], known_bad: bool, holds: &impl Fn(&[T]) -> bool, verdicts: &mut Vec<bool>) {
    if items.is_empty() {
        return;
    }
    if !known_bad && holds(items) {
        verdicts.extend(items.iter().map(|_| true));
        return;
    }
    if items.len() == 1 {
        verdicts.push(false);
        return;
    }
    let start = verdicts.len();
    let (left, right) = items.split_at(items.len() / 2);
    split(left, false, holds, verdicts);
    // If the left half holds, the bad item is in the right one.
    let left_held = verdicts[start..].iter().all(|held| *held);
    split(right, left_held, holds, verdicts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn all_patterns_of_eight() {
        for pattern in 0..256u32 {
            for length in 0..=8usize {
                let items: Vec<bool> = (0..length).map(|bit| pattern >> bit & 1 == 1).collect();
                let checks = Cell::new(0);
                let holds = |part: &[bool]| {
                    checks.set(checks.get() + 1);
                    part.iter().all(|good| *good)
                };
                assert_eq!(bisect(&items, &holds), items);
                assert!(
                    checks.get() <= (2 * length).saturating_sub(1),
                    "{items:?}: {}",
                    checks.get()
                );
            }
        }
    }

    #[test]
    fn one_bad_item_is_found_quickly() {
        for bad in 0..64 {
            let items: Vec<bool> = (0..64).map(|index| index != bad).collect();
            let checks = Cell::new(0);
            let holds = |part: &[bool]| {
                checks.set(checks.get() + 1);
                part.iter().all(|good| *good)
            };
            assert_eq!(bisect(&items, &holds), items);
            assert!(checks.get() <= 13, "{}", checks.get());
        }
    }
}
