//! Sums of one scan record that a state root covers beside the leaves: minted coins and nullifiers (specification shielded 1.4).

use serde::Serialize;
use svc_chain::muhash::MuHash;
use svc_codec::hex;

use crate::record::Record;

/// The minted coins and the nullifiers of one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSums {
    /// Sompi minted, in decimal digits. Foreign values may add up to more than 64 bits.
    pub minted: String,
    /// Product of the nullifiers, 384 bytes little endian as hex; empty where there is none.
    pub spent: String,
}

impl RecordSums {
    /// Adds up a record, whoever owns what is in it.
    pub fn of(record: &Record) -> Self {
        let minted: u128 = record
            .minted
            .iter()
            .map(|note| u128::from(note.value))
            .sum();
        Self {
            minted: minted.to_string(),
            spent: product_of(record)
                .map_or_else(String::new, |product| hex::encode(&product.to_bytes())),
        }
    }
}

fn product_of(record: &Record) -> Option<MuHash> {
    let mut nullifiers = record.actions().map(|action| action.nullifier).peekable();
    nullifiers.peek()?;
    let mut product = MuHash::new();
    nullifiers.for_each(|nullifier| product.add(&nullifier.0));
    Some(product)
}
