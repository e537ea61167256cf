//! Payment fixtures with well-formed bytes and made-up content. The engine takes the verdict on a proof from its
//! host; here the first byte of the binding signature is the proof.

use svc_chain::subnetwork;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{
    Action, Bundle, ENC_LEN, FLAG_ANCHOR_BLOCK, FLAG_OUTPUTS, FLAG_SPENDS, OUT_LEN, proof_len,
};
use svc_shielded::frontier::empty_root;

/// First byte of the binding signature of a payment whose proof fails.
const BROKEN: u8 = 0xff;
/// Where the binding signature begins in a payload: flags, value, anchor and its own length come before.
const SIGNATURE_AT: usize = 1 + 8 + 32 + 4;

/// Builder of a payment.
#[derive(Clone, Debug)]
pub struct Payment {
    /// Notes it spends, by number: equal numbers conflict.
    pub notes: Vec<u64>,
    /// Sompi.
    pub fee: i64,
    /// Tree root it refers to.
    pub anchor: Hash32,
    /// The block of that root; `None` makes the form before the security fork.
    pub anchor_block: Option<Hash32>,
    /// Makes two payments of the same notes different transactions.
    pub salt: u64,
    /// The user lane it goes through, if not the native one; then it also declares gas.
    pub lane: Option<u8>,
    /// Whether the simulated verifiers find the proof valid.
    pub proof_holds: bool,
    /// Bits of the flags byte that no rule knows.
    pub odd_flags: u8,
}

/// A canonical field element, another for every kind and number.
fn element(kind: u8, number: u64) -> Hash32 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8] = kind;
    Hash32(bytes)
}

/// A user lane by number: four bytes, of which not all but the first may be zero.
fn user_lane(number: u8) -> [u8; 20] {
    let mut id = [0; 20];
    id[..2].copy_from_slice(&[number, 1]);
    id
}

impl Payment {
    /// A payment against the empty tree, whose anchor is always final, in the form from the security fork on.
    pub fn of(notes: Vec<u64>) -> Self {
        Self {
            notes,
            fee: 0,
            anchor: empty_root(32),
            anchor_block: Some(Hash32::ZERO),
            salt: 0,
            lane: None,
            proof_holds: true,
            odd_flags: 0,
        }
    }

    /// The transaction.
    pub fn build(&self) -> Transaction {
        let anchor_flag = self.anchor_block.map_or(0, |_| FLAG_ANCHOR_BLOCK);
        let mut binding_signature = [0; 64];
        binding_signature[0] = if self.proof_holds { 0 } else { BROKEN };
        binding_signature[8..16].copy_from_slice(&self.salt.to_le_bytes());
        let bundle = Bundle {
            flags: FLAG_SPENDS | FLAG_OUTPUTS | anchor_flag,
            value_balance: self.fee,
            anchor: self.anchor,
            binding_signature,
            actions: self.notes.iter().map(|note| self.action(*note)).collect(),
            proof: vec![0; proof_len(self.notes.len())],
            anchor_block: self.anchor_block,
        };
        let mut payload = bundle.encode();
        payload[0] |= self.odd_flags;
        Transaction {
            version: 2,
            inputs: Vec::new(),
            outputs: Vec::new(),
            lock_time: 0,
            subnetwork_id: self.lane.map_or(subnetwork::NATIVE, user_lane),
            gas: self.lane.map_or(0, u64::from),
            payload,
            storage_mass: 0,
        }
    }

    fn action(&self, note: u64) -> Action {
        Action {
            nullifier: element(1, note),
            rk: [3; 32],
            cmx: element(2, note ^ (self.salt << 32)),
            cv_net: [4; 32],
            epk: [5; 32],
            enc_ciphertext: [6; ENC_LEN],
            out_ciphertext: [7; OUT_LEN],
            signature: [8; 64],
        }
    }
}

/// The verdict of the simulated verifiers.
pub fn proof_holds(payment: &Transaction) -> bool {
    payment.payload.get(SIGNATURE_AT) != Some(&BROKEN)
}
