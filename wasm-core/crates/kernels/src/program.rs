//! Interpreter for straight-line programs over columns of field values: sums of products, evaluated many rows at a
//! time.
//!
//! A program has no branches and no loops. Its operands are numbered in one space, in this order: the columns it is
//! given, the scalars it is given (one value for all rows), the literals it carries, its registers, its outputs. An
//! instruction writes one register or output. What it may write and read is checked once, when the program is made.
//!
//! Every stored value has limbs below 2²⁹ + 8; its value may be a small multiple of the modulus above tight. Whoever makes
//! a program keeps count of those multiples (see [`Instruction`]); a wrong count gives wrong values, nothing worse.

mod bytes;
pub(crate) mod place;
mod products;
pub mod run;

use crate::field::stored::Single;
use crate::lanes::modulus::PallasBase;

/// The number of an operand.
pub type Operand = u16;

/// Most instructions of a program.
pub const MAX_INSTRUCTIONS: usize = 1 << 14;
/// Most operands of one instruction.
pub const MAX_TERMS: usize = 1 << 10;
/// Most registers of a program.
pub const MAX_REGISTERS: usize = 1 << 10;
/// The largest factor of a [`Instruction::Scaled`].
pub const MAX_FACTOR: u32 = 1 << 16;
/// Most values that a [`Sum`] takes in, an added one counting once and a subtracted one twice.
pub const MAX_SUM: usize = 6;

/// Values added to and subtracted from something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// What is added.
    pub added: Vec<Operand>,
    /// What is subtracted.
    pub subtracted: Vec<Operand>,
    /// The multiple of the modulus that is added so that nothing becomes negative: at least one more than the sum of
    /// the sizes (in moduli) of what is subtracted.
    pub lift: u8,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `target` = Σ a·b + sum. The size of the result is the sum of a·b in moduli² over 128, plus one; with something in
    /// `sum` it is two.
    Products {
        /// Register or output.
        target: Operand,
        /// The factors.
        terms: Vec<(Operand, Operand)>,
        /// What is added to the products.
        sum: Sum,
    },
    /// `target` = sum.
    Linear {
        /// Register or output.
        target: Operand,
        /// The values.
        sum: Sum,
    },
    /// `target` = Σ factor · value, tight.
    Scaled {
        /// Register or output.
        target: Operand,
        /// Factors and what they multiply.
        terms: Vec<(i32, Operand)>,
        /// As in [`Sum::lift`], with sizes times factors.
        lift: u32,
    },
}

/// A checked program.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) columns: usize,
    pub(crate) scalars: usize,
    pub(crate) literals: Vec<Single<PallasBase>>,
    pub(crate) registers: usize,
    pub(crate) outputs: usize,
    pub(crate) code: Vec<Instruction>,
}

/// How many operands of each kind a program has, and its literals.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Columns given.
    pub columns: usize,
    /// Scalars given.
    pub scalars: usize,
    /// Constants of the program.
    pub literals: Vec<Single<PallasBase>>,
    /// Values kept between instructions.
    pub registers: usize,
    /// Columns written.
    pub outputs: usize,
}

impl Layout {
    /// Where the registers begin in the operand space.
    pub fn first_register(&self) -> usize {
        self.columns + self.scalars + self.literals.len()
    }

    /// All operands.
    pub fn operands(&self) -> usize {
        self.first_register() + self.registers + self.outputs
    }
}

impl Sum {
    fn weight(&self) -> usize {
        self.added.len() + 2 * self.subtracted.len()
    }

    fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        self.added.iter().chain(&self.subtracted).copied()
    }
}

impl Instruction {
    /// The operand that the instruction writes.
    pub fn target(&self) -> Operand {
        match self {
            Self::Products { target, .. }
            | Self::Linear { target, .. }
            | Self::Scaled { target, .. } => *target,
        }
    }

    /// The operands that the instruction reads.
    pub fn reads(&self) -> Vec<Operand> {
        match self {
            Self::Products { terms, sum, .. } => terms
                .iter()
                .flat_map(|(a, b)| [*a, *b])
                .chain(sum.operands())
                .collect(),
            Self::Linear { sum, .. } => sum.operands().collect(),
            Self::Scaled { terms, .. } => terms.iter().map(|(_, operand)| *operand).collect(),
        }
    }

    fn is_sound(&self) -> bool {
        match self {
            Self::Products { terms, sum, .. } => {
                !terms.is_empty() && terms.len() <= MAX_TERMS && sum.weight() < MAX_SUM
            }
            Self::Linear { sum, .. } => sum.weight() > 0 && sum.weight() <= MAX_SUM,
            Self::Scaled { terms, .. } => {
                !terms.is_empty()
                    && terms.len() <= 64
                    && terms
                        .iter()
                        .all(|(factor, _)| factor.unsigned_abs() <= MAX_FACTOR)
            }
        }
    }
}

impl Program {
    /// A program whose operands all exist and whose registers and outputs are written before they are read; none
    /// otherwise.
    pub fn new(layout: Layout, code: Vec<Instruction>) -> Option<Self> {
        let writable = layout.first_register();
        let operands = layout.operands();
        if operands > usize::from(Operand::MAX)
            || layout.registers > MAX_REGISTERS
            || code.len() > MAX_INSTRUCTIONS
        {
            return None;
        }
        let mut written = vec![false; operands];
        written.get_mut(..writable)?.fill(true);
        for instruction in &code {
            let target = usize::from(instruction.target());
            let known =
                |operand: Operand| written.get(usize::from(operand)).copied().unwrap_or(false);
            if !instruction.is_sound()
                || target < writable
                || !instruction.reads().into_iter().all(known)
            {
                return None;
            }
            *written.get_mut(target)? = true;
        }
        if written[operands - layout.outputs..].contains(&false) {
            return None;
        }
        let Layout {
            columns,
            scalars,
            literals,
            registers,
            outputs,
        } = layout;
        Some(Self {
            columns,
            scalars,
            literals,
            registers,
            outputs,
            code,
        })
    }

    /// Columns it is given.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Scalars it is given.
    pub fn scalars(&self) -> usize {
        self.scalars
    }

    /// Columns it writes.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// For every column it is given, whether it reads it.
    pub fn columns_read(&self) -> Vec<bool> {
        let mut read = vec![false; self.columns];
        for operand in self.code.iter().flat_map(Instruction::reads) {
            if let Some(column) = read.get_mut(usize::from(operand)) {
                *column = true;
            }
        }
        read
    }

    /// The instructions of the program.
    pub fn code(&self) -> &[Instruction] {
        &self.code
    }

    /// Registers it needs.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// As bytes, see [`Program::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write(self)
    }

    /// From the bytes of [`Program::to_bytes`]: reads to the end or gives none, as for a program that is not sound.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes::read(bytes)
    }
}
