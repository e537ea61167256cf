//! Bundle verifier of our own: proofs and signatures, one at a time and in batches.

pub mod argument_values;
pub mod bisect;
pub mod challenges;
pub mod combined_check;
pub mod constraint_values;
pub mod domain_values;
pub mod evaluations;
pub mod instance_commitments;
pub mod point_sets;
pub mod proof_check;
pub mod proof_elements;
pub mod proof_terms;
pub mod signature_check;
pub mod statement;
pub mod transactions;
pub mod value_base;
pub mod verifier;
