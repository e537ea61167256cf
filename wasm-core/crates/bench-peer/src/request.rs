//! Request types of the benchmark program.

use serde::Deserialize;
use serde_json::Value;
use svc_codec::error::SvcError;

/// A request, one line of standard input. Byte strings are hex.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// How the program was compiled.
    About,
    /// Builds the proving key anew and tells how long it took.
    Setup,
    /// A payment plan with this many spends, all of one made-up wallet.
    Plan { actions: usize },
    /// Proves a plan of [`Request::Plan`]; the answer holds the signed payment.
    Prove { plan: Value },
    /// Verifies payments one at a time, signatures included.
    Verify { transactions: Vec<String> },
    /// Verifies payments with upstream's batch validator.
    VerifyBatch { transactions: Vec<String> },
    /// Scan records with this many actions per block, one of all of them for this wallet.
    Page {
        blocks: usize,
        actions: usize,
        wallet: u8,
    },
    /// Tries every action of a page with the keys of the given wallets.
    Scan {
        body: String,
        blocks: usize,
        wallets: Vec<u8>,
    },
    /// Parts of notes: recipient 43, value 8, rho 32, rseed 32 bytes each.
    Notes { count: usize },
    /// The commitments of such notes.
    Commit { notes: String },
    /// All complete nodes above the given leaves, with upstream's batch call or one at a time; their number, and the root
    /// of the tree that holds nothing else.
    Merkle { leaves: String, batched: bool },
}

/// Why a request was not served.
pub struct Failure(pub String);

impl From<SvcError> for Failure {
    fn from(error: SvcError) -> Self {
        Self(error.to_json())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}
