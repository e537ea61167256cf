//! Signing of prepared payments: what is prepared by somebody else is opened, compared with what the user confirmed and
//! only then signed; and the proofs of payment that come of it (specification shielded 18).

pub mod challenge_answer;
pub mod disclosed;
pub mod payment_check;
pub mod payment_proof;
pub mod sealed_note;
pub mod sender_copy;
pub mod signer;
