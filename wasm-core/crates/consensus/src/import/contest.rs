//! Whether the proof of an import shows more work than that of the chain in use: the node says what it has, and the
//! staging engine, which holds the judged proof of the other side, judges that in the same bounded steps.

use svc_chain::uint256::U256;
use svc_codec::error::SvcError;

use crate::engine::Engine;
use crate::import::out_of_order;
use crate::proof::Proof;
use crate::proof::compare::{Claim, is_better};
use crate::proof::validate::{Checked, ProofCheck, ProofView};
use crate::store::Store;

/// What the two claim: the blue work of their tips, of the whole graph.
#[derive(Clone, Copy, Debug)]
pub struct TipWorks {
    /// That of the chain in use.
    pub own: U256,
    /// That of the chain the import is about.
    pub their: U256,
}

/// A comparison under way.
pub(super) struct Contest {
    /// Judges the proof of the chain in use.
    check: Box<ProofCheck>,
    works: TipWorks,
}

/// A judged proof, and the work between its pruning point and a tip.
fn claim(proof: &ProofView, tip_work: U256) -> Claim<'_> {
    Claim {
        proof,
        period_work: tip_work.saturating_sub(proof.blue_work),
    }
}

impl<S: Store> Engine<S> {
    /// Begins to compare the proof of the import, from the end of [`Engine::import_proof`] to
    /// [`Engine::finish_import`], with the proof of the chain in use, which may be one of genesis. A comparison under
    /// way is dropped. Nothing is written.
    ///
    /// # Errors
    /// `import/out-of-order`, those of [`ProofCheck::new`]; the import goes on after each.
    pub fn contest_proof(&mut self, own: Proof, works: TipWorks) -> Result<(), SvcError> {
        self.guard()?;
        let import = self.import.as_mut().filter(|import| import.view.is_some());
        let import = import.ok_or_else(|| out_of_order("contest"))?;
        import.contest = None;
        let check = Box::new(ProofCheck::new(&self.rules, own)?);
        import.contest = Some(Contest { check, works });
        Ok(())
    }

    /// Judges at most `budget` headers of the proof of the chain in use. Once all are judged, returns whether the proof
    /// of the import shows strictly more work (see [`is_better`]); the comparison is over then.
    ///
    /// # Errors
    /// Those of [`ProofCheck::step`], which end the comparison, and `import/out-of-order` without one; the import goes
    /// on after each.
    pub fn contest_step(&mut self, budget: usize) -> Result<Option<bool>, SvcError> {
        self.guard()?;
        let parts = self.import.as_mut().and_then(|import| {
            let contest = import.contest.take()?;
            Some((import.view.clone()?, contest, &mut import.contest))
        });
        let Some((view, Contest { check, works }, place)) = parts else {
            return Err(out_of_order("contest"));
        };
        match check.step(&self.rules, budget)? {
            Checked::More(check) => {
                *place = Some(Contest { check, works });
                Ok(None)
            }
            Checked::Done(own) => {
                let (theirs, ours) = (claim(&view, works.their), claim(&own, works.own));
                Ok(Some(is_better(theirs, ours)))
            }
        }
    }
}
