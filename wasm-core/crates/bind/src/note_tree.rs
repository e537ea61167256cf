//! JavaScript binding of the wallet's note commitment tree.

use svc_codec::hash32::Hash32;
use svc_scan::note_tree::NoteTree as Tree;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown::{bad_call, thrown};

fn hashes(bytes: &[u8]) -> Result<Vec<Hash32>, JsError> {
    let (hashes, rest) = bytes.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(thrown(bad_call("commitments and nodes are 32 bytes each")));
    }
    Ok(hashes.iter().map(|hash| Hash32(*hash)).collect())
}

/// Note commitments from a base on: roots and paths at any size since.
#[wasm_bindgen]
pub struct NoteTree(Tree);

#[wasm_bindgen]
impl NoteTree {
    /// Opens a tree of a TreeState (formats 1.4), which `/v1/tree/state` answers, or of what `toBytes` gave. Throws
    /// `codec/*`, `shielded/bad-frontier`.
    #[wasm_bindgen(constructor)]
    pub fn new(state_bytes: &[u8]) -> Result<Self, JsError> {
        Ok(Self(Tree::from_bytes(state_bytes).map_err(thrown)?))
    }

    /// Appends note commitments, 32 bytes for each leaf. Throws `codec/not-canonical`, `shielded/tree-full`,
    /// `engine/bad-call` for another length; the tree is unchanged then.
    pub fn append(&mut self, cmx: &[u8]) -> Result<(), JsError> {
        self.0.append(&hashes(cmx)?).map_err(thrown)
    }

    /// All nodes of the complete subtree of `2^height` leaves that begins at `first`, 32 bytes each: the leaves, then level by
    /// level up to its root. Throws `shielded/bad-position` for a height above 16, a `first` that is no multiple of the
    /// number of leaves, and leaves before the base or behind the end.
    pub fn subtree(&self, first: u64, height: u32) -> Result<Vec<u8>, JsError> {
        let nodes = self.0.subtree(first, height).map_err(thrown)?;
        Ok(nodes.iter().flat_map(|node| node.0).collect())
    }

    /// Appends what `subtree` gave, without a hash: that parents follow from their children is not checked. Throws
    /// `codec/not-canonical`, `shielded/tree-full`, `shielded/bad-position` for another number of nodes and a size that is no
    /// multiple of the number of leaves; the tree is unchanged then.
    #[wasm_bindgen(js_name = appendSubtree)]
    pub fn append_subtree(&mut self, nodes: &[u8]) -> Result<(), JsError> {
        self.0.append_subtree(&hashes(nodes)?).map_err(thrown)
    }

    /// Forgets the leaves from `size` on. Throws `shielded/bad-position` for a size below the base or above the tree's.
    pub fn truncate(&mut self, size: u64) -> Result<(), JsError> {
        self.0.truncate(size).map_err(thrown)
    }

    /// The number of leaves in all, those before the base included.
    pub fn size(&self) -> u64 {
        self.0.size()
    }

    /// The number of leaves at the base: roots and paths are known for sizes from there on.
    pub fn base(&self) -> u64 {
        self.0.base_size()
    }

    /// The root when the tree had `size` leaves, 32 bytes. Throws `shielded/bad-position` for a size below the base or
    /// above the tree's.
    pub fn root(&self, size: u64) -> Result<Vec<u8>, JsError> {
        Ok(self.0.root(size).map_err(thrown)?.0.to_vec())
    }

    /// The 32 siblings of a leaf when the tree had `size` leaves, 32 bytes each, the lowest first. Throws
    /// `shielded/bad-position`, also for a leaf before the last of the base.
    pub fn path(&self, position: u64, size: u64) -> Result<Vec<u8>, JsError> {
        Ok(self
            .0
            .path(position, size)
            .map_err(thrown)?
            .iter()
            .flat_map(|sibling| sibling.0)
            .collect())
    }

    /// The stored form of the tree, which the constructor opens.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }
}
