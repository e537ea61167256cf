//! An assignment that notes every witness cell.

use ff::Field;
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Circuit as _, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector,
};
use orchard::circuit::Circuit;
use pasta_curves::pallas;
use svc_circuit::shape::{ADVICE_COLUMNS, USABLE_ROWS};

use super::{Cell, Recording, ours};

/// The fixed column that upstream's circuit keeps constants in.
const CONSTANTS_COLUMN: usize = 3;

type Planner = <Circuit as halo2_proofs::plonk::Circuit<pallas::Base>>::FloorPlanner;

/// Runs upstream's synthesis. `instance` holds the public values.
pub fn record(circuit: &Circuit, instance: &[pallas::Base]) -> Recording {
    let config = Circuit::configure(&mut ConstraintSystem::default());
    let mut names = ConstraintSystem::<pallas::Base>::default();
    let fixed: Vec<_> = (0..=CONSTANTS_COLUMN)
        .map(|_| names.fixed_column())
        .collect();
    let mut recorder = Recorder {
        columns: (0..ADVICE_COLUMNS).map(|_| names.advice_column()).collect(),
        instance: instance.to_vec(),
        recording: Recording::default(),
        path: Vec::new(),
        region: None,
    };
    Planner::synthesize(
        &mut recorder,
        circuit,
        config,
        vec![fixed[CONSTANTS_COLUMN]],
    )
    .unwrap();
    recorder.recording
}

struct Recorder {
    columns: Vec<Column<Advice>>,
    instance: Vec<pallas::Base>,
    recording: Recording,
    path: Vec<String>,
    /// The name of the region being assigned, until its first witness cell.
    region: Option<String>,
}

impl Assignment<pallas::Base> for Recorder {
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
        assert!(row < USABLE_ROWS);
        let column = self.columns.iter().position(|other| *other == column);
        let mut value = None;
        to().map(|assigned| value = Some(assigned.into()));
        let value: Assigned<pallas::Base> = value.unwrap();
        let value = match value.denominator() {
            Some(denominator) => {
                value.numerator() * denominator.invert().unwrap_or(pallas::Base::ZERO)
            }
            None => value.numerator(),
        };
        if let Some(region) = self.region.take() {
            self.recording.regions.push(region);
        }
        let cell = Cell {
            region: self.recording.regions.len() - 1,
            name: name().into(),
            value: ours(&value),
        };
        self.recording.cells.insert((column.unwrap(), row), cell);
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
