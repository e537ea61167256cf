//! Comparison of pruning proofs: whether the proof of an import is better than that of the chain in use. The
//! node hands in the proof that it has, and the staging engine, which holds the judged proof of the other side,
//! judges it in the same bounded steps.

use svc_chain::uint256::U256;
use svc_codec::error::SvcError;

use crate::import::importing::Importing;
use crate::import::out_of_order;
use crate::proof::Proof;
use crate::proof::compare::{Claim, is_better};
use crate::proof::validate::{Checked, ProofCheck, ProofView};
use crate::store::Store;

/// Blue work that the two sides claim: the blue work of their tips, of the whole graph.
#[derive(Clone, Copy, Debug)]
pub struct TipWorks {
    /// That of the chain in use.
    pub own: U256,
    /// That of the chain the import is about.
    pub their: U256,
}

/// Whose proof is compared with that of the import.
enum Against {
    /// That of the chain in use, which the import must outdo.
    Own(TipWorks),
    /// That of another peer, which may outdo the import.
    Rival,
}

/// A comparison under way.
pub(super) struct Contest {
    /// Judges the other proof.
    check: Box<ProofCheck>,
    against: Against,
}

/// A judged proof, and the work between its pruning point and a tip.
fn claim(proof: &ProofView, tip_work: U256) -> Claim<'_> {
    Claim {
        proof,
        period_work: tip_work.saturating_sub(proof.blue_work),
    }
}

impl<S: Store> Importing<'_, S> {
    /// Begins to compare the proof of the import, from the end of [`Importing::import_proof`] to
    /// [`Importing::finish_import`], with the proof of the chain in use, which may be one of genesis. A comparison under
    /// way is dropped. Nothing is written.
    ///
    /// # Errors
    /// `import/out-of-order`, those of [`ProofCheck::new`]; the import goes on after each.
    pub fn contest_proof(&mut self, own: Proof, works: TipWorks) -> Result<(), SvcError> {
        self.contest(own, Against::Own(works))
    }

    /// As [`Importing::contest_proof`] with the proof of another peer, which takes the side of the challenger. Work above
    /// the pruning points is left out: nobody has shown it.
    ///
    /// # Errors
    /// As [`Importing::contest_proof`].
    pub fn contest_rival(&mut self, rival: Proof) -> Result<(), SvcError> {
        self.contest(rival, Against::Rival)
    }

    fn contest(&mut self, other: Proof, against: Against) -> Result<(), SvcError> {
        self.chain.records.guard()?;
        let import = self.import.as_mut().filter(|import| import.view.is_some());
        let import = import.ok_or_else(|| out_of_order("contest"))?;
        import.contest = None;
        let check = Box::new(ProofCheck::new(&self.chain.rules, other)?);
        import.contest = Some(Contest { check, against });
        Ok(())
    }

    /// Judges at most `budget` headers of the other proof. Once all are judged, returns whether the challenger is better:
    /// with strictly more work, or with at least half of the work of a chain that never left genesis (see [`is_better`]).
    /// The challenger is the import against the chain in use, a rival against the import. The comparison is over then.
    ///
    /// # Errors
    /// Those of [`ProofCheck::step`], which end the comparison, and `import/out-of-order` without one; the import goes
    /// on after each.
    pub fn contest_step(&mut self, budget: usize) -> Result<Option<bool>, SvcError> {
        self.chain.records.guard()?;
        let parts = self.import.as_mut().and_then(|import| {
            let contest = import.contest.take()?;
            Some((import.view.clone()?, contest, &mut import.contest))
        });
        let Some((view, Contest { check, against }, place)) = parts else {
            return Err(out_of_order("contest"));
        };
        match check.step(&self.chain.rules, budget)? {
            Checked::More(check) => {
                *place = Some(Contest { check, against });
                Ok(None)
            }
            Checked::Done(other) => Ok(Some(match against {
                Against::Own(works) => {
                    is_better(claim(&view, works.their), claim(&other, works.own))
                }
                Against::Rival => {
                    is_better(claim(&other, other.blue_work), claim(&view, view.blue_work))
                }
            })),
        }
    }
}
