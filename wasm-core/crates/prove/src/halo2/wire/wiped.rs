//! Secret byte buffer that is overwritten when it is dropped.

use core::fmt;
use core::ops::Deref;

/// Secret bytes of any length. As messages are megabytes long, they are overwritten by words, not one by one.
pub struct Wiped(Vec<u8>);

impl Wiped {
    /// Takes the bytes over.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Deref for Wiped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Wiped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Wiped({} bytes)", self.0.len())
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.fill(0);
        // What is read here cannot be left unwritten.
        core::hint::black_box(&mut self.0);
    }
}
