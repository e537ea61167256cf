//! Minimum work check of an import: how much work its chain shows, and whether that is enough to begin a store with
//! it (decision record 28).

use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_dag::store::DagStore;

use crate::import::importing::Importing;
use crate::import::{Import, Phase, out_of_order};
use crate::pipeline::headers::headers_tip;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::store::Store;

impl Import {
    /// The work that the proof shows below the pruning point, with that of the judged headers above it.
    fn shown_work<S: Store>(&self, records: &Records<S>) -> Result<U256, SvcError> {
        let Some(view) = self
            .view
            .as_ref()
            .filter(|_| matches!(self.phase, Phase::Open))
        else {
            return Err(out_of_order("work"));
        };
        let tip = records.header(&headers_tip(records)?)?.header.blue_work;
        let above = tip.saturating_sub(view.blue_work);
        Ok(view.shown_work.saturating_add(above))
    }

    /// Errors: `import/too-little-work` when less is shown than the profile asks for.
    pub(super) fn require_work<S: Store>(&self, chain: &Chain<S>) -> Result<(), SvcError> {
        let (shown, min) = (
            self.shown_work(&chain.records)?,
            chain.rules.profile.minimum_work.0,
        );
        if shown >= min {
            return Ok(());
        }
        let error = SvcError::new(Code::ImportTooLittleWork).with("shown", shown);
        Err(error.with("min", min))
    }
}

impl<S: Store> Importing<'_, S> {
    /// Whether the chain of the import, with the headers that came so far, shows the work that the profile asks for. The
    /// end of the import asks again.
    ///
    /// # Errors
    /// `import/too-little-work`, `import/out-of-order`, `store/*`.
    pub fn require_import_work(&mut self) -> Result<(), SvcError> {
        self.import_step("work", |import, engine| import.require_work(engine.chain))
    }
}
