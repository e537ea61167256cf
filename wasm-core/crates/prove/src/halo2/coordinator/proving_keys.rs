//! Key material of the prover (proving key, verifier, tables), made at a start and shared by everything that proves.

use std::sync::{Arc, OnceLock};

use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_shielded::bundle::Bundle;
use svc_verify::verifier::Verifier;

use crate::halo2::arguments::prepared::Prepared;
use crate::halo2::arguments::proving_tables::ProvingTables;
use crate::halo2::coordinator::proof_state::CoordinatorKeys;
use crate::halo2::shard::Shard;

/// The circuit, the coordinator's keys, and the tables and the verifier, which are built at their first use.
pub struct ProvingKeys {
    assets: Assets,
    coordinator: Arc<CoordinatorKeys>,
    tables: OnceLock<ProvingTables>,
    verifier: OnceLock<Verifier>,
}

impl ProvingKeys {
    /// From the circuit's assets. Error: `prove/assets-damaged`.
    pub fn new(assets: Assets) -> Result<Self, SvcError> {
        Ok(Self {
            coordinator: Arc::new(CoordinatorKeys::new(&assets)?),
            assets,
            tables: OnceLock::new(),
            verifier: OnceLock::new(),
        })
    }

    /// The circuit.
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// The coordinator's keys.
    pub fn coordinator(&self) -> &Arc<CoordinatorKeys> {
        &self.coordinator
    }

    /// Takes the tables that [`ProvingTables::to_bytes`] gave to an earlier start. False when there are tables
    /// already or these are not those of this version: then they are built where they are needed.
    pub fn take_tables(&self, stored: &[u8]) -> bool {
        self.tables.get().is_none()
            && ProvingTables::from_bytes(stored)
                .is_some_and(|tables| self.tables.set(tables).is_ok())
    }

    /// The tables. Building them takes a fraction of a second, once.
    pub fn tables(&self) -> &ProvingTables {
        self.tables
            .get_or_init(|| ProvingTables::build(&self.assets))
    }

    /// A new worker. Errors: those of [`Prepared::with_tables`].
    pub fn shard(&self) -> Result<Shard, SvcError> {
        let prepared = Prepared::with_tables(&self.assets, self.tables())?;
        Ok(Shard::new(Arc::new(prepared)))
    }

    /// The verifier of what was proved. Error: `prove/assets-damaged`.
    pub fn verifier(&self) -> Result<&Verifier, SvcError> {
        if let Some(verifier) = self.verifier.get() {
            return Ok(verifier);
        }
        let verifier = Verifier::with_table(&self.assets, &self.tables().commitments.coefficients)?;
        Ok(self.verifier.get_or_init(|| verifier))
    }

    /// Verifies a proof of ours before anybody gets it.
    ///
    /// # Errors
    /// `prove/check-failed` if it does not hold: a defect of this program or of the machine, as a witness that cannot
    /// be proved is refused earlier.
    pub fn check(&self, bundle: &Bundle) -> Result<(), SvcError> {
        self.verifier()?.verify_proof(bundle).map_err(|error| {
            SvcError::new(Code::ProveCheckFailed).with("reason", error.code.as_str())
        })
    }
}

impl core::fmt::Debug for ProvingKeys {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("ProvingKeys(..)")
    }
}
