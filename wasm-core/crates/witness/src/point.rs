//! Point inputs of the circuit. Each is one region.

use svc_kernels::curve::{Affine, Pallas};

use crate::sheet::{Region, Sheet};

/// Columns of the coordinates.
const X: usize = 0;
const Y: usize = 1;

/// A point; the identity is (0, 0).
pub fn witness(sheet: &mut Sheet<'_>, point: &Affine<Pallas>) {
    set(&mut sheet.region(), point);
}

/// A point that must not be the identity; for the identity there is no witness.
pub fn non_identity(sheet: &mut Sheet<'_>, point: &Affine<Pallas>) {
    if point.is_identity() {
        sheet.refuse("a point is the identity");
    }
    set(&mut sheet.region(), point);
}

fn set(region: &mut Region<'_>, point: &Affine<Pallas>) {
    region.set(X, 0, &point.x);
    region.set(Y, 0, &point.y);
}
