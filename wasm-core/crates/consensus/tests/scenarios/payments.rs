//! Payments with well-formed bytes and made-up content: the engine takes the verdict on a proof from its
//! host, so here the test decides it.

use svc_chain::subnetwork;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_consensus::store::Store;
use svc_shielded::bundle::{
    Action, Bundle, ENC_LEN, FLAG_ANCHOR_BLOCK, FLAG_OUTPUTS, FLAG_SPENDS, OUT_LEN, proof_len,
};
use svc_shielded::frontier::empty_root;

use crate::scenarios::kit::Node;

/// First byte of the binding signature of a payment whose proof fails.
const BROKEN: u8 = 0xff;

/// A payment in the making.
#[derive(Clone)]
pub struct Payment {
    /// Notes it spends, by number: equal numbers conflict.
    pub notes: Vec<u64>,
    /// Sompi.
    pub fee: i64,
    /// Tree root it refers to.
    pub anchor: Hash32,
    /// The block of that root; `None` makes the form before the fork.
    pub anchor_block: Option<Hash32>,
    /// Makes two payments of the same notes different transactions.
    pub salt: u64,
    /// Lock time of the envelope.
    pub lock_time: u64,
    /// Whether the test's host finds the proof valid.
    pub proof_holds: bool,
}

/// A canonical field element that is different for every kind and number.
fn element(kind: u8, number: u64) -> Hash32 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8] = kind;
    Hash32(bytes)
}

/// The nullifier of a note by number.
pub fn nullifier(note: u64) -> Hash32 {
    element(1, note)
}

impl Payment {
    /// A payment against the empty tree, whose anchor is always final. It pays no fee, so that it may be applied
    /// while the pool is empty.
    pub fn of(note: u64) -> Self {
        Self {
            notes: vec![note],
            fee: 0,
            anchor: empty_root(32),
            anchor_block: Some(Hash32::ZERO),
            salt: 0,
            lock_time: 0,
            proof_holds: true,
        }
    }

    /// The form before the security fork.
    pub fn plain(self) -> Self {
        Self {
            anchor_block: None,
            ..self
        }
    }

    /// Against the tree after a block.
    pub fn against<S: Store>(self, node: &Node<S>, block: &Hash32) -> Self {
        let anchor = node.state_of(block).tree_root;
        let anchor_block = self.anchor_block.map(|_| *block);
        Self {
            anchor,
            anchor_block,
            ..self
        }
    }

    /// With another fee in sompi.
    pub fn fee(self, fee: i64) -> Self {
        Self { fee, ..self }
    }

    /// Another transaction that spends the same notes.
    pub fn salted(self, salt: u64) -> Self {
        Self { salt, ..self }
    }

    /// With a proof that fails.
    pub fn broken(self) -> Self {
        Self {
            proof_holds: false,
            ..self
        }
    }

    /// The bundle.
    pub fn bundle(&self) -> Bundle {
        let anchor_flag = self.anchor_block.map_or(0, |_| FLAG_ANCHOR_BLOCK);
        let mut binding_signature = [0; 64];
        binding_signature[0] = if self.proof_holds { 0 } else { BROKEN };
        binding_signature[8..16].copy_from_slice(&self.salt.to_le_bytes());
        Bundle {
            flags: FLAG_SPENDS | FLAG_OUTPUTS | anchor_flag,
            value_balance: self.fee,
            anchor: self.anchor,
            binding_signature,
            actions: self.notes.iter().map(|note| self.action(*note)).collect(),
            proof: vec![0; proof_len(self.notes.len())],
            anchor_block: self.anchor_block,
        }
    }

    fn action(&self, note: u64) -> Action {
        Action {
            nullifier: nullifier(note),
            rk: [3; 32],
            cmx: element(2, note ^ (self.salt << 32)),
            cv_net: [4; 32],
            epk: [5; 32],
            enc_ciphertext: [6; ENC_LEN],
            out_ciphertext: [7; OUT_LEN],
            signature: [8; 64],
        }
    }

    /// The transaction.
    pub fn build(&self) -> Transaction {
        Transaction {
            lock_time: self.lock_time,
            ..carrying(self.bundle().encode())
        }
    }
}

/// A shielded envelope around any payload.
pub fn carrying(payload: Vec<u8>) -> Transaction {
    Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: subnetwork::NATIVE,
        gas: 0,
        payload,
        storage_mass: 0,
    }
}

/// The verdict of the test's host: the binding signature tells (it begins at byte 45).
pub fn proof_holds(payment: &Transaction) -> bool {
    payment.payload.get(45) != Some(&BROKEN)
}
