//! Layouter of the witness columns, which are filled in region by region.

use svc_circuit::shape::{ADVICE_COLUMNS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::{PallasBase, PallasScalar};

/// An element of the circuit's field.
pub type Fp = Single<PallasBase>;
/// A scalar of Pallas.
pub type Fq = Single<PallasScalar>;

/// Witness columns in the making. Secret: they are overwritten when dropped.
///
/// Where a region lies is part of the circuit's layout; a region is told by its place in the order in which the
/// circuit enters them.
#[derive(Debug)]
pub struct Sheet<'a> {
    columns: Vec<Rows<PallasBase>>,
    starts: &'a [u16],
    next: usize,
    fault: Option<&'static str>,
}

/// A region of a sheet: a start row, and cells told by their column and their offset from it.
#[derive(Debug)]
pub struct Region<'s> {
    columns: &'s mut [Rows<PallasBase>],
    start: usize,
    fault: &'s mut Option<&'static str>,
}

impl<'a> Sheet<'a> {
    /// An empty sheet; `starts` are the first rows of all regions ([`svc_circuit::assets::Assets::regions`]).
    pub fn new(starts: &'a [u16]) -> Self {
        Self::at(starts, 0)
    }

    /// An empty sheet whose next region is number `first`, counted from zero.
    pub fn at(starts: &'a [u16], first: usize) -> Self {
        Self {
            columns: (0..ADVICE_COLUMNS).map(|_| Rows::zero()).collect(),
            starts,
            next: first,
            fault: None,
        }
    }

    /// The next region. That there is none left is an error of [`Sheet::finish`].
    pub fn region(&mut self) -> Region<'_> {
        let start = self.starts.get(self.next);
        self.next += 1;
        if start.is_none() {
            self.fault.get_or_insert("a region too many");
        }
        Region {
            columns: &mut self.columns,
            // Without a place for it nothing of the region is kept.
            start: start.map_or(USABLE_ROWS, |row| usize::from(*row)),
            fault: &mut self.fault,
        }
    }

    /// The number of the next region.
    pub fn next_region(&self) -> usize {
        self.next
    }

    /// Goes on with region number `next`, filling it in again if it was filled in before.
    pub fn go_to(&mut self, next: usize) {
        self.next = next;
    }

    /// Notes that the inputs have no witness; an error of [`Sheet::finish`].
    pub fn refuse(&mut self, reason: &'static str) {
        self.fault.get_or_insert(reason);
    }

    /// The columns so far.
    ///
    /// # Errors
    /// `prove/failed` for what [`Sheet::finish`] refuses, but for missing regions.
    pub fn columns(&self) -> Result<&[Rows<PallasBase>], SvcError> {
        match self.fault {
            None => Ok(&self.columns),
            Some(reason) => Err(failed(reason)),
        }
    }

    /// The ten columns.
    ///
    /// # Errors
    /// `prove/failed` if regions are missing or too many, if a cell lay outside the usable rows, or for the first
    /// reason of [`Sheet::refuse`].
    pub fn finish(mut self) -> Result<Vec<Rows<PallasBase>>, SvcError> {
        if self.next < self.starts.len() {
            self.refuse("a region is missing");
        }
        match self.fault {
            None => Ok(core::mem::take(&mut self.columns)),
            Some(reason) => Err(failed(reason)),
        }
    }
}

impl Drop for Sheet<'_> {
    fn drop(&mut self) {
        self.columns.iter_mut().for_each(Rows::clear);
    }
}

impl Region<'_> {
    /// The first row.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Writes a cell. One outside the usable rows or columns is an error of [`Sheet::finish`].
    pub fn set(&mut self, column: usize, offset: usize, value: &Fp) {
        let row = self.start + offset;
        match self.columns.get_mut(column).filter(|_| row < USABLE_ROWS) {
            Some(rows) => rows.set(row, value),
            None => {
                self.fault.get_or_insert("a cell outside the circuit");
            }
        }
    }
}

fn failed(reason: &str) -> SvcError {
    SvcError::new(Code::ProveFailed).with("reason", reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_land_at_their_region() {
        let mut sheet = Sheet::new(&[7, 1000]);
        sheet.region().set(0, 3, &Fp::ONE);
        sheet.region().set(9, 30, &Fp::from_u64(5));
        let columns = sheet.finish().unwrap();
        assert!(columns.len() == ADVICE_COLUMNS);
        assert!(columns[0].get(10) == Fp::ONE && columns[9].get(1030) == Fp::from_u64(5));
    }

    #[test]
    fn what_does_not_fit_is_refused_at_the_end() {
        let missing = Sheet::new(&[1]);
        assert_eq!(missing.finish().unwrap_err().code, Code::ProveFailed);
        let mut many = Sheet::new(&[]);
        many.region();
        assert_eq!(many.finish().unwrap_err().code, Code::ProveFailed);
        for (column, offset) in [(0, USABLE_ROWS - 7), (ADVICE_COLUMNS, 0)] {
            let mut outside = Sheet::new(&[7]);
            outside.region().set(column, offset, &Fp::ONE);
            assert!(outside.columns().is_err());
            assert_eq!(outside.finish().unwrap_err().code, Code::ProveFailed);
        }
        let mut refused = Sheet::new(&[]);
        refused.refuse("for a reason");
        assert_eq!(refused.finish().unwrap_err().code, Code::ProveFailed);
    }
}
