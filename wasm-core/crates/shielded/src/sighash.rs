//! Signature hash: the digest that every signature of a payment covers (specification shielded 4).

use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;

use crate::bundle::Bundle;

/// Bytes of the transaction context.
pub const TX_CONTEXT_LEN: usize = 38;

/// The context of every payment a wallet makes: version 2, native subnetwork, no lock time, no gas. Signers
/// pin it, so that nobody can make them sign for another envelope.
pub const WALLET_TX_CONTEXT: [u8; TX_CONTEXT_LEN] = {
    let mut context = [0; TX_CONTEXT_LEN];
    context[0] = 2;
    context
};

/// Version u16, subnetwork 20, lock time u64, gas u64: what the bundle is bound to besides itself.
pub fn tx_context(transaction: &Transaction) -> [u8; TX_CONTEXT_LEN] {
    let mut context = [0; TX_CONTEXT_LEN];
    context[..2].copy_from_slice(&transaction.version.to_le_bytes());
    context[2..22].copy_from_slice(&transaction.subnetwork_id);
    context[22..30].copy_from_slice(&transaction.lock_time.to_le_bytes());
    context[30..].copy_from_slice(&transaction.gas.to_le_bytes());
    context
}

/// The sighash under the network's `personal` and its genesis hash as `domain`. Proof and signatures are not
/// covered; the anchor block is, where there is one. Integers are little endian here.
pub fn sighash(
    personal: &[u8; 16],
    domain: &Hash32,
    bundle: &Bundle,
    context: &[u8; TX_CONTEXT_LEN],
) -> Hash32 {
    let mut hasher = blake2b_personal(personal);
    hasher
        .update(domain.as_bytes())
        .update(&[bundle.flags])
        .update(&bundle.value_balance.to_le_bytes())
        .update(bundle.anchor.as_bytes())
        .update(&(bundle.actions.len() as u32).to_le_bytes());
    for action in &bundle.actions {
        hasher
            .update(action.nullifier.as_bytes())
            .update(&action.rk)
            .update(action.cmx.as_bytes())
            .update(&action.cv_net)
            .update(&action.epk)
            .update(&action.enc_ciphertext)
            .update(&action.out_ciphertext);
    }
    if let Some(block) = &bundle.anchor_block {
        hasher.update(block.as_bytes());
    }
    hasher
        .update(&(TX_CONTEXT_LEN as u32).to_le_bytes())
        .update(context)
        .finalize()
}
