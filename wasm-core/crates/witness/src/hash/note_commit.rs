//! Note commitment chip.

use svc_kernels::curve::{Affine, Pallas};

use crate::add;
use crate::bits::Bits;
use crate::canonicity::{Bound, bound};
use crate::chips::Chips;
use crate::gate;
use crate::hash::sinsemilla::{Chip, Domain, Hash, Piece, hash_to_point, join, piece};
use crate::inputs::NoteInputs;
use crate::multiply::fixed_mul;
use crate::range_check::short_of;
use crate::sheet::{Fp, Sheet};
use crate::tables::Base;
use crate::y_canonicity::lowest_bit;

/// The first column of the gates.
const FIRST_COLUMN: usize = 6;
/// The running sum that leaves 130 bits out.
const ABOVE_130: usize = 13;

/// The integers that the message is made of.
struct Fields {
    /// Abscissa of the diversified base.
    g_x: Bits,
    g_y: Bits,
    /// Abscissa of the transmission key.
    pk_x: Bits,
    pk_y: Bits,
    value: Bits,
    rho: Bits,
    psi: Bits,
}

/// The message: 256 bits of either point, 64 of the value, 255 of rho and of psi, and four zeros. Its eight pieces are
///
/// - a = x(g) 0..250;
/// - b = x(g) 250..254, x(g) 254, the lowest bit of y(g), x(pk) 0..4;
/// - c = x(pk) 4..254;
/// - d = x(pk) 254, the lowest bit of y(pk), value 0..8, value 8..58;
/// - e = value 58..64, rho 0..4;
/// - f = rho 4..254;
/// - g = rho 254, psi 0..9, psi 9..249;
/// - h = psi 249..254, psi 254, 0000.
struct Message {
    pieces: [Piece; 8],
    b: [Fp; 4],
    d: [Fp; 3],
    e: [Fp; 2],
    g: [Fp; 2],
    h: [Fp; 2],
}

/// What shows that the four long fields are canonical.
struct Bounds {
    g_x: Bound,
    pk_x: Bound,
    rho: Bound,
    psi: Bound,
}

/// The commitment to a note that is bound to `rho`, hashed by `chip`.
pub fn note_commit(
    sheet: &mut Sheet<'_>,
    chips: &Chips,
    chip: Chip,
    note: &NoteInputs,
    rho: &Fp,
) -> Affine<Pallas> {
    let fields = Fields::of(note, rho);
    let message = Message::cut(sheet, chip, &fields);
    lowest_bit(sheet, &note.g_d.y);
    lowest_bit(sheet, &note.pk_d.y);
    let blind = fixed_mul::full(sheet, &chips.tables, Base::NoteCommitR, &note.rcm);
    let start = Domain::NoteCommit.start();
    let hash = hash_to_point(sheet, chip, &chips.generators, &start, &message.pieces);
    let commitment = add::complete(sheet, &hash.point, &blind);
    let bounds = Bounds::of(sheet, &fields);
    message.show(sheet, &hash);
    message.compare(sheet, note, rho, &hash, &bounds);
    commitment
}

impl Fields {
    fn of(note: &NoteInputs, rho: &Fp) -> Self {
        Self {
            g_x: Bits::of(&note.g_d.x),
            g_y: Bits::of(&note.g_d.y),
            pk_x: Bits::of(&note.pk_d.x),
            pk_y: Bits::of(&note.pk_d.y),
            value: Bits::of(&Fp::from_u64(note.value)),
            rho: Bits::of(rho),
            psi: Bits::of(&note.psi),
        }
    }
}

impl Bounds {
    fn of(sheet: &mut Sheet<'_>, fields: &Fields) -> Self {
        Self {
            g_x: bound(sheet, &fields.g_x.range(0..250), 13),
            pk_x: bound(sheet, &fields.pk_x.range(0..254), 14),
            rho: bound(sheet, &fields.rho.range(0..254), 14),
            psi: bound(sheet, &fields.psi.range(0..249), 13),
        }
    }
}

impl Message {
    fn cut(sheet: &mut Sheet<'_>, chip: Chip, fields: &Fields) -> Self {
        let a = piece(sheet, chip, &fields.g_x.range(0..250), 25);
        let b_0 = short_of(sheet, &fields.g_x, 250..254);
        let (b_1, b_2) = (fields.g_x.range(254..255), fields.g_y.range(0..1));
        let b_3 = short_of(sheet, &fields.pk_x, 0..4);
        let b = join(&[(b_0, 4), (b_1, 1), (b_2, 1), (b_3, 4)]);
        let b = piece(sheet, chip, &b, 1);
        let c = piece(sheet, chip, &fields.pk_x.range(4..254), 25);
        let (d_0, d_1) = (fields.pk_x.range(254..255), fields.pk_y.range(0..1));
        let d_2 = short_of(sheet, &fields.value, 0..8);
        let d_3 = fields.value.range(8..58);
        let d = join(&[(d_0, 1), (d_1, 1), (d_2, 8), (d_3, 50)]);
        let d = piece(sheet, chip, &d, 6);
        let e_0 = short_of(sheet, &fields.value, 58..64);
        let e_1 = short_of(sheet, &fields.rho, 0..4);
        let e = piece(sheet, chip, &join(&[(e_0, 6), (e_1, 4)]), 1);
        let f = piece(sheet, chip, &fields.rho.range(4..254), 25);
        let g_0 = fields.rho.range(254..255);
        let g_1 = short_of(sheet, &fields.psi, 0..9);
        let g = join(&[(g_0, 1), (g_1, 9), (fields.psi.range(9..249), 240)]);
        let g = piece(sheet, chip, &g, 25);
        let h_0 = short_of(sheet, &fields.psi, 249..254);
        let h_1 = fields.psi.range(254..255);
        let h = piece(sheet, chip, &join(&[(h_0, 5), (h_1, 1)]), 1);
        Self {
            pieces: [a, b, c, d, e, f, g, h],
            b: [b_0, b_1, b_2, b_3],
            d: [d_0, d_1, d_2],
            e: [e_0, e_1],
            g: [g_0, g_1],
            h: [h_0, h_1],
        }
    }

    /// The gates of the pieces that consist of parts.
    fn show(&self, sheet: &mut Sheet<'_>, hash: &Hash) {
        let [_, b, _, d, e, _, g, h] = self.pieces.each_ref().map(|piece| piece.value);
        let [b_0, b_1, b_2, b_3] = self.b;
        let zero = Fp::ZERO;
        let mut gate = |rows: &[&[Fp]]| gate::rows(sheet, FIRST_COLUMN, rows);
        gate(&[&[b, b_0, b_1], &[zero, b_2, b_3]]);
        let [d_0, d_1, d_2] = self.d;
        gate(&[&[d, d_0, d_1], &[zero, d_2, hash.sum(3, 1)]]);
        gate(&[&[e, self.e[0], self.e[1]]]);
        gate(&[&[g, self.g[0]], &[self.g[1], hash.sum(6, 1)]]);
        gate(&[&[h, self.h[0], self.h[1]]]);
    }

    /// The gates that tie the pieces to the fields and show the fields to be canonical.
    fn compare(
        &self,
        sheet: &mut Sheet<'_>,
        note: &NoteInputs,
        rho: &Fp,
        hash: &Hash,
        bounds: &Bounds,
    ) {
        let [a, _, c, _, _, f, _, _] = self.pieces.each_ref().map(|piece| piece.value);
        let zero = Fp::ZERO;
        let above = |piece: usize| hash.sum(piece, ABOVE_130);
        let mut gate = |rows: &[&[Fp]]| gate::rows(sheet, FIRST_COLUMN, rows);
        let Bounds {
            g_x,
            pk_x,
            rho: of_rho,
            psi,
        } = bounds;
        gate(&[
            &[note.g_d.x, self.b[0], a, above(0)],
            &[zero, self.b[1], g_x.shifted, g_x.rest],
        ]);
        gate(&[
            &[note.pk_d.x, self.b[3], c, above(2)],
            &[zero, self.d[0], pk_x.shifted, pk_x.rest],
        ]);
        let value = Fp::from_u64(note.value);
        gate(&[&[value, self.d[2], hash.sum(3, 1), self.e[0]]]);
        gate(&[
            &[*rho, self.e[1], f, above(5)],
            &[zero, self.g[0], of_rho.shifted, of_rho.rest],
        ]);
        gate(&[
            &[note.psi, self.g[1], hash.sum(6, 1), above(6)],
            &[self.h[0], self.h[1], psi.shifted, psi.rest],
        ]);
    }
}
