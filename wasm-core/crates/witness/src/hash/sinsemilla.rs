//! Sinsemilla chip, the hash of a message of chunks of ten bits.

use svc_circuit::shape::ROWS;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::fft::column::Rows;
use svc_kernels::hash::sinsemilla::{CHUNK_BITS, CHUNK_VALUES};
use svc_kernels::lanes::modulus::PallasBase;

use crate::bits::Bits;
use crate::multiply::double_add::{Chain, chain};
use crate::sheet::{Fp, Region, Sheet};
use crate::values::Values;

/// The fixed columns of the lookup table that hold the coordinates of the generators.
const TABLE_COLUMNS: [usize; 2] = [1, 2];

/// Either of the two sets of columns that hash side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// Advice columns 0 to 4; message pieces in column 6.
    Left,
    /// Advice columns 5 to 9; message pieces in column 7.
    Right,
}

/// What a hash is for; it decides where the hash starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Commitments to notes.
    NoteCommit,
    /// Incoming viewing keys.
    CommitIvk,
    /// Nodes of the note commitment tree.
    MerkleCrh,
}

/// The points that stand for the chunks, 74 KB.
#[derive(Clone, Debug)]
pub struct Generators {
    points: Vec<Affine<Pallas>>,
}

/// A part of a message: an integer of whole chunks.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The integer, its first chunk lowest.
    pub value: Fp,
    /// The number of chunks.
    pub words: usize,
}

/// A hash before its abscissa is taken.
#[derive(Debug)]
pub struct Hash {
    /// The point.
    pub point: Affine<Pallas>,
    /// Of every piece the running sums z₀ to z₍words−1₎.
    pub sums: Vec<Values>,
}

impl Chip {
    /// The first of the five columns: x_A, x_P, bits, λ₁ and λ₂ in this order.
    pub(crate) fn base(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 5,
        }
    }

    fn piece_column(self) -> usize {
        match self {
            Self::Left => 6,
            Self::Right => 7,
        }
    }
}

impl Hash {
    /// A running sum of a piece; zero if there is none.
    pub fn sum(&self, piece: usize, word: usize) -> Fp {
        let sums = self.sums.get(piece);
        sums.and_then(|sums| sums.get(word))
            .copied()
            .unwrap_or(Fp::ZERO)
    }
}

impl Domain {
    /// The point that the hash starts with: the group hash of the domain's name.
    pub fn start(self) -> Affine<Pallas> {
        let (x, y) = match self {
            Self::NoteCommit => (
                [
                    0x320eba0940a8745d,
                    0xc5960f5afd46dd2a,
                    0xf79ff2b479b0ed5d,
                    0x178007a056fbcd0d,
                ],
                [
                    0x87270a5a7349ac63,
                    0x8822128881db5e9e,
                    0x4ebec2d96ef4c92c,
                    0x32a058938ac67083,
                ],
            ),
            Self::CommitIvk => (
                [
                    0x6bcb2f92790f82f2,
                    0x421bcc245128a232,
                    0x7dcc81b85aa241fa,
                    0x05bc0cf14aa9c811,
                ],
                [
                    0xbe5ae5cecfaddebe,
                    0x46c4351dc96da5f1,
                    0xef59074620de054b,
                    0x1b014cf6d41abee6,
                ],
            ),
            Self::MerkleCrh => (
                [
                    0xf8b9c7f97f29c6a0,
                    0xc9beb955c08d1070,
                    0xa00f365aef890e99,
                    0x1616d29663a818b9,
                ],
                [
                    0x86e9aece25f2ea62,
                    0xe21c96ea05741596,
                    0x2dc4f23e4fa35979,
                    0x358642a3e3af2099,
                ],
            ),
        };
        Affine {
            x: Fp::from_words(&x),
            y: Fp::from_words(&y),
        }
    }
}

impl Generators {
    /// Reads the points out of the lookup table in the circuit's fixed columns
    /// ([`svc_circuit::assets::Assets::fixed`]). None unless all are points of the curve.
    pub fn of(fixed: &[Rows<PallasBase>]) -> Option<Self> {
        const { assert!(CHUNK_VALUES <= ROWS) };
        let [x, y] = [fixed.get(TABLE_COLUMNS[0])?, fixed.get(TABLE_COLUMNS[1])?];
        let points: Vec<_> = (0..CHUNK_VALUES)
            .map(|i| Affine {
                x: x.get(i),
                y: y.get(i),
            })
            .collect();
        let on_curve = |point: &Affine<Pallas>| !point.is_identity() && point.is_valid();
        points.iter().all(on_curve).then_some(Self { points })
    }

    fn get(&self, chunk: u64) -> Affine<Pallas> {
        self.points[chunk as usize % CHUNK_VALUES]
    }
}

/// Parts of less than 256 bits each, the first one lowest, as one integer.
pub fn join(parts: &[(Fp, usize)]) -> Fp {
    let mut sum = Fp::ZERO;
    for (part, bits) in parts.iter().rev() {
        sum = sum.mul(&power_of_two(*bits)).add(part);
    }
    sum
}

/// 2^bits for less than 256 bits.
fn power_of_two(bits: usize) -> Fp {
    let mut words = [0; 4];
    words[bits / 64 % 4] = 1 << (bits % 64);
    Fp::from_words(&words)
}

/// Witnesses a piece of a message in a region of its own.
pub fn piece(sheet: &mut Sheet<'_>, chip: Chip, value: &Fp, words: usize) -> Piece {
    sheet.region().set(chip.piece_column(), 0, value);
    Piece {
        value: *value,
        words,
    }
}

/// Hashes the chunks of all pieces, starting with `start`, in one region.
///
/// A message of which the hash is undefined is refused; to know one is to know a relation between the generators.
pub fn hash_to_point(
    sheet: &mut Sheet<'_>,
    chip: Chip,
    generators: &Generators,
    start: &Affine<Pallas>,
    pieces: &[Piece],
) -> Hash {
    let mut region = sheet.region();
    let mut addends = Addends(Vec::with_capacity(
        pieces.iter().map(|piece| piece.words).sum(),
    ));
    let mut sums = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let column = chip.base() + 2;
        sums.push(decompose(
            &mut region,
            column,
            generators,
            piece,
            &mut addends,
        ));
    }
    let Some(chain) = chain(start, &addends.0) else {
        sheet.refuse("an undefined hash");
        return Hash {
            point: *start,
            sums,
        };
    };
    Hash {
        point: show(&mut region, chip, start, &addends, &chain),
        sums,
    }
}

/// The points of a secret message, overwritten when dropped.
struct Addends(Vec<Affine<Pallas>>);

impl Drop for Addends {
    fn drop(&mut self) {
        self.0.fill(Affine::IDENTITY);
        core::hint::black_box(&mut self.0);
    }
}

/// Writes the running sums of a piece below those of the earlier ones and appends the points of its chunks.
fn decompose(
    region: &mut Region<'_>,
    column: usize,
    generators: &Generators,
    piece: &Piece,
    addends: &mut Addends,
) -> Values {
    let bits = Bits::of(&piece.value);
    let mut sums = Vec::with_capacity(piece.words);
    for i in 0..piece.words {
        let sum = bits.above(CHUNK_BITS * i);
        region.set(column, addends.0.len(), &sum);
        sums.push(sum);
        let bit = CHUNK_BITS * i;
        addends
            .0
            .push(generators.get(bits.small(bit..bit + CHUNK_BITS)));
    }
    sums.into()
}

/// Writes the steps of a hash and returns its result.
fn show(
    region: &mut Region<'_>,
    chip: Chip,
    start: &Affine<Pallas>,
    addends: &Addends,
    chain: &Chain,
) -> Affine<Pallas> {
    let [x_a, x_p, lambda_1, lambda_2] = [0, 1, 3, 4].map(|i| chip.base() + i);
    region.set(x_a, 0, &start.x);
    let mut point = *start;
    for (row, (step, addend)) in chain.steps.iter().zip(&addends.0).enumerate() {
        region.set(x_p, row, &addend.x);
        region.set(lambda_1, row, &step.lambda_1);
        region.set(lambda_2, row, &step.lambda_2);
        region.set(x_a, row + 1, &step.x);
        point.x = step.x;
    }
    point.y = chain.y;
    // The last row shows the ordinate; upstream writes zeros beside it, which the sheet holds anyway.
    region.set(lambda_1, chain.steps.len(), &point.y);
    point
}
