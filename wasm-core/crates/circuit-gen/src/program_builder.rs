//! Program builder with register allocation: counts the sizes of values, and keeps values in as few registers as it
//! can.

use std::collections::HashMap;

use svc_kernels::program::{Instruction, Layout, MAX_SUM, Operand, Program, Sum};

use crate::factor::Factor;
use crate::gen_error::GenError;

/// A value larger than this many moduli is made tight before it is used further.
const LARGE: u32 = 24;
/// Size in moduli of a tight value.
const TIGHT: u32 = 2;

/// An operand before numbers are given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A column.
    Column(usize),
    /// A scalar.
    Scalar(usize),
    /// A literal of the program.
    Literal(usize),
    /// What instruction number so and so computes.
    Step(usize),
}

/// One instruction on [`Source`]s.
#[derive(Clone, Debug)]
enum Step {
    Products {
        terms: Vec<(Source, Source)>,
        added: Vec<Source>,
        subtracted: Vec<Source>,
        lift: u32,
    },
    Linear {
        added: Vec<Source>,
        subtracted: Vec<Source>,
        lift: u32,
    },
    Scaled {
        terms: Vec<(i32, Source)>,
        lift: u32,
    },
}

/// Builder of a program.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    literals: Vec<Factor>,
    literal_numbers: HashMap<Factor, usize>,
    steps: Vec<Step>,
    sizes: Vec<u32>,
    /// The step whose value each output takes; the output is written by that step itself.
    outputs: Vec<usize>,
}

/// Values added and subtracted once, and the multiple of the modulus against borrows.
struct Terms {
    added: Vec<Source>,
    subtracted: Vec<Source>,
    lift: u32,
    size: u32,
}

impl ProgramBuilder {
    /// A constant.
    pub fn literal(&mut self, factor: &Factor) -> Source {
        let next = self.literals.len();
        let number = *self.literal_numbers.entry(*factor).or_insert(next);
        if number == next {
            self.literals.push(*factor);
        }
        Source::Literal(number)
    }

    /// Size of a value in moduli.
    fn size(&self, source: Source) -> u32 {
        match source {
            Source::Step(step) => self.sizes[step],
            Source::Column(_) | Source::Scalar(_) | Source::Literal(_) => TIGHT,
        }
    }

    fn push(&mut self, step: Step, size: u32) -> Source {
        self.steps.push(step);
        self.sizes.push(size);
        Source::Step(self.steps.len() - 1)
    }

    /// The same value, tight.
    pub fn tight(&mut self, source: Source) -> Source {
        if self.size(source) <= TIGHT {
            source
        } else {
            self.scaled(vec![(1, source)])
        }
    }

    fn scaled(&mut self, terms: Vec<(i32, Source)>) -> Source {
        // Two more than the subtracted sizes: one for the borrow of the top limb, one for what is lent.
        let lift = terms
            .iter()
            .filter(|(factor, _)| *factor < 0)
            .map(|(factor, source)| factor.unsigned_abs() * self.size(*source) + 1)
            .sum::<u32>();
        self.push(
            Step::Scaled {
                terms,
                lift: lift + 2,
            },
            TIGHT,
        )
    }

    /// Splits values with factors ±1 into added and subtracted ones; whatever does not fit becomes one scaled value.
    fn terms(&mut self, values: Vec<(i32, Source)>, limit: usize) -> Terms {
        let weight: usize = values
            .iter()
            .map(|(factor, _)| if *factor < 0 { 2 } else { 1 })
            .sum();
        let simple = weight <= limit && values.iter().all(|(factor, _)| factor.unsigned_abs() == 1);
        let values = if simple {
            values
        } else {
            vec![(1, self.scaled(values))]
        };
        let mut out = Terms {
            added: vec![],
            subtracted: vec![],
            lift: 0,
            size: 0,
        };
        for (factor, source) in values {
            if factor > 0 {
                out.size += self.size(source);
                out.added.push(source);
            } else {
                out.lift += self.size(source);
                out.subtracted.push(source);
            }
        }
        if !out.subtracted.is_empty() {
            out.lift += 1;
        }
        out.size += out.lift;
        out
    }

    /// Σ a·b + Σ factor·value.
    pub fn combine(
        &mut self,
        products: Vec<(Source, Source)>,
        values: Vec<(i32, Source)>,
    ) -> Source {
        let out = if products.is_empty() {
            match values.as_slice() {
                [(1, source)] => return *source,
                _ => {
                    let Terms {
                        added,
                        subtracted,
                        lift,
                        size,
                    } = self.terms(values, MAX_SUM);
                    match (added.as_slice(), subtracted.is_empty()) {
                        ([single], true) => return *single,
                        _ => self.push(
                            Step::Linear {
                                added,
                                subtracted,
                                lift,
                            },
                            size,
                        ),
                    }
                }
            }
        } else {
            let Terms {
                added,
                subtracted,
                lift,
                size,
            } = self.terms(values, MAX_SUM - 1);
            let square: u32 = products
                .iter()
                .map(|(a, b)| self.size(*a) * self.size(*b))
                .sum();
            let size = if size > 0 {
                TIGHT
            } else {
                square.div_ceil(128) + 1
            };
            self.push(
                Step::Products {
                    terms: products,
                    added,
                    subtracted,
                    lift,
                },
                size,
            )
        };
        if self.size(out) > LARGE {
            self.tight(out)
        } else {
            out
        }
    }

    /// a·b.
    pub fn product(&mut self, a: Source, b: Source) -> Source {
        self.combine(vec![(a, b)], vec![])
    }

    /// Makes a tight value the next output. A value is an output at most once, and never an input.
    pub fn output(&mut self, source: Source) -> usize {
        let fresh = match source {
            Source::Step(step) if self.sizes[step] <= TIGHT && !self.outputs.contains(&step) => {
                step
            }
            _ => {
                self.scaled(vec![(1, source)]);
                self.steps.len() - 1
            }
        };
        self.outputs.push(fresh);
        self.outputs.len() - 1
    }

    /// Outputs so far.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Gives out numbers and registers.
    ///
    /// # Errors
    /// When the program is too large.
    pub fn finish(self, columns: usize, scalars: usize) -> Result<Program, GenError> {
        let mut last_use: Vec<usize> = (0..self.steps.len()).collect();
        for (index, step) in self.steps.iter().enumerate() {
            for source in step.reads() {
                if let Source::Step(read) = source {
                    last_use[read] = index;
                }
            }
        }
        let (places, registers) = self.place(&last_use);
        let literals: Vec<_> = self.literals.iter().map(Factor::value).collect();
        let layout = Layout {
            columns,
            scalars,
            literals,
            registers,
            outputs: self.outputs.len(),
        };
        let first_register = layout.first_register();
        let too_large = || GenError::new("a program with too many operands");
        let number = |source: Source| -> Result<Operand, GenError> {
            let number = match source {
                Source::Column(index) => index,
                Source::Scalar(index) => columns + index,
                Source::Literal(index) => columns + scalars + index,
                Source::Step(step) => match places[step] {
                    Place::Register(register) => first_register + register,
                    Place::Output(output) => first_register + registers + output,
                },
            };
            Operand::try_from(number).map_err(|_| too_large())
        };
        let mut code = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            code.push(step.instruction(number(Source::Step(index))?, &number)?);
        }
        Program::new(layout, code).ok_or_else(|| GenError::new("a program that is not sound"))
    }

    /// Where every step's value lives, and the number of registers.
    fn place(&self, last_use: &[usize]) -> (Vec<Place>, usize) {
        let mut places = vec![Place::Register(0); self.steps.len()];
        let mut free: Vec<usize> = Vec::new();
        let mut registers = 0;
        let mut ending: HashMap<usize, Vec<usize>> = HashMap::new();
        for (output, step) in self.outputs.iter().enumerate() {
            places[*step] = Place::Output(output);
        }
        for index in 0..self.steps.len() {
            // What is read here for the last time may be overwritten here: operands are read row by row before the
            // row is written.
            free.extend(ending.remove(&index).unwrap_or_default());
            if let Place::Register(register) = &mut places[index] {
                *register = free.pop().unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                });
                let register = *register;
                ending.entry(last_use[index]).or_default().push(register);
                if last_use[index] == index {
                    free.extend(ending.remove(&index).unwrap_or_default());
                }
            }
        }
        (places, registers)
    }
}

/// Where a step's value is kept.
#[derive(Clone, Copy, Debug)]
enum Place {
    Register(usize),
    Output(usize),
}

impl Step {
    fn reads(&self) -> Vec<Source> {
        match self {
            Self::Products {
                terms,
                added,
                subtracted,
                ..
            } => terms
                .iter()
                .flat_map(|(a, b)| [*a, *b])
                .chain(added.iter().chain(subtracted).copied())
                .collect(),
            Self::Linear {
                added, subtracted, ..
            } => added.iter().chain(subtracted).copied().collect(),
            Self::Scaled { terms, .. } => terms.iter().map(|(_, source)| *source).collect(),
        }
    }

    fn instruction(
        &self,
        target: Operand,
        number: &impl Fn(Source) -> Result<Operand, GenError>,
    ) -> Result<Instruction, GenError> {
        let sum = |added: &[Source], subtracted: &[Source], lift: u32| -> Result<Sum, GenError> {
            Ok(Sum {
                added: added
                    .iter()
                    .map(|source| number(*source))
                    .collect::<Result<_, _>>()?,
                subtracted: subtracted
                    .iter()
                    .map(|source| number(*source))
                    .collect::<Result<_, _>>()?,
                lift: u8::try_from(lift).map_err(GenError::new)?,
            })
        };
        Ok(match self {
            Self::Products {
                terms,
                added,
                subtracted,
                lift,
            } => Instruction::Products {
                target,
                terms: terms
                    .iter()
                    .map(|(a, b)| Ok((number(*a)?, number(*b)?)))
                    .collect::<Result<_, GenError>>()?,
                sum: sum(added, subtracted, *lift)?,
            },
            Self::Linear {
                added,
                subtracted,
                lift,
            } => Instruction::Linear {
                target,
                sum: sum(added, subtracted, *lift)?,
            },
            Self::Scaled { terms, lift } => Instruction::Scaled {
                target,
                terms: terms
                    .iter()
                    .map(|(factor, source)| Ok((*factor, number(*source)?)))
                    .collect::<Result<_, GenError>>()?,
                lift: *lift,
            },
        })
    }
}
