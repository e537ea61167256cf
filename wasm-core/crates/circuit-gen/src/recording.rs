//! Witness recorder: every cell that upstream's synthesis assigns, with upstream's names. Tests compare our own
//! witness with it.

use std::collections::BTreeMap;

use ff::{Field, PrimeField};
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Circuit as _, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector,
};
use orchard::circuit::Circuit;
use pasta_curves::pallas;
use svc_circuit::shape::{ADVICE_COLUMNS, USABLE_ROWS};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::assembly::constants_column;
use crate::gen_error::GenError;

type Planner = <Circuit as halo2_proofs::plonk::Circuit<pallas::Base>>::FloorPlanner;

/// A cell as upstream assigned it last.
#[derive(Clone, Debug)]
pub struct RecordedCell {
    /// Number of its region among those with witness cells.
    pub region: usize,
    /// Upstream's name of the cell.
    pub name: String,
    /// Its value; a fraction over zero is zero.
    pub value: Single<PallasBase>,
}

/// The recorded assignment of upstream's synthesis.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Names of the regions with witness cells, in order, after the gadgets they belong to.
    pub regions: Vec<String>,
    /// Cells by column and row.
    pub cells: BTreeMap<(usize, usize), RecordedCell>,
}

impl Recording {
    /// Runs upstream's synthesis. `instance` holds the public values.
    ///
    /// # Errors
    /// When upstream refuses, or assigns what the circuit has no place for.
    pub fn of(circuit: &Circuit, instance: &[pallas::Base]) -> Result<Self, GenError> {
        let config = Circuit::configure(&mut ConstraintSystem::default());
        // Columns of a kind are told apart by their index alone, so those of another system name them as well.
        let mut names = ConstraintSystem::<pallas::Base>::default();
        let mut recorder = Recorder {
            columns: (0..ADVICE_COLUMNS).map(|_| names.advice_column()).collect(),
            instance,
            recording: Self::default(),
            path: Vec::new(),
            region: None,
        };
        Planner::synthesize(&mut recorder, circuit, config, vec![constants_column()])
            .map_err(|error| GenError::new(format!("{error:?}")))?;
        Ok(recorder.recording)
    }
}

struct Recorder<'a> {
    columns: Vec<Column<Advice>>,
    instance: &'a [pallas::Base],
    recording: Recording,
    path: Vec<String>,
    /// The name of the region being assigned, until its first witness cell.
    region: Option<String>,
}

impl Recorder<'_> {
    fn place(&self, column: Column<Advice>, row: usize) -> Result<(usize, usize), Error> {
        let column = self.columns.iter().position(|name| *name == column);
        let column = column.filter(|_| row < USABLE_ROWS);
        column
            .map(|column| (column, row))
            .ok_or(Error::BoundsFailure)
    }
}

/// Upstream's element as ours; a fraction over zero is zero.
fn value_of(assigned: &Assigned<pallas::Base>) -> Option<Single<PallasBase>> {
    let denominator = assigned.denominator().unwrap_or(pallas::Base::ONE);
    let value = assigned.numerator() * denominator.invert().unwrap_or(pallas::Base::ZERO);
    Single::from_bytes(&value.to_repr())
}

impl Assignment<pallas::Base> for Recorder<'_> {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, name: N) {
        let mut path = self.path.clone();
        path.push(name().into());
        self.region = Some(path.join(" / "));
    }

    fn exit_region(&mut self) {
        self.region = None;
    }

    fn enable_selector<A, AR>(&mut self, _: A, _: &Selector, _: usize) -> Result<(), Error>
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(())
    }

    fn query_instance(
        &self,
        _: Column<Instance>,
        row: usize,
    ) -> Result<Value<pallas::Base>, Error> {
        let value = self.instance.get(row).ok_or(Error::BoundsFailure)?;
        Ok(Value::known(*value))
    }

    fn assign_advice<V, VR, A, AR>(
        &mut self,
        name: A,
        column: Column<Advice>,
        row: usize,
        to: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Assigned<pallas::Base>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let place = self.place(column, row)?;
        let mut value = None;
        to().map(|assigned| value = value_of(&assigned.into()));
        self.recording.regions.extend(self.region.take());
        let region = self.recording.regions.len().checked_sub(1);
        let cell = RecordedCell {
            region: region.ok_or(Error::Synthesis)?,
            name: name().into(),
            value: value.ok_or(Error::Synthesis)?,
        };
        self.recording.cells.insert(place, cell);
        Ok(())
    }

    fn assign_fixed<V, VR, A, AR>(
        &mut self,
        _: A,
        _: Column<Fixed>,
        _: usize,
        _: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Assigned<pallas::Base>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(())
    }

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<pallas::Base>>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, name: N) {
        self.path.push(name().into());
    }

    fn pop_namespace(&mut self, _: Option<String>) {
        self.path.pop();
    }
}
