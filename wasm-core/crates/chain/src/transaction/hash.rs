//! Transaction hash and transaction id (specification consensus 9.2).

use svc_codec::hash32::Hash32;
use svc_codec::writer::Writer;

use crate::domain_hashers::{
    payload_digest, transaction_hash, transaction_id, transaction_rest, transaction_v1_id,
};
use crate::transaction::Transaction;

/// Which parts a hash covers; a part left out is written as empty.
#[derive(Clone, Copy)]
struct Cover {
    scripts: bool,
    payload: bool,
    mass: bool,
}

pub(crate) fn full_hash(transaction: &Transaction) -> Hash32 {
    let cover = Cover {
        scripts: true,
        payload: true,
        mass: true,
    };
    transaction_hash()
        .update(&preimage(transaction, cover))
        .finalize()
}

pub(crate) fn id(transaction: &Transaction) -> Hash32 {
    let cover = Cover {
        scripts: false,
        payload: transaction.version == 0,
        mass: false,
    };
    let bytes = preimage(transaction, cover);
    if transaction.version == 0 {
        return transaction_id().update(&bytes).finalize();
    }
    let payload = payload_digest().update(&transaction.payload).finalize();
    let rest = transaction_rest().update(&bytes).finalize();
    transaction_v1_id()
        .update(&payload.0)
        .update(&rest.0)
        .finalize()
}

fn preimage(transaction: &Transaction, cover: Cover) -> Vec<u8> {
    let payload: &[u8] = match cover.payload {
        true => &transaction.payload,
        false => &[],
    };
    let mut writer = Writer::with_capacity(256 + payload.len());
    writer.u16(transaction.version);
    inputs(&mut writer, transaction, cover);
    outputs(&mut writer, transaction);
    writer
        .u64(transaction.lock_time)
        .bytes(&transaction.subnetwork_id)
        .u64(transaction.gas);
    byte_string(&mut writer, payload);
    // Version 0 predates the field: its hash must not change while the mass is zero.
    if cover.mass && (transaction.version > 0 || transaction.storage_mass > 0) {
        writer.u64(transaction.storage_mass);
    }
    writer.into_vec()
}

fn inputs(writer: &mut Writer, transaction: &Transaction, cover: Cover) {
    writer.u64(transaction.inputs.len() as u64);
    for input in &transaction.inputs {
        writer.hash(&input.txid).u32(input.index);
        if cover.scripts {
            byte_string(writer, &input.script);
            if transaction.version == 0 {
                writer.u8(u8::try_from(input.compute).unwrap_or(u8::MAX));
            }
        } else {
            writer.u64(0);
        }
        writer.u64(input.sequence);
        if cover.mass && transaction.version > 0 {
            writer.u16(input.compute);
        }
    }
}

fn outputs(writer: &mut Writer, transaction: &Transaction) {
    writer.u64(transaction.outputs.len() as u64);
    for output in &transaction.outputs {
        writer.u64(output.value).u16(output.script_version);
        byte_string(writer, &output.script);
        if transaction.version > 0 {
            writer.u8(u8::from(output.covenant.is_some()));
            if let Some(covenant) = &output.covenant {
                writer.u16(covenant.authorizing_input).hash(&covenant.id);
            }
        }
    }
}

fn byte_string(writer: &mut Writer, bytes: &[u8]) {
    writer.u64(bytes.len() as u64).bytes(bytes);
}
