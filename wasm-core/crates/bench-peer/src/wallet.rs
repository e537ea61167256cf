//! Wallet fixture of the benchmarks, with as many notes as a payment needs.

use serde_json::{Value, json};
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_scan::note_tree::NoteTree;
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::note::NoteParts;
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_check::IntendedPayment;

use crate::request::Failure;

/// The seed byte of the wallet that pays.
pub const PAYER: u8 = 7;
/// The seed byte of the wallet that is paid.
pub const PAYEE: u8 = 9;
/// Sompi of each note, of the payment and of its fee.
const NOTE_VALUE: u64 = 100_000_000;
const PAID: u64 = 600;
/// The fee of a payment.
pub const FEE: u64 = 1_000;
/// Before this score no rule of the network changes.
pub const DAA_SCORE: u64 = 50;
/// Actions that fit one transaction, rounded up.
const MAX_ACTIONS: usize = 64;

/// The network of all measured payments.
pub fn profile() -> Result<Profile, SvcError> {
    const NETWORK: &str = "simnet";
    Profile::built_in(NETWORK)
        .ok_or_else(|| SvcError::new(Code::ProfileUnknown).with("name", NETWORK))
}

/// The seed of a test wallet.
pub fn seed(byte: u8) -> Secret32 {
    Secret32::new([byte; 32])
}

/// The notes with their commitments; each is an output of one made-up coinbase, to one address or each to its own.
pub fn minted(count: usize, spread: bool) -> Result<Vec<(NoteParts, Hash32)>, SvcError> {
    let profile = profile()?;
    let payer = full_viewing_key(&seed(PAYER))?;
    (0..count)
        .map(|index| {
            let address = address_at(&payer, if spread { index as u32 } else { 0 })?;
            let source = Source {
                block: Hash32([1; 32]),
                txid: Hash32([2; 32]),
                daa_score: 7,
                index: index as u32,
            };
            let note = coinbase_note::derive(&profile, &source, &address, NOTE_VALUE)?;
            Ok((note.parts(&address, NOTE_VALUE), note.cmx))
        })
        .collect()
}

/// What the payer intends in every measured payment.
pub fn intended() -> Result<IntendedPayment, SvcError> {
    Ok(IntendedPayment {
        address: address_at(&full_viewing_key(&seed(PAYEE))?, 0)?,
        value: PAID,
        memo: b"for you".to_vec(),
    })
}

/// A plan that spends `actions` notes of the wallet, which makes as many actions.
pub fn plan(actions: usize) -> Result<Value, Failure> {
    if actions == 0 || actions > MAX_ACTIONS {
        return Err("actions: 1 to 64".into());
    }
    let notes = minted(actions, false)?;
    let mut tree = NoteTree::new(Frontier::empty())?;
    let leaves: Vec<Hash32> = notes.iter().map(|(_, cmx)| *cmx).collect();
    tree.append(&leaves)?;
    let size = tree.size();
    let spends = notes
        .iter()
        .enumerate()
        .map(|(position, (note, _))| {
            let path: Vec<u8> = tree
                .path(position as u64, size)?
                .iter()
                .flat_map(|hash| hash.0)
                .collect();
            Ok(json!({
                "recipient": hex::encode(&note.recipient),
                "value": note.value.to_string(),
                "rho": note.rho,
                "rseed": hex::encode(&note.rseed),
                "position": position.to_string(),
                "path": hex::encode(&path),
            }))
        })
        .collect::<Result<Vec<_>, SvcError>>()?;
    let profile: Value = serde_json::from_str(&profile()?.canonical_json())?;
    Ok(json!({
        "profile": profile,
        "fvk": hex::encode(&full_viewing_key(&seed(PAYER))?),
        "daaScore": DAA_SCORE.to_string(),
        "anchor": tree.root(size)?,
        "anchorBlock": Hash32([0xab; 32]),
        "spends": spends,
        "outputs": [intended()?],
        "fee": FEE.to_string(),
        "recoverable": false,
    }))
}
