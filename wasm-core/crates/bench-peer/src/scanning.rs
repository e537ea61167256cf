//! Benchmark of upstream's trial decryption, by its batch call.

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
use svc_scan::record::{Record, RecordAction};
use svc_shielded::full_output::FullOutput;
use svc_shielded::keys::{address_at, full_viewing_key, viewing_key};
use svc_shielded::memo;
use svc_shielded::note::{NoteParts, commitment};
use zcash_note_encryption::{Domain, NoteEncryption, batch};

use crate::keys::millis;
use crate::request::Failure;
use crate::wallet::{PAYEE, seed};

/// Sompi of the one note of a page that is found.
const OWN_VALUE: u64 = 12_345;

/// Tries all actions of a page with all wallets' keys. `ms` is upstream's call alone; reading the page is not
/// in it, nor the points of the keys.
pub fn scan(body: &str, blocks: usize, wallets: &[u8]) -> Result<Value, Failure> {
    let bytes = hex::decode(body)?;
    let mut reader = Reader::new(&bytes);
    let records = (0..blocks)
        .map(|_| Record::read(&mut reader, RecordAction::of))
        .collect::<Result<Vec<_>, _>>()?;
    let outputs = records
        .iter()
        .flat_map(Record::actions)
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
    // The keys of an action follow each other, actions lie in the tree in their order.
    let positions: Vec<String> = hits
        .iter()
        .enumerate()
        .filter(|(_, hit)| hit.is_some())
        .map(|(place, _)| place.to_string())
        .collect();
    Ok(json!({ "ms": ms, "actions": outputs.len(), "positions": positions }))
}

/// The body of a page of scan records. One action is for the wallet; all others are for nobody: real points as ephemeral
/// keys, noise as ciphertexts. On a chain one owns next to nothing, so this is the usual case; the one note shows
/// that who measures would have found it.
pub fn page(blocks: usize, actions: usize, wallet: u8) -> Result<Value, Failure> {
    let stranger = full_viewing_key(&seed(PAYEE))?;
    // Neither at the beginning nor at the end of the page or of its block.
    let own = blocks * actions * 5 / 8 + actions / 3;
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
            let place = block * actions + action;
            let rho = canonical(noise(block, action, 1));
            writer.hash(&rho);
            if place == own {
                writer.bytes(&received(wallet, rho)?);
            } else {
                let address = address_at(&stranger, place as u32)?;
                writer
                    .hash(&canonical(noise(block, action, 2)))
                    .bytes(&address[11..]);
                for part in 0..18 {
                    writer.hash(&noise(block, action, 3 + part));
                }
                writer.bytes(&[0; 4]);
            }
            writer.bytes(&[0; 80]).bytes(&[0; 32]);
        }
    }
    Ok(json!({ "body": hex::encode(&writer.into_vec()) }))
}

/// Commitment, ephemeral key and ciphertext of a note that the wallet receives.
fn received(wallet: u8, rho: Hash32) -> Result<Vec<u8>, SvcError> {
    let parts = NoteParts {
        recipient: address_at(&full_viewing_key(&seed(wallet))?, 0)?,
        value: OWN_VALUE,
        rho,
        rseed: [wallet; 32],
    };
    let note = parts.to_note()?;
    let encryption = NoteEncryption::<OrchardDomain>::new(None, note, memo::pad(b"own")?);
    let mut writer = Writer::new();
    writer
        .hash(&commitment(&note))
        .bytes(&OrchardDomain::epk_bytes(encryption.epk()).0)
        .bytes(&encryption.encrypt_note_plaintext().0);
    Ok(writer.into_vec())
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
