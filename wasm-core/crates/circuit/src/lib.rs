//! Orchard action circuit (Halo 2) as data: shapes, queries, compiled constraints, assets, transcript.

pub mod assets;
pub mod commitment_tables;
pub mod constraints;
pub mod expression;
pub mod expression_codec;
pub mod fixed_columns;
pub mod mapping;
pub mod pin;
pub mod proof_writer;
pub mod quotient_program;
pub mod shape;
pub mod table_pins;
pub mod transcript;
