//! Our own Halo 2 prover of action proofs. With the same randomness it writes the bytes that upstream's prover
//! writes.
//!
//! # Phases
//!
//! Each phase ends where the transcript needs everything said so far to give a challenge:
//!
//! 1. witness: values of the ten witness columns, last rows random; commitments of instance and witness columns.
//!    θ.
//! 2. lookups: inputs and tables folded by θ, sorted against each other; two commitments each. β, γ.
//! 3. products: three of the permutation, one of each lookup; the random polynomial of the vanishing argument. y.
//! 4. quotient: all constraints folded by y over eight cosets, divided by Xⁿ − 1; commitments of its eight pieces. x.
//! 5. evaluations of every polynomial at its points. x₁, x₂.
//! 6. opening: five polynomials folded by x₁, their quotients by x₂ into q′. x₃, their values at x₃, x₄.
//! 7. inner product argument: mask, ξ, z, then eleven rounds of L, R and a challenge; two last scalars.
//!
//! # Draws
//!
//! One draw is one field element. With n actions, in this order:
//!
//! | first draw | count | what |
//! |---|---|---|
//! | 70 a | 70 | action a, witness: 10 columns × 6 last rows, then 10 blinds |
//! | 70 n + 42 a + 14 l | 14 | action a, lookup l: 6 rows of inputs, 6 of the table, 2 blinds |
//! | 112 n + 18 a + 6 s | 6 | action a, permutation product s: 5 last rows, blind |
//! | 130 n + 18 a + 6 l | 6 | action a, product of lookup l: 5 last rows, blind |
//! | 148 n | 2049 | random polynomial, blind |
//! | 148 n + 2049 | 8 | blinds of the quotient's pieces |
//! | 148 n + 2057 | 1 | blind of q′ |
//! | 148 n + 2058 | 2049 | mask of the inner product argument, blind |
//! | 148 n + 4107 + 2 j | 2 | round j: blind of L, blind of R |
//!
//! # Sharing the work
//!
//! Workers share nothing. A [`shard`] holds the keys and the columns of its own actions; the [`coordinator`] holds
//! the transcript, gives every shard one [`task`](shard::task) per step and adds up what comes back. An action may
//! belong to several shards: each makes all its columns, but only its part of the commitments. For the quotient a few
//! shards lend each other their polynomials and divide the cosets ([`quotient_plan`](polynomials::quotient_plan)).
//! One worker alone runs the same steps in a loop. The proof does not depend on the number of workers.

pub mod arguments;

use svc_kernels::fft::column::Coefficients;

use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

pub mod coordinator;
pub mod polynomials;
pub mod shard;
pub mod wire;

/// A value of the circuit.
pub type Fp = Single<PallasBase>;
/// A column of circuit values by rows.
pub type Column = Rows<PallasBase>;
/// A polynomial over circuit values.
pub type Polynomial = Coefficients<PallasBase>;
