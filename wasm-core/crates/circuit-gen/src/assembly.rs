//! Circuit layout: runs upstream's synthesis once for the fixed columns and the copy constraints.

use std::collections::HashMap;

use ff::Field;
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Circuit, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector, VerifyingKey,
};
use pasta_curves::{Fp, vesta};
use svc_circuit::mapping::Mapping;
use svc_circuit::shape::{self, FIXED_COLUMNS, PERMUTATION, ROWS, USABLE_ROWS};

use crate::debug_text::Value as Text;
use crate::gen_error::GenError;

/// The fixed column of constants. It has no public name upstream.
const CONSTANTS: usize = 3;

/// The witness-independent layout of a circuit.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Fixed columns, combined selectors included.
    pub fixed: Vec<Vec<Fp>>,
    /// Which cells are copies of each other.
    pub mapping: Mapping,
    /// Of every region with witness cells, in the order upstream enters them: its first row.
    pub regions: Vec<u16>,
}

impl Layout {
    /// Lays the circuit out. `key` tells which selector went into which fixed column.
    ///
    /// # Errors
    /// When the circuit does not have the expected shape.
    pub fn of<C: Circuit<Fp>>(
        circuit: &C,
        key: &VerifyingKey<vesta::Affine>,
    ) -> Result<Self, GenError> {
        let places = selector_places(key)?;
        let mut system = ConstraintSystem::default();
        let config = C::configure(&mut system);
        let names = Names::new(places.len());
        let mut assembly = Assembly {
            fixed: vec![vec![Fp::ZERO; ROWS]; FIXED_COLUMNS],
            mapping: Mapping::identity(),
            selectors: places,
            names,
            regions: Vec::new(),
            inside: false,
        };
        C::FloorPlanner::synthesize(&mut assembly, circuit, config, vec![constants_column()])
            .map_err(|error| GenError::new(format!("{error:?}")))?;
        Ok(Self {
            fixed: assembly.fixed,
            mapping: assembly.mapping,
            regions: starts(&assembly.regions),
        })
    }
}

/// Where a selector ended up: rows with the value `root` in a fixed column are its rows.
#[derive(Clone, Copy, Debug)]
struct Place {
    column: usize,
    root: u64,
}

/// Upstream keeps the column of each selector in the key. Within a column it numbers the selectors from one in
/// their own order.
fn selector_places(key: &VerifyingKey<vesta::Affine>) -> Result<Vec<Place>, GenError> {
    const FIELD: &str = "selector_map: ";
    let text = format!("{key:?}");
    let start = text
        .find(FIELD)
        .ok_or_else(|| GenError::new("no selector map"))?
        + FIELD.len();
    let length = text[start..]
        .find(']')
        .ok_or_else(|| GenError::new("open selector map"))?
        + 1;
    let map = Text::parse(&text[start..start + length])?;
    let mut used = [0u64; FIXED_COLUMNS];
    map.items()?
        .iter()
        .map(|item| {
            let column: usize = item.field("index")?.number()?;
            let count = used
                .get_mut(column)
                .ok_or_else(|| GenError::new("unknown selector column"))?;
            *count += 1;
            Ok(Place {
                column,
                root: *count,
            })
        })
        .collect()
}

/// A region while it is assigned.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// The smallest row of any of its cells, selectors and fixed columns included.
    first: Option<usize>,
    /// Whether it has witness cells; tables do not.
    witness: bool,
}

fn starts(regions: &[Extent]) -> Vec<u16> {
    let with_witness = regions.iter().filter(|region| region.witness);
    with_witness
        .filter_map(|region| region.first.map(|row| row as u16))
        .collect()
}

/// The fixed column that the circuit keeps constants in.
pub(crate) fn constants_column() -> Column<Fixed> {
    let mut system = ConstraintSystem::<Fp>::default();
    for _ in 0..CONSTANTS {
        system.fixed_column();
    }
    system.fixed_column()
}

/// Indices of upstream's columns and selectors, which it does not tell: those of a system of our own are equal.
struct Names {
    fixed: HashMap<Column<Fixed>, usize>,
    permutation: HashMap<Column<Any>, usize>,
    selectors: HashMap<Selector, usize>,
}

impl Names {
    fn new(selectors: usize) -> Self {
        let mut system = ConstraintSystem::<Fp>::default();
        let fixed: Vec<_> = (0..FIXED_COLUMNS).map(|_| system.fixed_column()).collect();
        let advice: Vec<_> = (0..shape::ADVICE_COLUMNS)
            .map(|_| system.advice_column())
            .collect();
        let instance = system.instance_column();
        let permutation = PERMUTATION.iter().enumerate().map(|(index, column)| {
            let column: Column<Any> = match *column {
                shape::Column::Instance => instance.into(),
                shape::Column::Advice(index) => advice[index].into(),
                shape::Column::Fixed(index) => fixed[index].into(),
            };
            (column, index)
        });
        let permutation = permutation.collect();
        // A selector is simple or not, and either kind counts on.
        let mut other = ConstraintSystem::<Fp>::default();
        let selectors = (0..selectors).flat_map(|index| {
            [
                (system.selector(), index),
                (other.complex_selector(), index),
            ]
        });
        Self {
            permutation,
            selectors: selectors.collect(),
            fixed: fixed
                .into_iter()
                .enumerate()
                .map(|(index, column)| (column, index))
                .collect(),
        }
    }
}

struct Assembly {
    fixed: Vec<Vec<Fp>>,
    mapping: Mapping,
    selectors: Vec<Place>,
    names: Names,
    regions: Vec<Extent>,
    inside: bool,
}

impl Assembly {
    /// Notes that the region being assigned has a cell in a row.
    fn touch(&mut self, row: usize, witness: bool) -> Result<(), Error> {
        usable(row)?;
        // Constants are assigned outside of regions.
        if let Some(region) = self.regions.last_mut().filter(|_| self.inside) {
            region.first = Some(region.first.map_or(row, |first| first.min(row)));
            region.witness |= witness;
        }
        Ok(())
    }

    fn set(
        &mut self,
        column: Column<Fixed>,
        rows: core::ops::Range<usize>,
        to: Value<Assigned<Fp>>,
    ) -> Result<(), Error> {
        let column = *self.names.fixed.get(&column).ok_or(Error::BoundsFailure)?;
        let cells = self.fixed[column]
            .get_mut(rows)
            .ok_or(Error::BoundsFailure)?;
        let mut known = false;
        to.map(|value| {
            cells.fill(value.evaluate());
            known = true;
        });
        if known { Ok(()) } else { Err(Error::Synthesis) }
    }

    fn permutation_index(&self, column: Column<Any>) -> Result<usize, Error> {
        self.names
            .permutation
            .get(&column)
            .copied()
            .ok_or(Error::ColumnNotInPermutation(column))
    }
}

fn usable(row: usize) -> Result<(), Error> {
    if row < USABLE_ROWS {
        Ok(())
    } else {
        Err(Error::BoundsFailure)
    }
}

impl Assignment<Fp> for Assembly {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {
        self.regions.push(Extent::default());
        self.inside = true;
    }

    fn exit_region(&mut self) {
        self.inside = false;
    }

    fn enable_selector<A, AR>(&mut self, _: A, selector: &Selector, row: usize) -> Result<(), Error>
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.touch(row, false)?;
        let index = *self
            .names
            .selectors
            .get(selector)
            .ok_or(Error::BoundsFailure)?;
        let place = *self.selectors.get(index).ok_or(Error::BoundsFailure)?;
        self.fixed[place.column][row] = Fp::from(place.root);
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, row: usize) -> Result<Value<Fp>, Error> {
        usable(row).map(|()| Value::unknown())
    }

    fn assign_advice<V, VR, A, AR>(
        &mut self,
        _: A,
        _: Column<Advice>,
        row: usize,
        _: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Assigned<Fp>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.touch(row, true)
    }

    fn assign_fixed<V, VR, A, AR>(
        &mut self,
        _: A,
        column: Column<Fixed>,
        row: usize,
        to: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Assigned<Fp>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.touch(row, false)?;
        self.set(column, row..row + 1, to().into_field())
    }

    fn copy(
        &mut self,
        left_column: Column<Any>,
        left_row: usize,
        right_column: Column<Any>,
        right_row: usize,
    ) -> Result<(), Error> {
        usable(left_row)?;
        usable(right_row)?;
        let left = self.permutation_index(left_column)?;
        let right = self.permutation_index(right_column)?;
        self.mapping.join((left, left_row), (right, right_row));
        Ok(())
    }

    fn fill_from_row(
        &mut self,
        column: Column<Fixed>,
        row: usize,
        to: Value<Assigned<Fp>>,
    ) -> Result<(), Error> {
        usable(row)?;
        self.set(column, row..USABLE_ROWS, to)
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
