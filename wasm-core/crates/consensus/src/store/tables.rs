//! Table numbers (schema) of the engine's store. A number is never reused: the host keeps a mirror of this list
//! (which tables hold large values), and old stores are read by these numbers.

/// Version record, profile digest, sink, position, tips, counters; keys are the names in [`crate::records::meta`].
pub const META: u8 = 1;
/// Block hash → level and header.
pub const HEADERS: u8 = 2;
/// Block hash → transactions (large values).
pub const BODIES: u8 = 3;
/// Block hash → [`crate::records::block_status::BlockStatus`].
pub const STATUS: u8 = 4;
/// Block hash → GHOSTDAG data.
pub const GHOSTDAG: u8 = 5;
/// Block hash → reachability node.
pub const REACHABILITY: u8 = 6;
/// Block hash → child hashes, concatenated in order of arrival.
pub const CHILDREN: u8 = 7;
/// Block hash → mergeset blocks outside the DAA window.
pub const DAA_EXCLUDED: u8 = 8;
/// Block hash → merge depth root, finality point, pruning sample.
pub const DEPTHS: u8 = 9;
/// Selected-chain index (u64 big endian, so that ranges ascend) → block hash.
pub const CHAIN_BY_INDEX: u8 = 10;
/// Block hash → selected-chain index (u64 little endian).
pub const CHAIN_BY_HASH: u8 = 11;
/// Chain block hash → [`crate::records::acceptance_record::AcceptanceRecord`].
pub const ACCEPTANCE: u8 = 12;
/// Chain block hash → [`crate::records::chain_state::ChainState`].
pub const CHAIN_STATE: u8 = 13;
/// Nullifier → nothing; holds exactly the nullifiers spent on the chain that ends in `position`.
pub const NULLIFIERS: u8 = 14;
/// Chain block hash → nullifiers it added, concatenated.
pub const NULLIFIER_DIFFS: u8 = 15;
/// Tree root followed by block hash → nothing: every chain block that ever produced the root.
pub const ANCHOR_PRODUCERS: u8 = 16;
/// Not written any more; it held the block that last produced a tree root.
pub const ANCHOR_LATEST: u8 = 17;
/// Block hash → merge-mining witness, of blocks that lack native work (large values).
pub const WITNESSES: u8 = 18;
/// Chain block hash → anchor entry: what the age rule needs of a block whose own records are pruned.
pub const ANCHOR_ENTRIES: u8 = 19;
/// Chain block hash → scan record, kind P (large values).
pub const SCAN_RECORDS: u8 = 20;
/// Lane key → [`crate::records::lane_diff::LaneTip`]; the lanes that live at `position`.
pub const LANES: u8 = 21;
/// Place in the lanes tree → [`svc_chain::lane_tree::LaneNode`]; the tree over LANES.
pub const LANE_NODES: u8 = 22;
/// Blue score (u64 big endian) followed by lane key → nothing: LANES by age.
pub const LANE_EXPIRY: u8 = 23;
/// Number (u64 big endian; genesis is 0) → block hash: every pruning point so far, without gaps.
pub const PRUNING_POINTS: u8 = 24;
/// Level (u8) → block hashes in proof order: the pruning proof of the present pruning point.
pub const PROOF: u8 = 25;
/// Block hash → [`crate::prune::kept::Kept`]: why a block below the pruning point keeps its header, or a node far below.
pub const KEPT: u8 = 26;
/// Distance below the base of history (u64 big endian) → block hash, of scan records that have not joined the chain.
pub const IMPORT: u8 = 27;
/// Chain block hash → [`crate::records::lane_diff::LaneDiff`]. Blocks judged under layout 1 have none.
pub const LANE_DIFFS: u8 = 28;
/// Block hash → blocks whose future covering set holds it in the place of deleted ones, concatenated.
pub const INHERITED_MERGES: u8 = 29;
/// Chain block hash → [`crate::rules::anchor_binding::AnchorBinding`], of blocks from before the security fork that have an anchor
/// entry.
pub const ANCHOR_BINDINGS: u8 = 30;
/// Chain block hash → [`crate::records::chain_evidence::ChainEvidence`]. Genesis has none, nor have blocks that were pruned under
/// layout 3; those pruned under layout 4 have no opened state.
pub const CHAIN_EVIDENCE: u8 = 31;
/// Chain block hash → opening of the state after its selected parent, of the parents whose tree state stays.
pub const OPENINGS: u8 = 32;
/// Place in the anchor log (u64 big endian) → [`crate::records::log_row::LogRow`], of entries below the pruning point that the
/// store began at.
pub const LOG_ROWS: u8 = 33;
/// Chain block hash → place in the anchor log (u64 big endian): LOG_ROWS by block.
pub const LOG_PLACES: u8 = 34;

/// Tables whose values the host keeps in segment files.
pub const LARGE: [u8; 3] = [BODIES, WITNESSES, SCAN_RECORDS];
