//! Asset generator of the action circuit: derives its shapes, constraints and compiled programs from the upstream
//! circuit.

pub mod assembly;
pub mod compile;
pub mod constraint_terms;
pub mod debug_text;
pub mod factor;
pub mod gen_error;
pub mod graph;
pub mod make_assets;
pub mod pinned;
pub mod places;
pub mod program_builder;
pub mod recording;
pub mod round_code;
pub mod scalar_code;
pub mod upstream;
