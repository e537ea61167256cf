//! Upstream's circuit of an action from the bytes that travel to a worker, and the cells that its synthesis assigns.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use ff::PrimeField;
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Circuit as _, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector,
};
use orchard::builder::SpendInfo;
use orchard::circuit::Circuit;
use orchard::keys::FullViewingKey;
use orchard::note::{RandomSeed, Rho};
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::ValueCommitTrapdoor;
use pasta_curves::pallas;
use svc_circuit::shape::{ADVICE_COLUMNS, INSTANCE_ROWS, USABLE_ROWS};
use svc_codec::reader::Reader;
use svc_prove::engine::action_input::ActionInput;
use svc_prove::engine::{Column as Rows, Fp};
use svc_shielded::address::to_orchard;
use svc_shielded::note::new_note;
use svc_shielded::verify::CIRCUIT;

/// The fixed column that upstream's circuit keeps constants in.
const CONSTANTS_COLUMN: usize = 3;

type Planner = <Circuit as halo2_proofs::plonk::Circuit<pallas::Base>>::FloorPlanner;

/// The circuit with the private inputs of an action.
pub fn circuit(input: &ActionInput) -> Circuit {
    let mut reader = Reader::new(input.as_bytes());
    let fvk = FullViewingKey::from_bytes(&reader.array().unwrap()).unwrap();
    let address = to_orchard(&reader.array().unwrap()).unwrap();
    let value = reader.u64().unwrap();
    let rho = Rho::from_bytes(&reader.array().unwrap()).unwrap();
    let rseed = RandomSeed::from_bytes(reader.array().unwrap(), &rho).unwrap();
    let note = new_note(address, value, rho, rseed).unwrap();
    let position = reader.u32().unwrap();
    let path = [(); 32].map(|()| MerkleHashOrchard::from_bytes(&reader.array().unwrap()).unwrap());
    let rho = Rho::from_bytes(&note.nullifier(&fvk).to_bytes()).unwrap();
    let spend = SpendInfo::new(fvk, note, MerklePath::from_parts(position, path)).unwrap();
    let address = to_orchard(&reader.array().unwrap()).unwrap();
    let value = reader.u64().unwrap();
    let rseed = RandomSeed::from_bytes(reader.array().unwrap(), &rho).unwrap();
    let output = new_note(address, value, rho, rseed).unwrap();
    let alpha = pallas::Scalar::from_repr(reader.array().unwrap()).unwrap();
    let rcv = ValueCommitTrapdoor::from_bytes(reader.array().unwrap()).unwrap();
    Circuit::from_action_context(spend, output, alpha, rcv, CIRCUIT).unwrap()
}

/// The witness columns that upstream's synthesis gives, zero where it assigns nothing.
pub fn witness_columns(circuit: &Circuit, instance: &[Fp; INSTANCE_ROWS]) -> Vec<Rows> {
    let config = Circuit::configure(&mut ConstraintSystem::default());
    // Columns of a kind are told apart by their index alone, so those of another system name them as well.
    let mut names = ConstraintSystem::<pallas::Base>::default();
    let constants = (0..=CONSTANTS_COLUMN)
        .map(|_| names.fixed_column())
        .last()
        .unwrap();
    let theirs = |value: &Fp| pallas::Base::from_repr(value.to_bytes()).unwrap();
    let mut cells = Cells {
        columns: (0..ADVICE_COLUMNS).map(|_| names.advice_column()).collect(),
        instance: instance.iter().map(theirs).collect(),
        values: BTreeMap::new(),
    };
    Planner::synthesize(&mut cells, circuit, config, vec![constants]).unwrap();
    let mut columns: Vec<Rows> = (0..ADVICE_COLUMNS).map(|_| Rows::zero()).collect();
    for ((column, row), value) in &cells.values {
        let value = Fp::from_bytes(&value.evaluate().to_repr()).unwrap();
        columns[*column].set(*row, &value);
    }
    columns
}

/// Keeps the last value of every witness cell; a fraction over zero is zero.
struct Cells {
    columns: Vec<Column<Advice>>,
    instance: Vec<pallas::Base>,
    values: BTreeMap<(usize, usize), Assigned<pallas::Base>>,
}

impl Assignment<pallas::Base> for Cells {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

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
        _: Column<Instance>,
        row: usize,
    ) -> Result<Value<pallas::Base>, Error> {
        Ok(Value::known(self.instance[row]))
    }

    fn assign_advice<V, VR, A, AR>(
        &mut self,
        _: A,
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
        let column = self.columns.iter().position(|name| *name == column);
        let mut assigned = None;
        to().map(|value| assigned = Some(value.into()));
        self.values
            .insert((column.unwrap(), row), assigned.unwrap());
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

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
