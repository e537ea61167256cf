//! Secret vector of field elements, overwritten when dropped.

use core::ops::Deref;

use crate::sheet::Fp;

/// Field elements that are overwritten when dropped.
#[derive(Clone, Debug, Default)]
pub struct Values(Vec<Fp>);

impl Deref for Values {
    type Target = [Fp];

    fn deref(&self) -> &[Fp] {
        &self.0
    }
}

impl From<Vec<Fp>> for Values {
    fn from(values: Vec<Fp>) -> Self {
        Self(values)
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        self.0.fill(Fp::ZERO);
        core::hint::black_box(&mut self.0);
    }
}
