//! Trial decryption by upstream's batch call.

use std::time::Instant;

use orchard::keys::{PreparedIncomingViewingKey, Scope};
use orchard::note_encryption::OrchardDomain;
use serde_json::{Value, json};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_scan::record::Record;
use svc_shielded::full_output::FullOutput;
use svc_shielded::keys::{address_at, full_viewing_key, viewing_key};
use zcash_note_encryption::batch;

use crate::keys::millis;
use crate::request::Failure;
use crate::wallet::{PAYEE, seed};

/// Tries all actions of a page with all wallets' keys. `ms` is upstream's call alone; reading the page is not
/// in it, nor the points of the keys.
pub fn scan(body: &str, blocks: usize, wallets: &[u8]) -> Result<Value, Failure> {
    let bytes = hex::decode(body)?;
    let mut reader = Reader::new(&bytes);
    let records = (0..blocks)
        .map(|_| Record::decode(&mut reader))
        .collect::<Result<Vec<_>, _>>()?;
    let outputs = records
        .iter()
        .flat_map(|record| &record.txs)
        .flat_map(|tx| &tx.actions)
        .map(|action| {
            let output = FullOutput::from_parts(
                action.nullifier.as_bytes(),
                action.cmx.as_bytes(),
                action.epk,
                action.enc,
            )?;
            Ok((OrchardDomain::for_compact_action(&output.compact), output))
        })
        .collect::<Result<Vec<_>, SvcError>>()?;
    let keys = wallets
        .iter()
        .map(|wallet| {
            let fvk = viewing_key(&full_viewing_key(&seed(*wallet))?)?;
            Ok(PreparedIncomingViewingKey::new(
                &fvk.to_ivk(Scope::External),
            ))
        })
        .collect::<Result<Vec<_>, SvcError>>()?;
    let start = Instant::now();
    let hits = batch::try_compact_note_decryption(&keys, &outputs);
    let ms = millis(start);
    let found = hits.iter().flatten().count();
    Ok(json!({ "ms": ms, "actions": outputs.len(), "found": found }))
}

/// The body of a page of scan records whose actions are for nobody: real points as ephemeral keys, noise as
/// ciphertexts. Finding nothing costs the same as on a chain where one owns nothing, which is the usual case.
pub fn page(blocks: usize, actions: usize) -> Result<Value, Failure> {
    let stranger = full_viewing_key(&seed(PAYEE))?;
    let mut writer = Writer::new();
    for block in 0..blocks {
        writer
            .hash(&noise(block, 0, 0))
            .u64(block as u64 + 1)
            .u64(block as u64 + 1)
            .u64(0)
            .u64((block * actions) as u64)
            .hash(&Hash32::ZERO)
            .count_u16(0)
            .count_u16(1)
            .hash(&Hash32::ZERO)
            .count_u16(actions);
        for action in 0..actions {
            let address = address_at(&stranger, (block * actions + action) as u32)?;
            let field = |what| canonical(noise(block, action, what));
            writer.hash(&field(1)).hash(&field(2)).bytes(&address[11..]);
            for part in 0..18 {
                writer.hash(&noise(block, action, 3 + part));
            }
            writer.bytes(&[0; 4]).bytes(&[0; 80]).bytes(&[0; 32]);
        }
    }
    Ok(json!({ "body": hex::encode(&writer.into_vec()) }))
}

fn noise(block: usize, action: usize, what: u8) -> Hash32 {
    let text = format!("{block}/{action}/{what}");
    blake2b_plain().update(text.as_bytes()).finalize()
}

/// Below 2^254, so below the modulus.
fn canonical(mut hash: Hash32) -> Hash32 {
    hash.0[31] &= 0x3f;
    hash
}
