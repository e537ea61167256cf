//! The tip as a wallet proves it: the state after a block, and the work above it. From there any older block of the chain
//! is one path away.

use svc_chain::header::raw::ReadHeader;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::header::{Judge, ProvedHeader, WorkFloor};
use crate::membership::{Membership, ProvedEntry};
use crate::opening::{Opening, ProvedState};
use crate::run::{ProvedRun, Run};

/// A state with work above it. Only [`Judge::tip`] makes one.
#[derive(Clone, Debug)]
pub struct ProvedTip {
    state: ProvedState,
    run: ProvedRun,
}

impl ProvedTip {
    /// The state, which is that of the selected parent of the run's base.
    pub fn state(&self) -> &ProvedState {
        &self.state
    }

    /// The work above it.
    pub fn run(&self) -> &ProvedRun {
        &self.run
    }
}

impl Judge<'_> {
    /// Checks an opening and the run that stands on its header.
    ///
    /// # Errors
    /// `evidence/other-header` where they do not belong together; those of [`Opening::decode`], [`Run::decode`],
    /// [`Judge::run`] and [`Judge::opening`].
    pub fn tip(&self, opening: &[u8], run: &[u8]) -> Result<ProvedTip, SvcError> {
        let ((header, _), opening) = Opening::decode(opening)?;
        let run = self.run(Run::decode(run)?)?;
        check_header(&run.base().hash(), &header.hash())?;
        let state = self.opening(run.base(), opening)?;
        Ok(ProvedTip { state, run })
    }

    /// Checks the state after an older block: its opening, and membership of the block above it, which commits to it, in
    /// the log of the tip.
    ///
    /// # Errors
    /// `evidence/other-header` where they do not belong together; those of [`Opening::decode`], [`Membership::decode`],
    /// [`Judge::membership`] and [`Judge::opening`].
    pub fn older(
        &self,
        tip: &ProvedTip,
        membership: &[u8],
        opening: &[u8],
    ) -> Result<ProvedState, SvcError> {
        let (header, opening) = Opening::decode(opening)?;
        let child = self.membership(&tip.state, Membership::decode(membership)?)?;
        self.opening(&self.member_header(&child, header)?, opening)
    }

    /// The header of a block that was proved to stand on the chain. Its work is that of the chain above; a witness must hold
    /// all the same, so that no byte is free.
    pub(crate) fn member_header(
        &self,
        entry: &ProvedEntry,
        (header, witness): ReadHeader,
    ) -> Result<ProvedHeader, SvcError> {
        check_header(&entry.entry().block, &header.hash())?;
        if witness.is_some() {
            // The floor is for work that nothing stands on.
            let floor = WorkFloor::of_network(self.network.profile);
            return Judge { floor, ..*self }.header((header, witness));
        }
        Ok(ProvedHeader::of_member(header))
    }
}

/// Refuses a header that is not the one that another piece is about. Error: `evidence/other-header`.
pub(crate) fn check_header(expected: &Hash32, found: &Hash32) -> Result<(), SvcError> {
    if expected == found {
        return Ok(());
    }
    let error = SvcError::new(Code::EvidenceOtherHeader).with("expected", expected);
    Err(error.with("found", found))
}
