//! Tasks that the coordinator gives a shard, and their wire form.
//!
//! A message is a version, a count and so many tasks; the answer is the answers of the tasks one behind the other.
//! Messages come from the same program, but through a host: decoding is bounded and checks every number.

use std::sync::Arc;

use svc_circuit::shape::QUOTIENT_PIECES;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::{MAX_LENT_ACTIONS, MAX_PROOF_ACTIONS, MAX_PROOF_WORKERS};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::fft::column::ROWS;
use svc_shielded::secret::Secret32;

use crate::halo2::arguments::inner_product::RoundTerms;
use crate::halo2::polynomials::of_action::POLYNOMIALS_BYTES;
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::shard::task_size::task_size;
use crate::halo2::wire::points::{
    POINT_BYTES, read_point, read_polynomial, read_scalar, write_affine, write_polynomial,
    write_scalar,
};
use crate::halo2::wire::share::Share;
use crate::halo2::wire::wiped::Wiped;
use crate::halo2::{Fp, Polynomial};

const VERSION: u8 = 1;
/// Tasks of one message: some kinds, and what is lent in one step.
const MAX_TASKS: usize = 16 + MAX_LENT_ACTIONS;

/// One task of a shard. The answer is in brackets.
#[derive(Debug)]
pub enum Task {
    /// Starts a proof over so many actions; what was there of another is dropped. \[Nothing.\]
    Begin {
        /// Of all randomness.
        seed: Secret32,
        /// Actions of the proof.
        actions: usize,
    },
    /// Makes the witness of an action. \[The instance commitment if part 0, then the share of those of the witness
    /// columns.\]
    Witness {
        /// Which action, which part.
        share: Share,
        /// Its inputs.
        input: ActionInput,
    },
    /// Sorts the lookups of an action. \[The share of: inputs and table of each lookup.\]
    Lookups {
        /// Index of the action.
        action: usize,
        /// Folds expressions.
        theta: Fp,
    },
    /// Makes the products of an action. \[The share of: permutation products, lookup products.\]
    Products {
        /// Index of the action.
        action: usize,
        /// First challenge of the products.
        beta: Fp,
        /// Second challenge of the products.
        gamma: Fp,
    },
    /// Commits to part of the random polynomial. \[One point.\]
    Random {
        /// Which part.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// Hands out the polynomials of an action. \[[`POLYNOMIALS_BYTES`].\]
    Lend {
        /// Index of the action.
        action: usize,
    },
    /// Takes the polynomials of another worker's action. \[Nothing.\]
    Borrow {
        /// Index of the action.
        action: usize,
        /// As [`Task::Lend`] gave them.
        polynomials: Arc<Wiped>,
    },
    /// Evaluates the constraints of actions on cosets. \[Nothing.\]
    Quotient {
        /// Folds constraints.
        y: Fp,
        /// Coset and action.
        units: Vec<(usize, usize)>,
    },
    /// Hands out the sums over what [`Task::Quotient`] did. \[A byte with a bit per coset, a column for each bit.\]
    Sums,
    /// Commits to polynomials. \[A point each.\]
    Commit {
        /// Polynomial and blind.
        pieces: Vec<(Polynomial, Fp)>,
    },
    /// Evaluates the polynomials of actions. \[The scalars of the proof for each action.\]
    Evaluate {
        /// The actions.
        actions: Vec<usize>,
        /// The point.
        x: Fp,
    },
    /// Evaluates part of the fixed and permutation polynomials. \[Their values, fixed first, in the proof's order.\]
    EvaluateFixed {
        /// The point.
        x: Fp,
        /// Which part.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// Folds the polynomials of actions, and part of the fixed and permutation polynomials, by their sets of points.
    /// \[Per set a polynomial, then per set a blind.\]
    Fold {
        /// Folds polynomials.
        x1: Fp,
        /// The actions.
        actions: Vec<usize>,
        /// Which part.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// Commits to part of q′ and of the inner product argument's mask. \[Two points.\]
    Opening {
        /// q′.
        polynomial: Polynomial,
        /// Which part; the blinds go with part 0.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// Starts the inner product argument. \[Nothing.\]
    Argue {
        /// The masked polynomial.
        polynomial: Polynomial,
        /// Which part.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// Ends a round of the argument. \[Nothing.\]
    Challenge {
        /// The round's challenge.
        u: Fp,
        /// Its inverse.
        inverse: Fp,
    },
    /// Commits in a round. \[Left and right.\]
    Round {
        /// The scalars that go with one share.
        terms: Option<RoundTerms>,
    },
    /// Forgets the proof. \[Nothing.\]
    End,
    /// Folds the share of the generators that are left of the argument. \[Points, as many as the share has.\]
    FoldGenerators,
    /// Goes on with the generators that are left. \[Nothing.\]
    SetGenerators {
        /// All of them.
        generators: Vec<Affine<Vesta>>,
    },
}

/// Encodes a message. It may hold secrets.
pub fn encode(tasks: &[Task]) -> Wiped {
    let mut writer = Writer::with_capacity(2 + tasks.iter().map(task_size).sum::<usize>());
    writer.u8(VERSION).u8(tasks.len() as u8);
    for task in tasks {
        write(&mut writer, task);
    }
    Wiped::new(writer.into_vec())
}

/// Decodes a message. Errors: `codec/version`, `codec/unexpected-end`, `codec/trailing-bytes`,
/// `codec/count-too-large`, `codec/not-canonical`.
pub fn decode(bytes: &[u8]) -> Result<Vec<Task>, SvcError> {
    let mut reader = Reader::new(bytes);
    let version = reader.u8()?;
    if version != VERSION {
        return Err(SvcError::new(Code::CodecVersion)
            .with("expected", VERSION)
            .with("found", version));
    }
    let count = reader.count_u8(MAX_TASKS, 1)?;
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        tasks.push(read(&mut reader)?);
    }
    reader.finish()?;
    Ok(tasks)
}

fn write(writer: &mut Writer, task: &Task) {
    match task {
        Task::Begin { seed, actions } => {
            writer.u8(0).bytes(seed.expose()).count_u16(*actions);
        }
        Task::Witness { share, input } => {
            writer.u8(1).count_u16(share.action);
            write_part(writer, share.part, share.parts);
            writer.bytes(input.as_bytes());
        }
        Task::Lookups { action, theta } => {
            writer.u8(2).count_u16(*action);
            write_scalar(writer, theta);
        }
        Task::Products {
            action,
            beta,
            gamma,
        } => {
            writer.u8(3).count_u16(*action);
            write_scalar(writer, beta);
            write_scalar(writer, gamma);
        }
        Task::Random { part, parts } => write_part(writer.u8(4), *part, *parts),
        Task::Quotient { y, units } => {
            write_scalar(writer.u8(5), y);
            writer.count_u16(units.len());
            for (coset, action) in units {
                writer.u8(*coset as u8).count_u16(*action);
            }
        }
        Task::Lend { action } => {
            writer.u8(18).count_u16(*action);
        }
        Task::Borrow {
            action,
            polynomials,
        } => {
            writer.u8(19).count_u16(*action).bytes(polynomials);
        }
        task => write_late(writer, task),
    }
}

/// [`write()`] for the tasks behind the quotient.
fn write_late(writer: &mut Writer, task: &Task) {
    match task {
        Task::Commit { pieces } => write_pieces(writer.u8(7), pieces),
        Task::Evaluate { actions, x } => {
            write_scalar(writer.u8(8), x);
            write_actions(writer, actions);
        }
        Task::EvaluateFixed { x, part, parts } => {
            write_scalar(writer.u8(9), x);
            write_part(writer, *part, *parts);
        }
        Task::Fold {
            x1,
            actions,
            part,
            parts,
        } => {
            write_scalar(writer.u8(10), x1);
            write_actions(writer, actions);
            write_part(writer, *part, *parts);
        }
        Task::Opening {
            polynomial,
            part,
            parts,
        } => {
            write_polynomial(writer.u8(11), polynomial);
            write_part(writer, *part, *parts);
        }
        Task::Argue {
            polynomial,
            part,
            parts,
        } => {
            write_polynomial(writer.u8(12), polynomial);
            write_part(writer, *part, *parts);
        }
        Task::Challenge { u, inverse } => {
            write_scalar(writer.u8(13), u);
            write_scalar(writer, inverse);
        }
        Task::Round { terms } => write_terms(writer.u8(14), terms.as_ref()),
        Task::SetGenerators { generators } => {
            writer.u8(17).count_u16(generators.len());
            write_affine(writer, generators);
        }
        Task::FoldGenerators => {
            writer.u8(16);
        }
        Task::End => {
            writer.u8(15);
        }
        // All others are written above.
        _ => {
            writer.u8(6);
        }
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Task, SvcError> {
    Ok(match reader.u8()? {
        0 => Task::Begin {
            seed: Secret32::new(reader.array()?),
            actions: read_number(reader, MAX_PROOF_ACTIONS)?,
        },
        1 => {
            let action = read_action(reader)?;
            let (part, parts) = read_part(reader)?;
            let input = ActionInput::from_bytes(reader.take(ActionInput::LEN)?.to_vec())?;
            Task::Witness {
                share: Share {
                    action,
                    part,
                    parts,
                },
                input,
            }
        }
        2 => Task::Lookups {
            action: read_action(reader)?,
            theta: read_scalar(reader)?,
        },
        3 => Task::Products {
            action: read_action(reader)?,
            beta: read_scalar(reader)?,
            gamma: read_scalar(reader)?,
        },
        4 => read_part(reader).map(|(part, parts)| Task::Random { part, parts })?,
        5 => Task::Quotient {
            y: read_scalar(reader)?,
            units: read_units(reader)?,
        },
        6 => Task::Sums,
        18 => Task::Lend {
            action: read_action(reader)?,
        },
        19 => Task::Borrow {
            action: read_action(reader)?,
            polynomials: Arc::new(Wiped::new(reader.take(POLYNOMIALS_BYTES)?.to_vec())),
        },
        tag => return read_late(reader, tag),
    })
}

/// [`read`] for the tasks behind the quotient.
fn read_late(reader: &mut Reader<'_>, tag: u8) -> Result<Task, SvcError> {
    Ok(match tag {
        7 => Task::Commit {
            pieces: read_pieces(reader)?,
        },
        8 => Task::Evaluate {
            x: read_scalar(reader)?,
            actions: read_actions(reader)?,
        },
        9 => {
            let x = read_scalar(reader)?;
            read_part(reader).map(|(part, parts)| Task::EvaluateFixed { x, part, parts })?
        }
        10 => {
            let (x1, actions) = (read_scalar(reader)?, read_actions(reader)?);
            read_part(reader).map(|(part, parts)| Task::Fold {
                x1,
                actions,
                part,
                parts,
            })?
        }
        11 => {
            let polynomial = read_polynomial(reader)?;
            read_part(reader).map(|(part, parts)| Task::Opening {
                polynomial,
                part,
                parts,
            })?
        }
        12 => {
            let polynomial = read_polynomial(reader)?;
            read_part(reader).map(|(part, parts)| Task::Argue {
                polynomial,
                part,
                parts,
            })?
        }
        13 => Task::Challenge {
            u: read_scalar(reader)?,
            inverse: read_scalar(reader)?,
        },
        14 => Task::Round {
            terms: read_terms(reader)?,
        },
        15 => Task::End,
        16 => Task::FoldGenerators,
        17 => {
            let count = reader.count_u16(ROWS, POINT_BYTES)?;
            let generators = (0..count).map(|_| read_point(reader));
            Task::SetGenerators {
                generators: generators.collect::<Result<_, _>>()?,
            }
        }
        _ => return Err(not_canonical()),
    })
}

fn write_part(writer: &mut Writer, part: usize, parts: usize) {
    writer.count_u16(part).count_u16(parts);
}

fn read_part(reader: &mut Reader<'_>) -> Result<(usize, usize), SvcError> {
    let (part, parts) = (usize::from(reader.u16()?), usize::from(reader.u16()?));
    if part < parts && parts <= MAX_PROOF_WORKERS {
        Ok((part, parts))
    } else {
        Err(not_canonical())
    }
}

fn read_number(reader: &mut Reader<'_>, max: usize) -> Result<usize, SvcError> {
    let number = usize::from(reader.u16()?);
    if number <= max {
        Ok(number)
    } else {
        Err(not_canonical())
    }
}

fn read_action(reader: &mut Reader<'_>) -> Result<usize, SvcError> {
    read_number(reader, MAX_PROOF_ACTIONS - 1)
}

fn write_actions(writer: &mut Writer, actions: &[usize]) {
    writer.count_u16(actions.len());
    for action in actions {
        writer.count_u16(*action);
    }
}

fn read_actions(reader: &mut Reader<'_>) -> Result<Vec<usize>, SvcError> {
    let count = reader.count_u16(MAX_PROOF_ACTIONS, 2)?;
    (0..count).map(|_| read_action(reader)).collect()
}

fn read_units(reader: &mut Reader<'_>) -> Result<Vec<(usize, usize)>, SvcError> {
    let count = reader.count_u16(QUOTIENT_PIECES * MAX_PROOF_ACTIONS, 3)?;
    let unit = |reader: &mut Reader<'_>| {
        let coset = usize::from(reader.u8()?);
        let action = read_action(reader)?;
        if coset < QUOTIENT_PIECES {
            Ok((coset, action))
        } else {
            Err(not_canonical())
        }
    };
    (0..count).map(|_| unit(reader)).collect()
}

fn write_pieces(writer: &mut Writer, pieces: &[(Polynomial, Fp)]) {
    writer.u8(pieces.len() as u8);
    for (polynomial, blind) in pieces {
        write_polynomial(writer, polynomial);
        write_scalar(writer, blind);
    }
}

fn read_pieces(reader: &mut Reader<'_>) -> Result<Vec<(Polynomial, Fp)>, SvcError> {
    let count = reader.count_u8(QUOTIENT_PIECES, 32)?;
    (0..count)
        .map(|_| Ok((read_polynomial(reader)?, read_scalar(reader)?)))
        .collect()
}

fn write_terms(writer: &mut Writer, terms: Option<&RoundTerms>) {
    writer.u8(u8::from(terms.is_some()));
    for scalar in terms
        .iter()
        .flat_map(|terms| terms.values.iter().chain(&terms.blinds))
    {
        write_scalar(writer, scalar);
    }
}

fn read_terms(reader: &mut Reader<'_>) -> Result<Option<RoundTerms>, SvcError> {
    match reader.u8()? {
        0 => Ok(None),
        1 => Ok(Some(RoundTerms {
            values: [read_scalar(reader)?, read_scalar(reader)?],
            blinds: [read_scalar(reader)?, read_scalar(reader)?],
        })),
        _ => Err(not_canonical()),
    }
}

fn not_canonical() -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", "task")
}
