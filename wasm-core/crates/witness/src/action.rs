//! Witness of a whole action, in the order in which the circuit lays its regions out.

use svc_circuit::shape::INSTANCE_ROWS;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::fft::column::Rows;
use svc_kernels::lanes::modulus::PallasBase;

use crate::add;
use crate::chips::Chips;
use crate::gate;
use crate::hash::commit_ivk::commit_ivk;
use crate::hash::merkle;
use crate::hash::note_commit::note_commit;
use crate::hash::poseidon;
use crate::hash::sinsemilla::Chip;
use crate::inputs::{Inputs, NoteInputs};
use crate::multiply::{fixed_mul, fixed_mul_base, fixed_mul_short, variable_mul};
use crate::point;
use crate::sheet::{Fp, Fq, Sheet};
use crate::tables::Base;

/// The region that the commitment to the spent note begins with. It is filled in first: what stands before needs it.
const SPENT_COMMITMENT: usize = 302;
/// The column of single field elements.
const FREE_COLUMN: usize = 0;
/// The column of the net value.
const VALUE_COLUMN: usize = 9;
/// The first of the columns of an addition of field elements: sum, left, right.
const SUM_COLUMN: usize = 6;
/// The first column of the gate of the whole action.
const CHECKS_COLUMN: usize = 0;
/// Rows of the instance column that the witness copies: the anchor, and whether spends and outputs are enabled.
const COPIED_ROWS: [usize; 3] = [0, 7, 8];

/// The witness columns of an action, their last rows zero. `fixed` are the circuit's fixed columns
/// ([`svc_circuit::assets::Assets::fixed`]), `instance` the action's public values in the order of their rows; of the
/// latter only the anchor and the flags are copied, all others follow from the inputs.
///
/// # Errors
/// `prove/failed` if the inputs have no witness: the spent note is not of the viewing key, or a hash or an incomplete
/// addition is undefined for them, which nobody can bring about.
pub fn witness(
    chips: &Chips,
    fixed: &[Rows<PallasBase>],
    inputs: &Inputs,
    instance: &[Fp; INSTANCE_ROWS],
) -> Result<Vec<Rows<PallasBase>>, SvcError> {
    let mut sheet = Sheet::at(&chips.starts, SPENT_COMMITMENT);
    let commitment = note_commit(&mut sheet, chips, Chip::Left, &inputs.spent, &inputs.rho);
    let after_commitment = sheet.next_region();
    sheet.go_to(0);
    load(&mut sheet, inputs, &commitment);
    let root = merkle::root(
        &mut sheet,
        &chips.generators,
        &commitment.x,
        inputs.position,
        &inputs.path,
    );
    let net_value = NetValue::of(inputs);
    net_value.commit(&mut sheet, chips, &inputs.rcv);
    let nullifier = nullifier(&mut sheet, chips, fixed, inputs, &commitment);
    let blind = fixed_mul::full(&mut sheet, &chips.tables, Base::SpendAuthG, &inputs.alpha);
    add::complete(&mut sheet, &blind, &inputs.ak);
    address(&mut sheet, chips, inputs);
    sheet.go_to(after_commitment);
    created(&mut sheet, chips, &inputs.created, &nullifier);
    checks(&mut sheet, inputs, &net_value, &root, instance);
    sheet.finish()
}

/// A field element in a region of its own.
fn element(sheet: &mut Sheet<'_>, column: usize, value: &Fp) {
    gate::rows(sheet, column, &[&[*value]]);
}

/// The inputs that several chips share.
fn load(sheet: &mut Sheet<'_>, inputs: &Inputs, commitment: &Affine<Pallas>) {
    element(sheet, FREE_COLUMN, &inputs.spent.psi);
    element(sheet, FREE_COLUMN, &inputs.rho);
    point::witness(sheet, commitment);
    point::non_identity(sheet, &inputs.spent.g_d);
    point::non_identity(sheet, &inputs.ak);
    element(sheet, FREE_COLUMN, &inputs.nk);
    element(sheet, FREE_COLUMN, &Fp::from_u64(inputs.spent.value));
    element(sheet, FREE_COLUMN, &Fp::from_u64(inputs.created.value));
}

/// What the spent note is worth more than the created one.
struct NetValue {
    magnitude: u64,
    is_negative: bool,
}

impl NetValue {
    fn of(inputs: &Inputs) -> Self {
        let (spent, created) = (inputs.spent.value, inputs.created.value);
        Self {
            magnitude: spent.abs_diff(created),
            is_negative: spent < created,
        }
    }

    /// 1 or −1.
    fn sign(&self) -> Fp {
        if self.is_negative {
            Fp::ONE.neg()
        } else {
            Fp::ONE
        }
    }

    /// The value commitment.
    fn commit(&self, sheet: &mut Sheet<'_>, chips: &Chips, rcv: &Fq) {
        element(sheet, VALUE_COLUMN, &Fp::from_u64(self.magnitude));
        element(sheet, VALUE_COLUMN, &self.sign());
        let value = fixed_mul_short::short(
            sheet,
            &chips.tables,
            Base::ValueCommitV,
            self.magnitude,
            self.is_negative,
        );
        let blind = fixed_mul::full(sheet, &chips.tables, Base::ValueCommitR, rcv);
        add::complete(sheet, &value, &blind);
    }
}

/// The nullifier of the spent note.
fn nullifier(
    sheet: &mut Sheet<'_>,
    chips: &Chips,
    fixed: &[Rows<PallasBase>],
    inputs: &Inputs,
    commitment: &Affine<Pallas>,
) -> Fp {
    let hash = poseidon::hash(sheet, fixed, &inputs.nk, &inputs.rho);
    let scalar = hash.add(&inputs.spent.psi);
    gate::rows(sheet, SUM_COLUMN, &[&[scalar, hash, inputs.spent.psi]]);
    let product = fixed_mul_base::base_field(sheet, &chips.tables, Base::NullifierK, &scalar);
    add::complete(sheet, commitment, &product).x
}

/// That the receiver of the spent note is of the viewing key: of the first scope for which it is.
fn address(sheet: &mut Sheet<'_>, chips: &Chips, inputs: &Inputs) {
    let first = sheet.next_region();
    let is_derived = inputs.rivk.iter().any(|rivk| {
        sheet.go_to(first);
        let ivk = commit_ivk(sheet, chips, &inputs.ak.x, &inputs.nk, rivk);
        variable_mul::mul(sheet, &inputs.spent.g_d, &ivk) == inputs.spent.pk_d
    });
    if !is_derived {
        sheet.refuse("owner of a note");
    }
    point::non_identity(sheet, &inputs.spent.pk_d);
}

/// The created note.
fn created(sheet: &mut Sheet<'_>, chips: &Chips, note: &NoteInputs, nullifier: &Fp) {
    point::non_identity(sheet, &note.g_d);
    point::non_identity(sheet, &note.pk_d);
    element(sheet, FREE_COLUMN, &note.psi);
    note_commit(sheet, chips, Chip::Right, note, nullifier);
}

/// The gate of the whole action: values, net value, root and the public values that it compares them with.
fn checks(
    sheet: &mut Sheet<'_>,
    inputs: &Inputs,
    net_value: &NetValue,
    root: &Fp,
    instance: &[Fp; INSTANCE_ROWS],
) {
    let [anchor, enable_spend, enable_output] = COPIED_ROWS.map(|row| instance[row]);
    let row = [
        Fp::from_u64(inputs.spent.value),
        Fp::from_u64(inputs.created.value),
        Fp::from_u64(net_value.magnitude),
        net_value.sign(),
        *root,
        anchor,
        enable_spend,
        enable_output,
    ];
    gate::rows(sheet, CHECKS_COLUMN, &[&row]);
}
