//! Merkle path chip: from a note commitment to the root of its tree.

use svc_kernels::curve::{Affine, Pallas};

use crate::bits::Bits;
use crate::hash::sinsemilla::{Chip, Domain, Generators, hash_to_point, join, piece};
use crate::range_check;
use crate::sheet::{Fp, Sheet};

/// Levels of the tree.
pub const DEPTH: usize = 32;
/// Levels that the first chip hashes; the second one hashes the rest.
const LEFT_LEVELS: usize = DEPTH / 2;

/// Hashes a leaf with its siblings `path`, lowest first, up to the root. Bit i of `position` tells whether the node at
/// level i is a right child.
pub fn root(
    sheet: &mut Sheet<'_>,
    generators: &Generators,
    leaf: &Fp,
    position: u32,
    path: &[Fp; DEPTH],
) -> Fp {
    let start = Domain::MerkleCrh.start();
    let mut node = *leaf;
    for (level, sibling) in path.iter().enumerate() {
        let chip = if level < LEFT_LEVELS {
            Chip::Left
        } else {
            Chip::Right
        };
        let is_right = position >> level & 1 == 1;
        let (left, right) = swap(sheet, chip, &node, sibling, is_right);
        let children = Children { level, left, right };
        node = children.hash(sheet, chip, generators, &start);
    }
    node
}

/// Two nodes to be hashed.
struct Children {
    level: usize,
    left: Fp,
    right: Fp,
}

/// The nodes in the order that `swapped` asks for.
fn swap(sheet: &mut Sheet<'_>, chip: Chip, node: &Fp, sibling: &Fp, swapped: bool) -> (Fp, Fp) {
    let (left, right) = if swapped {
        (*sibling, *node)
    } else {
        (*node, *sibling)
    };
    let flag = Fp::from_u64(u64::from(swapped));
    let mut region = sheet.region();
    for (i, value) in [node, sibling, &left, &right, &flag]
        .into_iter()
        .enumerate()
    {
        region.set(chip.base() + i, 0, value);
    }
    (left, right)
}

impl Children {
    /// Their parent. The message is level (10 bits), left (255 bits), right (255 bits), cut into
    /// a = level, left 0..240; b = left 240..255, right 0..5; c = right 5..255.
    fn hash(
        &self,
        sheet: &mut Sheet<'_>,
        chip: Chip,
        generators: &Generators,
        start: &Affine<Pallas>,
    ) -> Fp {
        let (left, right) = (Bits::of(&self.left), Bits::of(&self.right));
        let level = Fp::from_u64(self.level as u64);
        let a = join(&[(level, 10), (left.range(0..240), 240)]);
        let a = piece(sheet, chip, &a, 25);
        let b_1 = range_check::short_of(sheet, &left, 250..255);
        let b_2 = range_check::short_of(sheet, &right, 0..5);
        let b = join(&[(left.range(240..250), 10), (b_1, 5), (b_2, 5)]);
        let b = piece(sheet, chip, &b, 2);
        let c = piece(sheet, chip, &right.range(5..255), 25);
        let hash = hash_to_point(sheet, chip, generators, start, &[a, b, c]);
        let second = |piece: usize| hash.sums.get(piece).and_then(|sums| sums.get(1));
        let z_1 = [0, 1].map(|piece| second(piece).copied().unwrap_or(Fp::ZERO));
        let rows = [
            [&a.value, &b.value, &c.value, &self.left, &self.right],
            [&z_1[0], &z_1[1], &b_1, &b_2, &level],
        ];
        let mut region = sheet.region();
        for (offset, row) in rows.into_iter().enumerate() {
            for (i, value) in row.into_iter().enumerate() {
                region.set(chip.base() + i, offset, value);
            }
        }
        hash.point.x
    }
}
