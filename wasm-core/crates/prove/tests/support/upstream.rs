//! Upstream's circuit of an action from the bytes that travel to a worker, and the cells that its synthesis assigns.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ff::PrimeField;
use orchard::builder::SpendInfo;
use orchard::circuit::Circuit;
use orchard::keys::FullViewingKey;
use orchard::note::{RandomSeed, Rho};
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::ValueCommitTrapdoor;
use pasta_curves::pallas;
use svc_circuit::shape::{ADVICE_COLUMNS, INSTANCE_ROWS};
use svc_circuit_gen::recording::Recording;
use svc_codec::reader::Reader;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::{Column as Rows, Fp};
use svc_shielded::keys::address::to_orchard;
use svc_shielded::note::new_note;
use svc_shielded::verify::CIRCUIT;

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
    let instance = instance.map(|value| pallas::Base::from_repr(value.to_bytes()).unwrap());
    let recording = Recording::of(circuit, &instance).unwrap();
    let mut columns: Vec<Rows> = (0..ADVICE_COLUMNS).map(|_| Rows::zero()).collect();
    for ((column, row), cell) in &recording.cells {
        columns[*column].set(*row, &cell.value);
    }
    columns
}
