//! Registry of all fuzz targets by area.

use crate::target::Target;
use crate::targets::{
    chain, checks, circuit, evidence, lanes, proving, pruning, shielded, stored, text, wallet,
};

/// An area and its targets.
pub type Area = (&'static str, &'static [Target]);

/// Every target there is.
pub const AREAS: [Area; 11] = [
    ("chain", chain::TARGETS),
    ("shielded", shielded::TARGETS),
    ("stored", stored::TARGETS),
    ("lanes", lanes::TARGETS),
    ("pruning", pruning::TARGETS),
    ("wallet", wallet::TARGETS),
    ("proving", proving::TARGETS),
    ("circuit", circuit::TARGETS),
    ("text", text::TARGETS),
    ("checks", checks::TARGETS),
    ("evidence", evidence::TARGETS),
];

/// The targets of an area; none of an unknown one.
pub fn area(name: &str) -> &'static [Target] {
    AREAS
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(&[], |(_, targets)| targets)
}
