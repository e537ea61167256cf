//! A note in the note tree of a proved block: who was paid how much (specification shielded 1.3, 7, 18).
//!
//! Payer and payee both know what makes the note: recipient, value, the nullifier of its action and its seed. Nobody else
//! can open the commitment that stands in the tree.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::field::TREE_DEPTH;
use svc_shielded::frontier::combine;
use svc_shielded::note::{NoteParts, commitment};

use crate::wire::{put_form, read_form};

/// A note and its place in the tree, as they are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteOpening {
    /// What makes the note.
    pub parts: NoteParts,
    /// Place of its commitment among the leaves.
    pub position: u32,
    /// Siblings on the way to the root, the lowest first.
    pub path: Vec<Hash32>,
}

/// A note that stands in the tree. Only [`prove_note`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedNote {
    parts: NoteParts,
    position: u32,
}

impl ProvedNote {
    /// What makes the note.
    pub fn parts(&self) -> &NoteParts {
        &self.parts
    }

    /// Place among the leaves.
    pub fn position(&self) -> u32 {
        self.position
    }
}

impl NoteOpening {
    /// The raw form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(128 + 32 * self.path.len());
        put_form(&mut writer);
        writer.bytes(&self.parts.recipient);
        writer.u64(self.parts.value).hash(&self.parts.rho);
        writer.bytes(&self.parts.rseed).u32(self.position);
        for sibling in &self.path {
            writer.hash(sibling);
        }
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`: always one sibling for each level. Errors: `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let parts = NoteParts {
            recipient: reader.array()?,
            value: reader.u64()?,
            rho: reader.hash()?,
            rseed: reader.array()?,
        };
        let position = reader.u32()?;
        let path = (0..TREE_DEPTH)
            .map(|_| reader.hash())
            .collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(Self {
            parts,
            position,
            path,
        })
    }
}

/// Checks that a note stands in the tree with this root.
///
/// # Errors
/// `shielded/bad-recipient`, `shielded/bad-note`, `codec/not-canonical` for a sibling that is no node,
/// `evidence/not-in-tree`.
pub fn prove_note(tree_root: &Hash32, told: NoteOpening) -> Result<ProvedNote, SvcError> {
    let mut node = commitment(&told.parts.to_note()?);
    for (level, sibling) in (0..TREE_DEPTH).zip(&told.path) {
        let is_right = told.position >> level & 1 == 1;
        let (left, right) = if is_right {
            (sibling, &node)
        } else {
            (&node, sibling)
        };
        node = combine(level, left, right)?;
    }
    if node != *tree_root || told.path.len() != usize::from(TREE_DEPTH) {
        return Err(SvcError::new(Code::EvidenceNotInTree).with("root", tree_root));
    }
    Ok(ProvedNote {
        parts: told.parts,
        position: told.position,
    })
}
