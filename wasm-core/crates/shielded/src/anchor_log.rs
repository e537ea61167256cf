//! Anchor log: a Merkle mountain range of all anchors since the security fork, append-only (specification consensus
//! 13.3).

use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// The three hash domains of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPersonals {
    /// For an entry.
    pub leaf: [u8; 16],
    /// For a pair of equal subtrees.
    pub node: [u8; 16],
    /// For the commitment over count and peaks.
    pub root: [u8; 16],
}

impl LogPersonals {
    /// The domains of a network.
    pub fn of(profile: &Profile) -> Self {
        let personals = &profile.personalisation;
        Self {
            leaf: *personals.anchor_log_leaf.as_bytes(),
            node: *personals.anchor_log_node.as_bytes(),
            root: *personals.anchor_log_root.as_bytes(),
        }
    }
}

/// One chain block and the anchor it produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The chain block.
    pub block: Hash32,
    /// Its selected parent.
    pub parent: Hash32,
    /// Root of its own note tree.
    pub tree_root: Hash32,
    /// Its blue score.
    pub blue_score: u64,
}

/// Number of entries and the roots of the complete subtrees, highest first. Always one peak per one bit of
/// the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnchorLog {
    count: u64,
    peaks: Vec<Hash32>,
}

impl AnchorLog {
    /// Number of entries ever appended.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Roots of the complete subtrees, highest first.
    pub fn peaks(&self) -> &[Hash32] {
        &self.peaks
    }

    /// Appends one entry. Every low one bit of the old count is a peak of equal height to fold in. The nodes that the entry
    /// completes, itself the lowest: number `i` stands over `2^i` entries.
    pub fn append(&mut self, personals: &LogPersonals, entry: &LogEntry) -> Vec<Hash32> {
        let mut node = leaf_hash(personals, entry);
        let mut completed = vec![node];
        for _ in 0..self.count.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                node = node_hash(personals, &left, &node);
                completed.push(node);
            }
        }
        self.peaks.push(node);
        self.count += 1;
        completed
    }

    /// The commitment inside the state root of form 1.
    pub fn commitment(&self, personals: &LogPersonals) -> Hash32 {
        let mut hasher = blake2b_personal(&personals.root);
        hasher.update(&self.count.to_le_bytes());
        for peak in &self.peaks {
            hasher.update(peak.as_bytes());
        }
        hasher.finalize()
    }

    /// Writes `count u64, peaks` (as many as the count has one bits).
    pub fn encode(&self, writer: &mut Writer) {
        writer.u64(self.count);
        for peak in &self.peaks {
            writer.hash(peak);
        }
    }

    /// Reads the form of [`AnchorLog::encode`]. Errors: `codec/unexpected-end`, `shielded/bad-anchor-log`.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let count = reader.u64()?;
        if count == u64::MAX {
            return Err(SvcError::new(Code::ShieldedBadAnchorLog)
                .with("reason", "no room for another entry"));
        }
        let peaks = (0..count.count_ones())
            .map(|_| reader.hash())
            .collect::<Result<_, _>>()?;
        Ok(Self { count, peaks })
    }
}

/// The lowest node over an entry.
pub fn leaf_hash(personals: &LogPersonals, entry: &LogEntry) -> Hash32 {
    blake2b_personal(&personals.leaf)
        .update(entry.block.as_bytes())
        .update(entry.parent.as_bytes())
        .update(entry.tree_root.as_bytes())
        .update(&entry.blue_score.to_le_bytes())
        .finalize()
}

/// The node over two nodes of one height.
pub fn node_hash(personals: &LogPersonals, left: &Hash32, right: &Hash32) -> Hash32 {
    blake2b_personal(&personals.node)
        .update(left.as_bytes())
        .update(right.as_bytes())
        .finalize()
}
