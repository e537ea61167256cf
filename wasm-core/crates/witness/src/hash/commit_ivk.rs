//! Commit-ivk chip: the incoming viewing key, a commitment to the authorising key and the nullifier key.

use crate::add;
use crate::bits::Bits;
use crate::canonicity::{Bound, bound};
use crate::chips::Chips;
use crate::gate;
use crate::hash::sinsemilla::{Chip, Domain, Hash, Piece, hash_to_point, join, piece};
use crate::multiply::fixed_mul;
use crate::range_check::short_of;
use crate::sheet::{Fp, Fq, Sheet};
use crate::tables::Base;

/// The first column of the gate.
const FIRST_COLUMN: usize = 0;
/// The running sum that leaves 130 bits out.
const ABOVE_130: usize = 13;

/// The message ak (255 bits), nk (255 bits), cut into a = ak 0..250, b = ak 250..255 and nk 0..5, c = nk 5..245 and
/// d = nk 245..255.
struct Message {
    pieces: [Piece; 4],
    b_0: Fp,
    b_1: Fp,
    b_2: Fp,
    d_0: Fp,
    d_1: Fp,
}

/// The incoming viewing key of the abscissa `ak` and of `nk`, with randomness `rivk`.
pub fn commit_ivk(sheet: &mut Sheet<'_>, chips: &Chips, ak: &Fp, nk: &Fp, rivk: &Fq) -> Fp {
    let (ak_bits, nk_bits) = (Bits::of(ak), Bits::of(nk));
    let message = Message::cut(sheet, &ak_bits, &nk_bits);
    let blind = fixed_mul::full(sheet, &chips.tables, Base::CommitIvkR, rivk);
    let start = Domain::CommitIvk.start();
    let hash = hash_to_point(
        sheet,
        Chip::Left,
        &chips.generators,
        &start,
        &message.pieces,
    );
    let commitment = add::complete(sheet, &hash.point, &blind);
    let ak_bound = bound(sheet, &ak_bits.range(0..250), 13);
    let nk_bound = bound(sheet, &nk_bits.range(0..245), 14);
    message.show(sheet, [ak, nk], &hash, [&ak_bound, &nk_bound]);
    commitment.x
}

impl Message {
    fn cut(sheet: &mut Sheet<'_>, ak: &Bits, nk: &Bits) -> Self {
        let chip = Chip::Left;
        let a = piece(sheet, chip, &ak.range(0..250), 25);
        let b_0 = short_of(sheet, ak, 250..254);
        let b_1 = ak.range(254..255);
        let b_2 = short_of(sheet, nk, 0..5);
        let b = piece(sheet, chip, &join(&[(b_0, 4), (b_1, 1), (b_2, 5)]), 1);
        let c = piece(sheet, chip, &nk.range(5..245), 24);
        let d_0 = short_of(sheet, nk, 245..254);
        let d_1 = nk.range(254..255);
        let d = piece(sheet, chip, &join(&[(d_0, 9), (d_1, 1)]), 1);
        Self {
            pieces: [a, b, c, d],
            b_0,
            b_1,
            b_2,
            d_0,
            d_1,
        }
    }

    /// The gate: the pieces belong to the keys, and the keys are canonical.
    fn show(&self, sheet: &mut Sheet<'_>, keys: [&Fp; 2], hash: &Hash, bounds: [&Bound; 2]) {
        let [a, b, c, d] = self.pieces.each_ref().map(|piece| piece.value);
        let (z_a, z_c) = (hash.sum(0, ABOVE_130), hash.sum(2, ABOVE_130));
        let [of_ak, of_nk] = bounds;
        let first = [
            *keys[0],
            a,
            b,
            self.b_0,
            self.b_1,
            self.b_2,
            z_a,
            of_ak.shifted,
            of_ak.rest,
        ];
        let second = [
            *keys[1],
            c,
            d,
            self.d_0,
            self.d_1,
            Fp::ZERO,
            z_c,
            of_nk.shifted,
            of_nk.rest,
        ];
        gate::rows(sheet, FIRST_COLUMN, &[&first, &second]);
    }
}
