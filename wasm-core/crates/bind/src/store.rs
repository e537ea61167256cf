//! Adapter of the host's key-value store to the engine's [`Store`] trait: imported functions of a JavaScript object.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_consensus::store::{Batch, Change, KeyRange, Pair, Store};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The host's object, see docs/formats.md 3.4.
    pub type HostStore;

    #[wasm_bindgen(method, catch)]
    fn get(this: &HostStore, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn range(
        this: &HostStore,
        table: u8,
        from: &[u8],
        to: &[u8],
        limit: u32,
        reverse: bool,
    ) -> Result<Vec<u8>, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn commit(this: &HostStore, batch: &[u8]) -> Result<(), JsValue>;
}

const PUT: u8 = 1;
const DELETE: u8 = 2;

fn failed(code: Code, error: &JsValue) -> SvcError {
    SvcError::new(code).with("reason", crate::thrown::text_of(error))
}

impl Store for HostStore {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        HostStore::get(self, table, key).map_err(|error| failed(Code::StoreReadFailed, &error))
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        let limit = u32::try_from(range.limit).unwrap_or(u32::MAX);
        let bytes = HostStore::range(
            self,
            range.table,
            range.from,
            range.to,
            limit,
            range.reverse,
        )
        .map_err(|error| failed(Code::StoreReadFailed, &error))?;
        let mut reader = Reader::new(&bytes);
        let mut pairs = Vec::new();
        while reader.remaining() > 0 {
            let length = reader.u32()? as usize;
            let key = reader.take(length)?.to_vec();
            let length = reader.u32()? as usize;
            pairs.push((key, reader.take(length)?.to_vec()));
        }
        Ok(pairs)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        let fixed = 2 * size_of::<u8>() + 2 * size_of::<u32>();
        let length = batch
            .iter()
            .map(|Change { key, value, .. }| fixed + key.len() + value.as_ref().map_or(0, Vec::len))
            .sum();
        let mut writer = Writer::with_capacity(length);
        for change in &batch {
            writer.u8(if change.value.is_some() { PUT } else { DELETE });
            writer.u8(change.table);
            writer.u32(change.key.len() as u32);
            writer.bytes(&change.key);
            if let Some(value) = &change.value {
                writer.u32(value.len() as u32);
                writer.bytes(value);
            }
        }
        HostStore::commit(self, &writer.into_vec())
            .map_err(|error| failed(Code::StoreCommitFailed, &error))
    }
}
