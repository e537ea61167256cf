//! The witness columns of an action, synthesised by upstream's circuit into columns of ours.

use std::collections::BTreeMap;

use ff::{Field, PrimeField};
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Circuit as _, Column as CircuitColumn, ConstraintSystem,
    Error, Fixed, FloorPlanner, Instance, Selector,
};
use orchard::circuit::{Circuit, Config};
use pasta_curves::pallas;
use svc_circuit::shape::{ADVICE_COLUMNS, LOG_ROWS, ROWS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use zeroize::Zeroize;

use crate::engine::action_input::{ActionInput, synthesis_failed};
use crate::engine::randomness::Draws;
use crate::engine::{Column, Fp};

/// The fixed column that upstream's circuit keeps constants in.
const CONSTANTS_COLUMN: usize = 3;

type Planner = <Circuit as halo2_proofs::plonk::Circuit<pallas::Base>>::FloorPlanner;

/// The circuit's layout, the same for all actions.
#[derive(Debug)]
pub struct WitnessMaker {
    config: Config,
    layout: Layout,
}

/// Upstream's names of the columns, which do not tell their index.
#[derive(Debug)]
struct Layout {
    constants: CircuitColumn<Fixed>,
    advice: Vec<CircuitColumn<Advice>>,
    instance: CircuitColumn<Instance>,
}

/// The columns of an action that hold what is proved.
#[derive(Debug)]
pub struct Witness {
    /// Public values, zero below them.
    pub instance: Column,
    /// Witness columns, their last rows random.
    pub advice: Vec<Column>,
}

impl WitnessMaker {
    /// Lays the circuit out.
    pub fn new() -> Self {
        let config = Circuit::configure(&mut ConstraintSystem::default());
        // Columns of a kind are told apart by their index alone, so those of another system name them as well.
        let mut names = ConstraintSystem::<pallas::Base>::default();
        let mut constants = names.fixed_column();
        for _ in 0..CONSTANTS_COLUMN {
            constants = names.fixed_column();
        }
        let advice = (0..ADVICE_COLUMNS).map(|_| names.advice_column()).collect();
        let layout = Layout {
            constants,
            advice,
            instance: names.instance_column(),
        };
        Self { config, layout }
    }

    /// The columns of action `index`.
    ///
    /// Errors: those of [`ActionInput::circuit`], `prove/failed` if the circuit cannot be filled in.
    pub fn make(
        &self,
        input: &ActionInput,
        draws: &Draws,
        index: usize,
    ) -> Result<Witness, SvcError> {
        let circuit = input.circuit()?;
        let instance = input
            .instance()
            .ok_or_else(|| SvcError::new(Code::ProveFailed).with("reason", "public value"))?;
        let mut cells = Cells::new(&self.layout, instance);
        Planner::synthesize(
            &mut cells,
            &circuit,
            self.config.clone(),
            vec![self.layout.constants],
        )
        .map_err(synthesis_failed)?;
        let mut advice = cells.columns();
        for (column, rows) in advice.iter_mut().enumerate() {
            for (offset, value) in draws.witness_rows(index, column).iter().enumerate() {
                rows.set(USABLE_ROWS + offset, value);
            }
        }
        Ok(Witness {
            instance: cells.instance_column(),
            advice,
        })
    }
}

impl Default for WitnessMaker {
    fn default() -> Self {
        Self::new()
    }
}

/// Collects numerators; a cell that is a fraction is noted beside them.
struct Cells<'a> {
    layout: &'a Layout,
    instance: Vec<pallas::Base>,
    numerators: Vec<pallas::Base>,
    denominators: BTreeMap<usize, pallas::Base>,
}

impl<'a> Cells<'a> {
    fn new(layout: &'a Layout, instance: Vec<pallas::Base>) -> Self {
        Self {
            layout,
            instance,
            numerators: vec![pallas::Base::ZERO; ADVICE_COLUMNS * ROWS],
            denominators: BTreeMap::new(),
        }
    }

    fn instance_column(&self) -> Column {
        Column::from_values(&self.instance.iter().map(converted).collect::<Vec<_>>())
    }

    /// The columns without fractions. A fraction over zero is zero.
    fn columns(&self) -> Vec<Column> {
        let numerators = self.numerators.chunks_exact(ROWS);
        let mut columns: Vec<Column> = numerators.map(column).collect();
        let denominators: Vec<Fp> = self.denominators.values().map(converted).collect();
        for (cell, inverse) in self.denominators.keys().zip(inverses(&denominators)) {
            let rows = &mut columns[cell / ROWS];
            let value = rows.get(cell % ROWS).mul(&inverse);
            rows.set(cell % ROWS, &value);
        }
        columns
    }

    fn place(&self, column: CircuitColumn<Advice>, row: usize) -> Result<usize, Error> {
        if row >= USABLE_ROWS {
            return Err(Error::NotEnoughRowsAvailable {
                current_k: LOG_ROWS as u32,
            });
        }
        let column = self.layout.advice.iter().position(|name| *name == column);
        Ok(column.ok_or(Error::BoundsFailure)? * ROWS + row)
    }
}

impl Drop for Cells<'_> {
    fn drop(&mut self) {
        self.numerators.fill(pallas::Base::ZERO);
        self.denominators
            .values_mut()
            .for_each(|value| *value = pallas::Base::ZERO);
        core::hint::black_box((&mut self.numerators, &mut self.denominators));
    }
}

fn column(values: &[pallas::Base]) -> Column {
    let mut rows = Column::zero();
    for (row, value) in values.iter().enumerate() {
        if !bool::from(value.is_zero()) {
            rows.set(row, &converted(value));
        }
    }
    rows
}

fn converted(value: &pallas::Base) -> Fp {
    let mut bytes = value.to_repr();
    let element = Fp::from_bytes(&bytes).unwrap_or(Fp::ZERO);
    bytes.zeroize();
    element
}

/// Inverses with one inversion; zero for zero.
fn inverses(values: &[Fp]) -> Vec<Fp> {
    let mut prefixes = Vec::with_capacity(values.len());
    let mut product = Fp::ONE;
    for value in values {
        prefixes.push(product);
        if !value.is_zero() {
            product = product.mul(value);
        }
    }
    let mut rest = product.invert();
    for (prefix, value) in prefixes.iter_mut().zip(values).rev() {
        if value.is_zero() {
            *prefix = Fp::ZERO;
        } else {
            *prefix = prefix.mul(&rest);
            rest = rest.mul(value);
        }
    }
    prefixes
}

impl Assignment<pallas::Base> for Cells<'_> {
    fn enter_region<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn exit_region(&mut self) {}

    fn enable_selector<A, AR>(&mut self, _: A, _: &Selector, _: usize) -> Result<(), Error>
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(())
    }

    fn query_instance(
        &self,
        column: CircuitColumn<Instance>,
        row: usize,
    ) -> Result<Value<pallas::Base>, Error> {
        let value = self
            .instance
            .get(row)
            .filter(|_| column == self.layout.instance);
        value
            .map(|value| Value::known(*value))
            .ok_or(Error::BoundsFailure)
    }

    fn assign_advice<V, VR, A, AR>(
        &mut self,
        _: A,
        column: CircuitColumn<Advice>,
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
        let mut assigned = None;
        to().map(|value| assigned = Some(value.into()));
        let assigned: Assigned<pallas::Base> = assigned.ok_or(Error::Synthesis)?;
        self.numerators[place] = assigned.numerator();
        // Some cells are assigned twice; the last value counts.
        match assigned.denominator() {
            Some(denominator) => self.denominators.insert(place, denominator),
            None => self.denominators.remove(&place),
        };
        Ok(())
    }

    fn assign_fixed<V, VR, A, AR>(
        &mut self,
        _: A,
        _: CircuitColumn<Fixed>,
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

    fn copy(
        &mut self,
        _: CircuitColumn<Any>,
        _: usize,
        _: CircuitColumn<Any>,
        _: usize,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn fill_from_row(
        &mut self,
        _: CircuitColumn<Fixed>,
        _: usize,
        _: Value<Assigned<pallas::Base>>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn push_namespace<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn pop_namespace(&mut self, _: Option<String>) {}
}
