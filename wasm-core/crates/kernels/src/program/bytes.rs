//! Codec of programs: little-endian words of two and four bytes, literals canonical in 32.

use crate::field::stored::Single;
use crate::program::{Instruction, Layout, MAX_INSTRUCTIONS, MAX_TERMS, Operand, Program, Sum};

/// Most literals of a program.
const MAX_LITERALS: usize = 1 << 12;
/// Bytes of a literal and of the shortest instruction: kind, target, and an empty sum or a count and a lift.
const LITERAL_LEN: usize = 32;
const MIN_INSTRUCTION_LEN: usize = 1 + 2 + 3;

pub(crate) fn write(program: &Program) -> Vec<u8> {
    let mut out = Vec::new();
    let counts = [
        program.columns,
        program.scalars,
        program.literals.len(),
        program.registers,
        program.outputs,
    ];
    for count in counts {
        word(&mut out, count);
    }
    for literal in &program.literals {
        out.extend_from_slice(&literal.to_bytes());
    }
    word(&mut out, program.code.len());
    for instruction in &program.code {
        write_instruction(&mut out, instruction);
    }
    out
}

fn word(out: &mut Vec<u8>, value: usize) {
    // Counts and operands are below 2¹⁶ in every program there is.
    out.extend_from_slice(&(value as u16).to_le_bytes());
}

fn write_sum(out: &mut Vec<u8>, sum: &Sum) {
    out.extend_from_slice(&[sum.lift, sum.added.len() as u8, sum.subtracted.len() as u8]);
    for operand in sum.added.iter().chain(&sum.subtracted) {
        word(out, usize::from(*operand));
    }
}

fn write_instruction(out: &mut Vec<u8>, instruction: &Instruction) {
    match instruction {
        Instruction::Products { target, terms, sum } => {
            out.push(0);
            word(out, usize::from(*target));
            word(out, terms.len());
            for (a, b) in terms {
                word(out, usize::from(*a));
                word(out, usize::from(*b));
            }
            write_sum(out, sum);
        }
        Instruction::Linear { target, sum } => {
            out.push(1);
            word(out, usize::from(*target));
            write_sum(out, sum);
        }
        Instruction::Scaled {
            target,
            terms,
            lift,
        } => {
            out.push(2);
            word(out, usize::from(*target));
            word(out, terms.len());
            for (factor, operand) in terms {
                out.extend_from_slice(&factor.to_le_bytes());
                word(out, usize::from(*operand));
            }
            out.extend_from_slice(&lift.to_le_bytes());
        }
    }
}

/// Takes bytes from the front of a slice; none where there are too few.
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk::<N>()?;
        self.0 = tail;
        Some(*head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn operand(&mut self) -> Option<Operand> {
        self.take::<2>().map(u16::from_le_bytes)
    }

    fn count(&mut self, limit: usize) -> Option<usize> {
        self.operand()
            .map(usize::from)
            .filter(|count| *count <= limit)
    }

    /// A count of items that the bytes behind it can hold, so that room for them may be reserved.
    fn count_of(&mut self, limit: usize, min_len: usize) -> Option<usize> {
        self.count(limit)
            .filter(|count| count * min_len <= self.0.len())
    }

    fn sum(&mut self) -> Option<Sum> {
        let [lift, added, subtracted] = self.take::<3>()?;
        let mut sum = Sum {
            lift,
            ..Sum::default()
        };
        for _ in 0..added {
            sum.added.push(self.operand()?);
        }
        for _ in 0..subtracted {
            sum.subtracted.push(self.operand()?);
        }
        Some(sum)
    }

    fn instruction(&mut self) -> Option<Instruction> {
        let kind = self.byte()?;
        let target = self.operand()?;
        match kind {
            0 => {
                let count = self.count(MAX_TERMS)?;
                let terms = (0..count)
                    .map(|_| Some((self.operand()?, self.operand()?)))
                    .collect::<Option<_>>()?;
                Some(Instruction::Products {
                    target,
                    terms,
                    sum: self.sum()?,
                })
            }
            1 => Some(Instruction::Linear {
                target,
                sum: self.sum()?,
            }),
            2 => {
                let count = self.count_of(MAX_TERMS, 6)?;
                let mut terms = Vec::with_capacity(count);
                for _ in 0..count {
                    terms.push((i32::from_le_bytes(self.take::<4>()?), self.operand()?));
                }
                Some(Instruction::Scaled {
                    target,
                    terms,
                    lift: u32::from_le_bytes(self.take::<4>()?),
                })
            }
            _ => None,
        }
    }
}

pub(crate) fn read(bytes: &[u8]) -> Option<Program> {
    let mut source = Source(bytes);
    let columns = usize::from(source.operand()?);
    let scalars = usize::from(source.operand()?);
    let literal_count = source.count_of(MAX_LITERALS, LITERAL_LEN)?;
    let registers = usize::from(source.operand()?);
    let outputs = usize::from(source.operand()?);
    let mut literals = Vec::with_capacity(literal_count);
    for _ in 0..literal_count {
        literals.push(Single::from_bytes(&source.take::<32>()?)?);
    }
    let count = source.count_of(MAX_INSTRUCTIONS, MIN_INSTRUCTION_LEN)?;
    let mut code = Vec::with_capacity(count);
    for _ in 0..count {
        code.push(source.instruction()?);
    }
    let layout = Layout {
        columns,
        scalars,
        literals,
        registers,
        outputs,
    };
    if source.0.is_empty() {
        Program::new(layout, code)
    } else {
        None
    }
}
