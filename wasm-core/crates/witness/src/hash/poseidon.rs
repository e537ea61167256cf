//! Poseidon chip, the hash of two field elements: width 3, x⁵, 8 full and 56 partial rounds.

use svc_kernels::fft::column::Rows;
use svc_kernels::field::element::{Element, Products};
use svc_kernels::lanes::lane::One;
use svc_kernels::lanes::modulus::PallasBase;

use crate::sheet::{Fp, Region, Sheet};

/// Words of the state.
const WIDTH: usize = 3;
/// Rounds before and after the partial ones.
const HALF_FULL_ROUNDS: usize = 4;
/// Rows of partial rounds; a row holds two of them.
const PARTIAL_ROWS: usize = 28;
/// Advice columns of the state.
const STATE_COLUMNS: [usize; WIDTH] = [6, 7, 8];
/// The advice column of the first word in the middle of a row of partial rounds.
const MIDDLE_COLUMN: usize = 5;
/// Fixed columns of the constants of a row's first round.
const FIRST_CONSTANTS: [usize; WIDTH] = [5, 6, 7];
/// Fixed columns of the constants of a row's second round.
const SECOND_CONSTANTS: [usize; WIDTH] = [8, 9, 10];

/// The matrix of the linear layer, row by row, as integers in little-endian words.
const MATRIX: [[[u64; 4]; WIDTH]; WIDTH] = [
    [
        [
            0x323f2486d7e11b63,
            0x97d7a0ab23850b56,
            0xb3d59fbdc8c9ead4,
            0x0ab5e5b874a68de7,
        ],
        [
            0x8eca5596e996ab5e,
            0x240d4a7cbf735736,
            0x293f0f0d886c7954,
            0x31916628e58a5abb,
        ],
        [
            0x19d1cf25d8e8345d,
            0xa0a3b71a5fb15735,
            0xd803952bbb364fdf,
            0x07c045d5f5e9e5a6,
        ],
    ],
    [
        [
            0xd049cdc8d085167c,
            0x3a0a464048bd770a,
            0xf8e24f66822c2d9f,
            0x233162630ebf9ed7,
        ],
        [
            0x402270113e047a2e,
            0x78f8365c85bbab07,
            0xb36664548d60957d,
            0x25cae2599892a8b0,
        ],
        [
            0xf84d806f685f747a,
            0x9aad3d8262efd83f,
            0x74938717989a1957,
            0x22f5b5e1e6081c97,
        ],
    ],
    [
        [
            0xfee7a9944f84dbe4,
            0x21680eabc56bc15d,
            0xf333aa91c3833464,
            0x2e29dd59c64b1037,
        ],
        [
            0xc771effa43263664,
            0xcbeaf48b3a0624c3,
            0x92d15e7dceef1665,
            0x1d1aab4ec1cd6788,
        ],
        [
            0x15639415f6e85ef1,
            0x75872c39b59a31f6,
            0x51e0cbead65516b9,
            0x3bf763086a189364,
        ],
    ],
];

type Register = Element<PallasBase, One>;
type State = [Fp; WIDTH];

/// Hashes two elements in three regions; the constants of the rounds are read from the circuit's fixed columns
/// ([`svc_circuit::assets::Assets::fixed`]) beside the last of them.
pub fn hash(sheet: &mut Sheet<'_>, fixed: &[Rows<PallasBase>], first: &Fp, second: &Fp) -> Fp {
    // The capacity tells the number of elements.
    let start = [Fp::ZERO, Fp::ZERO, Fp::from_words(&[0, 2, 0, 0])];
    set_state(&mut sheet.region(), 0, &start);
    let absorbed = [*first, *second, start[2]];
    let mut region = sheet.region();
    set_state(&mut region, 0, &start);
    region.set(STATE_COLUMNS[0], 1, first);
    region.set(STATE_COLUMNS[1], 1, second);
    set_state(&mut region, 2, &absorbed);
    let mut region = sheet.region();
    let [result, ..] = permute(&mut region, fixed, absorbed);
    result
}

fn set_state(region: &mut Region<'_>, offset: usize, state: &State) {
    for (column, word) in STATE_COLUMNS.into_iter().zip(state) {
        region.set(column, offset, word);
    }
}

/// Runs all rounds, one row for a full one and for two partial ones.
fn permute(region: &mut Region<'_>, fixed: &[Rows<PallasBase>], start: State) -> State {
    let matrix = MATRIX.map(|row| row.map(|words| Fp::from_words(&words)));
    let start_row = region.start();
    let constants = |columns: [usize; WIDTH], offset: usize| -> State {
        columns.map(|column| {
            fixed
                .get(column)
                .map_or(Fp::ZERO, |rows| rows.get(start_row + offset))
        })
    };
    let mut state = start;
    set_state(region, 0, &state);
    for row in 0..2 * HALF_FULL_ROUNDS + PARTIAL_ROWS {
        let mut sums = with_constants(&state, &constants(FIRST_CONSTANTS, row));
        if (HALF_FULL_ROUNDS..HALF_FULL_ROUNDS + PARTIAL_ROWS).contains(&row) {
            sums[0] = fifth_power(&sums[0]);
            region.set(MIDDLE_COLUMN, row, &Fp::from_element(&sums[0]));
            let middle = mixed(&matrix, &sums);
            sums = with_constants(&middle, &constants(SECOND_CONSTANTS, row));
            sums[0] = fifth_power(&sums[0]);
        } else {
            sums = sums.map(|sum| fifth_power(&sum));
        }
        state = mixed(&matrix, &sums);
        set_state(region, row + 1, &state);
    }
    state
}

/// The state plus the constants of a round: limbs below 2³⁰, values below 4 m.
fn with_constants(state: &State, constants: &State) -> [Register; WIDTH] {
    core::array::from_fn(|i| state[i].load().add(&constants[i].load()))
}

#[inline(never)]
fn fifth_power(value: &Register) -> Register {
    value.square().square().mul(value)
}

/// The matrix times the state.
fn mixed(matrix: &[State; WIDTH], state: &[Register; WIDTH]) -> State {
    let state = state.each_ref().map(Register::carry);
    matrix.each_ref().map(|row| inner_product(row, &state))
}

/// Words are below 4 m and matrix entries below 2 m, so the sum is below 24 m².
#[inline(never)]
fn inner_product(row: &State, state: &[Register; WIDTH]) -> Fp {
    let mut products = Products::zero();
    products.add(&row[0].load(), &state[0]);
    products.add(&row[1].load(), &state[1]);
    products.add(&row[2].load(), &state[2]);
    Fp::from_element(&products.reduce())
}
