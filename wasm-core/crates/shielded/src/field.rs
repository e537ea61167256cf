//! Codec of canonical field elements: 32 bytes little endian, below the modulus (specification shielded 1.2).

use ff::PrimeField;
use orchard::tree::MerkleHashOrchard;
use pasta_curves::pallas;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

/// Depth of the note commitment tree.
pub const TREE_DEPTH: u8 = 32;

/// Reads a tree node. Error: `codec/not-canonical`.
pub fn node(bytes: &Hash32) -> Result<MerkleHashOrchard, SvcError> {
    MerkleHashOrchard::from_bytes(bytes.as_bytes())
        .into_option()
        .ok_or_else(|| SvcError::new(Code::CodecNotCanonical).with("what", "tree node"))
}

/// The bytes of a tree node.
pub fn node_bytes(node: &MerkleHashOrchard) -> Hash32 {
    Hash32(node.to_bytes())
}

/// Refuses bytes that are no tree node. Error: `codec/not-canonical`.
pub fn check_node(bytes: &Hash32) -> Result<(), SvcError> {
    if is_canonical_base(bytes.as_bytes()) {
        return Ok(());
    }
    Err(SvcError::new(Code::CodecNotCanonical).with("what", "tree node"))
}

/// Reads a scalar of the Pallas group, such as a signature randomizer; `None` if it is not canonical.
pub fn scalar(bytes: [u8; 32]) -> Option<pallas::Scalar> {
    pallas::Scalar::from_repr(bytes).into_option()
}

/// The bytes of a scalar.
pub fn scalar_bytes(scalar: &pallas::Scalar) -> [u8; 32] {
    scalar.to_repr()
}

/// Whether the 32 bytes are a canonical element of the base field, as every nullifier and commitment is.
pub fn is_canonical_base(bytes: &[u8; 32]) -> bool {
    pallas::Base::from_repr(*bytes).is_some().into()
}
