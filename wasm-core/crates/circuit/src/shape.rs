//! Circuit shape: sizes of the action circuit, and the order of the elements of a proof.

/// log₂ of the number of rows.
pub const LOG_ROWS: usize = 11;
/// Rows of a column.
pub const ROWS: usize = 1 << LOG_ROWS;
/// Pieces of the quotient polynomial, and cosets of [`ROWS`] points its evaluation needs.
pub const QUOTIENT_PIECES: usize = 8;
/// The largest degree of a constraint.
pub const DEGREE: usize = 9;
/// Random rows before the end of every witness column.
pub const BLINDING_FACTORS: usize = 5;
/// Rows that carry no constraints: the blinding rows and the one before them, where products must end in one.
pub const UNUSABLE_ROWS: usize = BLINDING_FACTORS + 1;
/// Rows a circuit may assign: 0 to `USABLE_ROWS` − 1. Row `USABLE_ROWS` is the last row of the products.
pub const USABLE_ROWS: usize = ROWS - UNUSABLE_ROWS;

/// Witness columns.
pub const ADVICE_COLUMNS: usize = 10;
/// Fixed columns, selectors included.
pub const FIXED_COLUMNS: usize = 29;
/// Rows of the one instance column that hold public inputs.
pub const INSTANCE_ROWS: usize = 10;
/// Gate polynomials.
pub const GATES: usize = 193;
/// Lookup arguments.
pub const LOOKUPS: usize = 3;
/// Columns of the permutation argument.
pub const PERMUTATION_COLUMNS: usize = 15;
/// Columns one permutation product takes in.
pub const PERMUTATION_CHUNK: usize = DEGREE - 2;
/// Permutation products.
pub const PERMUTATION_PRODUCTS: usize = PERMUTATION_COLUMNS.div_ceil(PERMUTATION_CHUNK);

/// A column the permutation argument ties cells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The instance column.
    Instance,
    /// A witness column.
    Advice(usize),
    /// A fixed column.
    Fixed(usize),
}

/// The permutation's columns, in order.
pub const PERMUTATION: [Column; PERMUTATION_COLUMNS] = [
    Column::Instance,
    Column::Advice(0),
    Column::Advice(1),
    Column::Advice(2),
    Column::Advice(3),
    Column::Advice(4),
    Column::Advice(5),
    Column::Advice(6),
    Column::Advice(7),
    Column::Advice(8),
    Column::Advice(9),
    Column::Fixed(3),
    Column::Fixed(8),
    Column::Fixed(9),
    Column::Fixed(10),
];

/// A column at a rotation: its value `rotation` rows further down, around the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Index of the column.
    pub column: usize,
    /// −1, 0 or 1.
    pub rotation: i32,
}

/// The witness values whose evaluations a proof holds, in order.
pub const ADVICE_QUERIES: [Query; 25] = [
    Query {
        column: 0,
        rotation: 0,
    },
    Query {
        column: 1,
        rotation: 0,
    },
    Query {
        column: 2,
        rotation: 0,
    },
    Query {
        column: 3,
        rotation: 0,
    },
    Query {
        column: 4,
        rotation: 0,
    },
    Query {
        column: 5,
        rotation: 0,
    },
    Query {
        column: 6,
        rotation: 0,
    },
    Query {
        column: 7,
        rotation: 0,
    },
    Query {
        column: 8,
        rotation: 0,
    },
    Query {
        column: 9,
        rotation: 0,
    },
    Query {
        column: 9,
        rotation: 1,
    },
    Query {
        column: 9,
        rotation: -1,
    },
    Query {
        column: 2,
        rotation: 1,
    },
    Query {
        column: 3,
        rotation: 1,
    },
    Query {
        column: 4,
        rotation: 1,
    },
    Query {
        column: 5,
        rotation: 1,
    },
    Query {
        column: 0,
        rotation: 1,
    },
    Query {
        column: 1,
        rotation: 1,
    },
    Query {
        column: 7,
        rotation: 1,
    },
    Query {
        column: 8,
        rotation: 1,
    },
    Query {
        column: 6,
        rotation: -1,
    },
    Query {
        column: 1,
        rotation: -1,
    },
    Query {
        column: 6,
        rotation: 1,
    },
    Query {
        column: 7,
        rotation: -1,
    },
    Query {
        column: 8,
        rotation: -1,
    },
];

/// The fixed columns in the order in which a proof holds their evaluations; all at rotation 0.
pub const FIXED_QUERIES: [usize; FIXED_COLUMNS] = [
    3, 0, 11, 4, 5, 6, 7, 8, 9, 10, 12, 1, 2, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28,
];

/// Points of the proof before the first scalar, per action: witness columns, permuted lookups, products.
pub const POINTS_PER_ACTION: usize = ADVICE_COLUMNS + 2 * LOOKUPS + PERMUTATION_PRODUCTS + LOOKUPS;
/// Evaluations of the permutation products, per action: each at x and ωx, all but the last at its end.
pub const PERMUTATION_EVALUATIONS: usize = 3 * PERMUTATION_PRODUCTS - 1;
/// Evaluations of one lookup, per action.
pub const LOOKUP_EVALUATIONS: usize = 5;
/// Scalars of the proof, per action.
pub const SCALARS_PER_ACTION: usize =
    1 + ADVICE_QUERIES.len() + PERMUTATION_EVALUATIONS + LOOKUPS * LOOKUP_EVALUATIONS;
/// Sets of points at which polynomials are opened together.
pub const POINT_SETS: usize = 5;
/// Bytes of a point or a scalar in a proof.
pub const ELEMENT_BYTES: usize = 32;

/// A run of elements of one kind in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Points or scalars.
    pub points: bool,
    /// How many.
    pub count: usize,
}

/// The runs of a proof for so many actions: commitments, evaluations, q′, evaluations of the point sets, s and the
/// rounds of the inner product argument, its two last scalars. None when the count overflows.
pub fn proof_runs(actions: usize) -> Option<[Run; 6]> {
    let commitments = actions
        .checked_mul(POINTS_PER_ACTION)?
        .checked_add(1 + QUOTIENT_PIECES)?;
    let evaluations = actions
        .checked_mul(SCALARS_PER_ACTION)?
        .checked_add(FIXED_COLUMNS + 1 + PERMUTATION_COLUMNS)?;
    Some([
        Run {
            points: true,
            count: commitments,
        },
        Run {
            points: false,
            count: evaluations,
        },
        Run {
            points: true,
            count: 1,
        },
        Run {
            points: false,
            count: POINT_SETS,
        },
        Run {
            points: true,
            count: 1 + 2 * LOG_ROWS,
        },
        Run {
            points: false,
            count: 2,
        },
    ])
}

/// Bytes of a proof for so many actions: 2720 + 2272 per action. None when the count overflows.
pub fn proof_len(actions: usize) -> Option<usize> {
    let mut elements = 0usize;
    for run in proof_runs(actions)? {
        elements = elements.checked_add(run.count)?;
    }
    elements.checked_mul(ELEMENT_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_have_the_known_lengths() {
        for (actions, length) in [(1, 4992), (2, 7264), (38, 89_056)] {
            assert_eq!(proof_len(actions), Some(length));
        }
        assert_eq!(proof_len(usize::MAX), None);
        assert_eq!(proof_len(usize::MAX / POINTS_PER_ACTION / 2), None);
    }
}
