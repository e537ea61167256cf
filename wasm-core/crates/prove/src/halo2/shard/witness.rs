//! Witness of one action at a shard: the columns that hold what is proved.

use svc_circuit::shape::USABLE_ROWS;
use svc_codec::error::SvcError;
use svc_witness::action::witness;
use svc_witness::chips::Chips;

use crate::halo2::Column;
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::wire::randomness::Draws;

/// The columns of an action that hold what is proved. Overwritten when dropped.
#[derive(Debug)]
pub struct Witness {
    /// Public values, zero below them.
    pub instance: Column,
    /// Witness columns, their last rows random.
    pub advice: Vec<Column>,
}

impl Witness {
    /// The columns of action `index` of a proof. `fixed` are the circuit's fixed columns.
    ///
    /// Errors: those of [`ActionInput::private_inputs`] and [`ActionInput::instance`], `prove/failed` if the inputs have
    /// no witness.
    pub fn of(
        chips: &Chips,
        fixed: &[Column],
        input: &ActionInput,
        draws: &Draws,
        index: usize,
    ) -> Result<Self, SvcError> {
        let values = input.instance()?;
        let mut advice = witness(chips, fixed, &input.private_inputs()?, &values)?;
        for (column, rows) in advice.iter_mut().enumerate() {
            for (offset, value) in draws.witness_rows(index, column).iter().enumerate() {
                rows.set(USABLE_ROWS + offset, value);
            }
        }
        Ok(Self {
            instance: Column::from_values(&values),
            advice,
        })
    }
}
