//! Work division of the quotient: which worker evaluates which action's constraints on which coset.
//!
//! What all actions of a proof share on a coset costs a worker about as much as one action's constraints there. So a few
//! workers pool their actions and divide them by cosets: each is lent the polynomials of the others' actions, and none
//! but those at a border of two ranges computes what another one does, too.

use std::collections::BTreeSet;

use svc_codec::limits::{MAX_LENDING_WORKERS, MAX_LENT_ACTIONS};

use crate::halo2::wire::share::Share;

use crate::halo2::wire::share::range;

/// A coset and an action.
pub type Unit = (usize, usize);

/// An action's polynomials on their way to the workers that have not made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loan {
    /// Index of the action.
    pub action: usize,
    /// The worker that has them.
    pub from: usize,
    /// Those that need them.
    pub to: Vec<usize>,
}

/// The division of a quotient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotientPlan {
    /// Of every worker, coset by coset.
    pub units: Vec<Vec<Unit>>,
    /// What must be lent before.
    pub loans: Vec<Loan>,
    /// Whether every worker will have the polynomials of all actions.
    pub is_movable: bool,
}

impl QuotientPlan {
    /// Divides the quotient among workers with these shares, [`MAX_LENDING_WORKERS`] by so many; where they have more
    /// than [`MAX_LENT_ACTIONS`], each keeps to its own actions.
    pub fn new(shares: &[Vec<Share>], cosets: usize) -> Self {
        let mut plan = Self::default();
        for group in shares.chunks(MAX_LENDING_WORKERS) {
            let first = plan.units.len();
            let own: Vec<Vec<Unit>> = group.iter().map(|held| own_units(held, cosets)).collect();
            let mut all = own.concat();
            all.sort_unstable();
            let actions: BTreeSet<usize> = all.iter().map(|(_, action)| *action).collect();
            if actions.len() > MAX_LENT_ACTIONS {
                plan.units.extend(own);
                continue;
            }
            let part = |worker| all[range(all.len(), worker, group.len())].to_vec();
            plan.units.extend((0..group.len()).map(part));
            let loans = actions
                .into_iter()
                .filter_map(|action| loan(group, &plan.units[first..], action, first));
            plan.loans.extend(loans.collect::<Vec<_>>());
        }
        // A worker of a single group has at least two cosets' worth of units in a row, so units of every action.
        let actions = shares.iter().flatten().map(|share| share.action + 1).max();
        plan.is_movable = shares.len() <= MAX_LENDING_WORKERS && actions <= Some(MAX_LENT_ACTIONS);
        plan
    }

    /// The most units any worker has.
    pub fn longest(&self) -> usize {
        self.units.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The loan that a worker gives of this action.
    pub fn given(&self, worker: usize, action: usize) -> Option<&Loan> {
        self.loans
            .iter()
            .find(|loan| loan.from == worker && loan.action == action)
    }
}

/// The cosets that are a worker's by its shares, for each as many of its actions as it has.
fn own_units(shares: &[Share], cosets: usize) -> Vec<Unit> {
    let units = (0..cosets).flat_map(|coset| {
        let mine = shares.iter().filter(move |share| share.has(coset));
        mine.map(move |share| (coset, share.action))
    });
    units.collect()
}

/// What is lent of an action within a group whose first worker has this number.
fn loan(group: &[Vec<Share>], units: &[Vec<Unit>], action: usize, first: usize) -> Option<Loan> {
    let has = |worker: &usize| group[*worker].iter().any(|share| share.action == action);
    let needs = |worker: &usize| units[*worker].iter().any(|unit| unit.1 == action);
    let from = (0..group.len()).find(has)?;
    let to = (0..group.len()).filter(|worker| needs(worker) && !has(worker));
    let to: Vec<usize> = to.map(|worker| first + worker).collect();
    let from = first + from;
    (!to.is_empty()).then_some(Loan { action, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo2::wire::share::shares;

    const COSETS: usize = 8;

    #[test]
    fn every_action_is_on_every_coset_once_and_is_where_it_is_needed() {
        for actions in 1..40 {
            for workers in 1..10 {
                let held = shares(actions, workers);
                let plan = QuotientPlan::new(&held, COSETS);
                assert_eq!(plan.units.len(), workers);
                let mut all = plan.units.concat();
                all.sort_unstable();
                let wanted = (0..COSETS).flat_map(|coset| (0..actions).map(move |a| (coset, a)));
                assert_eq!(all, wanted.collect::<Vec<_>>(), "{actions} on {workers}");
                let has_all = |worker: &usize| {
                    let lent = plan.loans.iter().filter(|loan| loan.to.contains(worker));
                    held[*worker].len() + lent.count() == actions
                };
                assert!(!plan.is_movable || (0..workers).all(|worker| has_all(&worker)));
                assert_eq!(plan.is_movable, workers <= 4 && actions <= 16);
                for (worker, units) in plan.units.iter().enumerate() {
                    assert!(units.is_sorted_by_key(|unit| unit.0), "coset by coset");
                    for (_, action) in units {
                        let own = held[worker].iter().any(|share| share.action == *action);
                        let lent = plan.loans.iter().filter(|loan| loan.to.contains(&worker));
                        let lent = lent.filter(|loan| loan.action == *action).count();
                        assert_eq!(usize::from(!own), lent, "{actions} on {workers}");
                    }
                }
                for loan in &plan.loans {
                    let giver = held[loan.from].iter();
                    assert!(giver.clone().any(|share| share.action == loan.action));
                    assert_eq!(plan.given(loan.from, loan.action), Some(loan));
                }
            }
        }
    }

    #[test]
    fn workers_of_a_group_have_nearly_equal_parts_and_few_cosets() {
        let plan = QuotientPlan::new(&shares(8, 2), COSETS);
        assert_eq!(plan.units[0].len(), 32);
        assert!(plan.units[0].iter().all(|(coset, _)| *coset < 4));
        let plan = QuotientPlan::new(&shares(2, 4), COSETS);
        assert_eq!(plan.units[3], [(6, 0), (6, 1), (7, 0), (7, 1)]);
        assert_eq!(plan.longest(), 4);
    }

    #[test]
    fn one_worker_lends_nothing_and_many_actions_stay_where_they_are() {
        assert!(QuotientPlan::new(&shares(5, 1), COSETS).loans.is_empty());
        let many = MAX_LENT_ACTIONS + 1;
        let plan = QuotientPlan::new(&shares(many, 2), COSETS);
        assert!(plan.loans.is_empty());
        assert!(
            plan.units[0]
                .iter()
                .all(|(coset, action)| action % 2 == 0 || coset % 2 == 0)
        );
    }
}
