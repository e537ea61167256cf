//! Fuzz target type: a decoder, its seed inputs and what it promises.

use core::fmt;

use svc_codec::code::Code;
use svc_codec::error::SvcError;

/// How a decoder answered. A broken promise (a panic, another encoding) is no answer: the target panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The bytes were read.
    Taken,
    /// They were refused, with this code.
    Refused(&'static str),
}

/// Which inputs a target takes: what a run has to show so that it shows anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Seeds, and some of the inputs that are made of them.
    Others,
    /// Nothing but the seeds: a hash in the program or a signature fixes the bytes.
    Seeds,
    /// Nothing that a test could hold.
    Nothing,
}

/// Most bytes that a run may hold allocated at once: for its result, its encoding and what was computed of it.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Whatever the input.
    pub fixed: usize,
    /// Per byte of the input.
    pub per_byte: usize,
}

/// One decoder and what it promises.
#[derive(Clone, Copy)]
pub struct Target {
    /// Area and decoder.
    pub name: &'static str,
    /// Good inputs: each is taken, unless the target takes nothing.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Decodes, encodes again, and uses what was decoded. Panics when a promise is broken.
    pub run: fn(&[u8]) -> Outcome,
    /// Makes a changed input pass its checksum.
    pub repair: Option<fn(&mut Vec<u8>)>,
    /// Whether inputs are text.
    pub is_text: bool,
    /// What is taken at all.
    pub takes: Takes,
    /// The bound on memory.
    pub room: Room,
    /// One input is made where other targets get so many: for decoders of our own files and messages that take
    /// milliseconds.
    pub weight: u64,
    /// The same for what comes from outside, in short runs only.
    pub slowness: u64,
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Target({})", self.name)
    }
}

impl Target {
    /// A target with the room of a decoder that keeps what it reads.
    pub const fn new(
        name: &'static str,
        seeds: fn() -> Vec<Vec<u8>>,
        run: fn(&[u8]) -> Outcome,
    ) -> Self {
        Self {
            name,
            seeds,
            run,
            repair: None,
            is_text: false,
            takes: Takes::Others,
            room: Room {
                fixed: 8_192,
                per_byte: 16,
            },
            weight: 1,
            slowness: 1,
        }
    }

    /// With a repair.
    #[must_use]
    pub const fn repaired(mut self, repair: fn(&mut Vec<u8>)) -> Self {
        self.repair = Some(repair);
        self
    }

    /// Of text.
    #[must_use]
    pub const fn text(mut self) -> Self {
        self.is_text = true;
        self
    }

    /// Of bytes that a hash in the program or a signature fixes.
    #[must_use]
    pub const fn pinned(mut self) -> Self {
        self.takes = Takes::Seeds;
        self
    }

    /// Of bytes that a hash in the program fixes and that are too many to begin with.
    #[must_use]
    pub const fn never(mut self) -> Self {
        self.takes = Takes::Nothing;
        self.weight = 20;
        self
    }

    /// With another bound on memory.
    #[must_use]
    pub const fn room(mut self, fixed: usize, per_byte: usize) -> Self {
        self.room = Room { fixed, per_byte };
        self
    }

    /// With fewer inputs in short runs.
    #[must_use]
    pub const fn slow(mut self, slowness: u64) -> Self {
        self.slowness = slowness;
        self
    }

    /// With fewer inputs.
    #[must_use]
    pub const fn weight(mut self, weight: u64) -> Self {
        self.weight = weight;
        self
    }
}

/// The outcome of a decoder that has one encoding for each value: what it takes is written in the same bytes.
pub fn strict<T>(
    bytes: &[u8],
    decoded: Result<T, SvcError>,
    encode: impl FnOnce(&T) -> Vec<u8>,
) -> Outcome {
    match decoded {
        Ok(value) => {
            assert!(encode(&value) == bytes, "another encoding was taken");
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

/// The outcome of a decoder that takes several encodings of a value: the one that is written is read as the same value.
pub fn lenient<T: PartialEq>(
    decoded: Result<T, SvcError>,
    encode: impl FnOnce(&T) -> Vec<u8>,
    decode: impl FnOnce(&[u8]) -> Result<T, SvcError>,
) -> Outcome {
    match decoded {
        Ok(value) => {
            let again = decode(&encode(&value));
            assert!(
                again.is_ok_and(|again| again == value),
                "what was taken is not written"
            );
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

/// A refusal; its text and JSON forms must exist too.
pub fn refused(error: &SvcError) -> Outcome {
    assert!(error.code != Code::InternalUnexpected, "{error}");
    assert!(!error.to_json().is_empty(), "an error without a form");
    Outcome::Refused(error.code.as_str())
}

/// A refusal without a reason.
pub const NONE: Outcome = Outcome::Refused("none");

/// The outcome of a reader of text; bytes that are no text never reach one.
pub fn of_text(bytes: &[u8], run: impl FnOnce(&str) -> Outcome) -> Outcome {
    core::str::from_utf8(bytes).map_or(Outcome::Refused("no text"), run)
}
