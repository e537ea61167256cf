//! Evaluations in a proof: its scalars by name.

use svc_circuit::shape::{
    ADVICE_QUERIES, Column, FIXED_COLUMNS, FIXED_QUERIES, LOOKUPS, PERMUTATION_COLUMNS,
    PERMUTATION_EVALUATIONS, POINT_SETS, SCALARS_PER_ACTION,
};

use crate::domain_values::Value;

/// Values of one lookup's polynomials.
#[derive(Clone, Copy, Debug)]
pub struct LookupValues {
    /// The product at x.
    pub product: Value,
    /// The product at ωx.
    pub product_next: Value,
    /// The permuted input at x.
    pub input: Value,
    /// The permuted input at ω⁻¹x.
    pub input_previous: Value,
    /// The permuted table at x.
    pub table: Value,
}

/// Values of the polynomials of one action.
#[derive(Clone, Debug)]
pub struct ActionValues {
    /// The instance column at x.
    pub instance: Value,
    /// Witness columns, in the order of [`ADVICE_QUERIES`].
    pub advice: [Value; ADVICE_QUERIES.len()],
    /// Each product of the permutation at x, ωx and, but for the last product, ω⁻⁶x.
    pub permutation: [Value; PERMUTATION_EVALUATIONS],
    /// The lookups.
    pub lookups: [LookupValues; LOOKUPS],
}

/// All scalars of a proof.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// Per action.
    pub actions: Vec<ActionValues>,
    /// Fixed columns, in the order of [`FIXED_QUERIES`].
    pub fixed: [Value; FIXED_COLUMNS],
    /// The random polynomial of the vanishing argument.
    pub random: Value,
    /// The permutation polynomials.
    pub sigma: [Value; PERMUTATION_COLUMNS],
    /// The joined polynomials of the point sets at x₃.
    pub point_sets: [Value; POINT_SETS],
    /// c of the inner product argument.
    pub c: Value,
    /// f, the blinding factor that is left at its end.
    pub f: Value,
}

impl Evaluations {
    /// Decodes the scalars of a proof for `actions` actions; none if one is not canonical or their number is
    /// another.
    pub fn decode(scalars: &[&[u8; 32]], actions: usize) -> Option<Self> {
        let mut values = scalars.iter().map(|bytes| Value::from_bytes(bytes));
        let mut read = || values.next().flatten();
        let mut read_many =
            |count: usize| (0..count).map(|_| read()).collect::<Option<Vec<Value>>>();
        if scalars.len() <= actions.checked_mul(SCALARS_PER_ACTION)? {
            return None;
        }
        let instance = read_many(actions)?;
        let advice = read_many(actions * ADVICE_QUERIES.len())?;
        let fixed = array(&read_many(FIXED_COLUMNS)?)?;
        let random = read_many(1)?;
        let sigma = array(&read_many(PERMUTATION_COLUMNS)?)?;
        let permutation = read_many(actions * PERMUTATION_EVALUATIONS)?;
        let mut lookups = Vec::with_capacity(actions);
        for _ in 0..actions {
            let values = read_many(5 * LOOKUPS)?;
            lookups.push(core::array::from_fn(|lookup| {
                let at = |index: usize| values[5 * lookup + index];
                LookupValues {
                    product: at(0),
                    product_next: at(1),
                    input: at(2),
                    input_previous: at(3),
                    table: at(4),
                }
            }));
        }
        let point_sets = array(&read_many(POINT_SETS)?)?;
        let [c, f] = array(&read_many(2)?)?;
        if read().is_some() {
            return None;
        }
        let mut rows = Vec::with_capacity(actions);
        for (action, lookups) in lookups.into_iter().enumerate() {
            rows.push(ActionValues {
                instance: instance[action],
                advice: array(&advice[action * ADVICE_QUERIES.len()..])?,
                permutation: array(&permutation[action * PERMUTATION_EVALUATIONS..])?,
                lookups,
            });
        }
        Some(Self {
            actions: rows,
            fixed,
            random: random[0],
            sigma,
            point_sets,
            c,
            f,
        })
    }

    /// A fixed column at x.
    pub fn fixed_column(&self, column: usize) -> &Value {
        let place = FIXED_QUERIES.iter().position(|queried| *queried == column);
        &self.fixed[place.unwrap_or(0)]
    }

    /// A column of the permutation at x, for one action.
    pub fn permuted_column(&self, action: usize, column: Column) -> &Value {
        match column {
            Column::Instance => &self.actions[action].instance,
            // The first ten queries are the ten columns at rotation 0.
            Column::Advice(index) => &self.actions[action].advice[index],
            Column::Fixed(index) => self.fixed_column(index),
        }
    }
}

impl ActionValues {
    /// A witness column `rotation` rows further down; zero for one that is not queried.
    pub fn advice_column(&self, column: usize, rotation: i32) -> Value {
        ADVICE_QUERIES
            .iter()
            .position(|query| query.column == column && query.rotation == rotation)
            .map_or(Value::ZERO, |place| self.advice[place])
    }
}

/// The first N values.
fn array<const N: usize>(values: &[Value]) -> Option<[Value; N]> {
    values.first_chunk().copied()
}
