//! Definitions of the fuzz targets, by area.

pub(crate) mod chain;
pub(crate) mod checks;
pub(crate) mod circuit;
pub(crate) mod evidence;
pub(crate) mod lanes;
pub(crate) mod proving;
pub(crate) mod pruning;
pub(crate) mod shielded;
pub(crate) mod stored;
pub(crate) mod text;
pub(crate) mod wallet;
