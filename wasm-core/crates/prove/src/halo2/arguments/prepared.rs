//! Proving key: what every proof needs and no proof changes, which is the circuit's polynomials and the tables of the
//! commitment bases.

use std::sync::Arc;

use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::CommitmentTables;
use svc_circuit::constraints::Lookup;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Point, Vesta};
use svc_kernels::fft::Domain;
use svc_kernels::fft::column::ROWS;
use svc_witness::chips::Chips;

use crate::halo2::arguments::opening::OpeningPlan;
use crate::halo2::arguments::proving_tables::ProvingTables;
use crate::halo2::polynomials::quotient::QuotientKey;
use crate::halo2::{Column, Fp, Polynomial};

/// The prover's keys. About 40 MB; making them takes a fraction of a second.
pub struct Prepared {
    /// Transforms.
    pub domain: Domain,
    /// Which polynomials are opened where.
    pub plan: OpeningPlan,
    /// The lookup arguments.
    pub lookups: Vec<Lookup>,
    /// Fixed columns by rows.
    pub fixed: Vec<Column>,
    /// Fixed columns as polynomials.
    pub fixed_polynomials: Vec<Polynomial>,
    /// Columns of the permutation by rows.
    pub sigma: Vec<Column>,
    /// Columns of the permutation as polynomials.
    pub sigma_polynomials: Vec<Polynomial>,
    /// What fills witness columns in.
    pub chips: Chips,
    /// What evaluates the constraints.
    pub quotient: QuotientKey,
    /// What columns and polynomials are committed with.
    pub tables: Arc<CommitmentTables>,
}

impl Prepared {
    /// Builds everything. Errors: those of [`QuotientKey::build`] and [`Chips::new`].
    pub fn build(assets: &Assets) -> Result<Self, SvcError> {
        Self::with_tables(assets, &ProvingTables::build(assets))
    }

    /// Builds everything but the tables, which take longest. Errors: those of [`QuotientKey::build`] and [`Chips::new`].
    pub fn with_tables(assets: &Assets, tables: &ProvingTables) -> Result<Self, SvcError> {
        let domain = Domain::new();
        let polynomials = |columns: &[Column]| -> Vec<Polynomial> {
            columns
                .iter()
                .map(|column| domain.rows_to_coefficients(column))
                .collect()
        };
        let sigma = assets.mapping.values(&domain.omega());
        let fixed_polynomials = polynomials(&assets.fixed);
        let sigma_polynomials = polynomials(&sigma);
        let quotient = QuotientKey::build(assets, &domain, &fixed_polynomials, &sigma_polynomials)?;
        Ok(Self {
            plan: OpeningPlan::new(),
            lookups: assets.constraints.lookups.clone(),
            fixed: assets.fixed.clone(),
            fixed_polynomials,
            sigma,
            sigma_polynomials,
            chips: Chips::with_tables(assets, tables.windows.clone())?,
            quotient,
            tables: Arc::clone(&tables.commitments),
            domain,
        })
    }

    /// Commits to a column by its rows. Columns with runs of equal values cost less.
    pub fn commit_rows(&self, column: &Column, blind: &Fp) -> Point<Vesta> {
        let mut scalars = Vec::with_capacity(ROWS + 1);
        scalars.extend((0..ROWS).map(|row| column.get(row).to_words()));
        scalars.push(blind.to_words());
        let point = self.tables.runs.msm(&self.tables.rows, &scalars);
        scalars.fill([0; 4]);
        core::hint::black_box(&mut scalars);
        point
    }
}

impl core::fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Prepared(..)")
    }
}
