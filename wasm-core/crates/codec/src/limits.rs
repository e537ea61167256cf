//! Resource limits of the core, with unit and reason beside each.

/// Inputs of one transaction. Specification consensus 1.3.
pub const MAX_TX_INPUTS: usize = 1_000;
/// Outputs of one transaction. Specification consensus 1.3.
pub const MAX_TX_OUTPUTS: usize = 1_000;
/// Bytes of a signature script of an input. Specification consensus 1.3.
pub const MAX_SIGNATURE_SCRIPT_LEN: usize = 250_000;
/// Bytes of a script of an output. Specification consensus 1.3.
pub const MAX_SCRIPT_LEN: usize = 10_000;
/// Bytes of a transaction payload the decoder accepts: the block's transient mass limit
/// (1,000,000 at 4 per byte) leaves 250,000 for a whole transaction, and a profile of a
/// private network may raise it fourfold. Specification consensus 9.6, shielded 13.1.
pub const MAX_TX_PAYLOAD_LEN: usize = 1_000_000;
/// Transactions of one block: at 94 bytes for the smallest and 4 transient mass per byte,
/// 1,000,000 of mass hold 2,659; the bound leaves room for a private network.
pub const MAX_BLOCK_TXS: usize = 20_000;
/// Bytes of a raw block the decoder accepts: five times what the mass limits allow.
pub const MAX_BLOCK_LEN: usize = 2_000_000;
/// Runs of compressed parents, and levels they expand to. Specification consensus 3.3.
pub const MAX_PARENT_LEVELS: usize = 255;
/// Hashes that compressed parents expand to, 255 × 64. Specification consensus 3.3.
pub const MAX_EXPANDED_PARENTS: usize = 16_320;
/// Parents of one run: one level holds no more than all levels together may expand to.
pub const MAX_PARENTS_PER_RUN: usize = MAX_EXPANDED_PARENTS;
/// Bytes of a coinbase payload. Specification consensus 1.3.
pub const MAX_COINBASE_PAYLOAD_LEN: usize = 204;
/// Bytes of the script inside a coinbase payload. Specification consensus 1.3.
pub const MAX_COINBASE_SCRIPT_LEN: usize = 150;
/// Bytes of a merge-mining witness. Specification consensus 5.1.
pub const MAX_WITNESS_LEN: usize = 262_144;
/// Merkle siblings in a merge-mining witness. Specification consensus 5.1.
pub const MAX_WITNESS_BRANCH: usize = 64;
/// Witnesses inside the parent header of a witness, one within the other. Specification consensus 5.1.
pub const MAX_WITNESS_NESTING: usize = 4;
/// Headers of a pruning proof, all levels together. Level 0 takes about `m` (1,000) over the chance of a block to reach
/// level 1, some 4,000 on a network whose targets are near those of its levels, 141,000 in a recording where they are
/// far; the levels above add 2,000 to 4,000 each, about thirty of them.
pub const MAX_PROOF_HEADERS: usize = 500_000;
/// How much more blue work a pruning point may claim than the levels of its proof show. With m blocks at the level that
/// decides, chance makes a factor of 1.1 at m = 1,000 and less than 2 at m = 50.
pub const PROOF_CLAIM_FACTOR: u64 = 4;
/// What the own work from genesis is divided by before a chain begun at a pruning point has to show as much: the work of
/// a proof is an estimate.
pub const OWN_WORK_DIVISOR: u64 = 2;
/// Bytes of a pruning proof in its raw form: half a kilobyte a header.
pub const MAX_PRUNING_PROOF_LEN: usize = 256 << 20;
/// Pruning points of a chain, one every finality depth: 89 years of half days.
pub const MAX_PRUNING_POINTS: usize = 65_536;
/// Headers of one page of an import.
pub const MAX_TRUSTED_PAGE: usize = 1_024;
/// Bytes of the GHOSTDAG data that an import brings with a header: lists of at most [`MAX_MERGESET_WALK`] blocks with a
/// few words each.
pub const MAX_TRUSTED_GHOSTDAG_LEN: usize = 1 << 20;
/// Headers that an import makes a graph of: those of the proof, twice the window of the fastest network, and a finality
/// depth of chain blocks.
pub const MAX_TRUSTED_HEADERS: usize = 1_000_000;
/// Bytes that an import holds of trusted headers, about: a finality depth of headers with witnesses takes a quarter of
/// it, and memory ends at four times as much.
pub const MAX_TRUSTED_LEN: usize = 1 << 30;
/// Blocks that are neither in the past nor in the future of a pruning point, with it: they are merged soon, and by few
/// blocks.
pub const MAX_IMPORT_BODIES: usize = 4_096;
/// Anchors that an import brings: a chain block each for the largest anchor age of any block rate.
pub const MAX_ANCHOR_ENTRIES: usize = 300_000;
/// Merkle siblings of a block's first transaction: the logarithm of [`MAX_BLOCK_TXS`], rounded up.
pub const MAX_MERKLE_BRANCH: usize = 15;
/// Bindings of anchors from before the security fork in one page: some 400 bytes each, 2.5 kB at most.
pub const ANCHOR_BINDING_ROWS: usize = 256;
/// Rows of one page of nullifiers or lanes. Specification network 1.8.
pub const IMPORT_PAGE_ROWS: usize = 4_096;
/// Blocks of the chain above an imported pruning point that its end looks at by itself; the rest goes in steps before.
pub const IMPORT_FINISH_BLOCKS: usize = 4_096;
/// Nullifiers that an import brings, 2 GiB of them. Specification shielded 15.3.
pub const MAX_NULLIFIERS: u64 = 1 << 26;
/// Bytes of a profile file: the built-in ones have about 3,000.
pub const MAX_PROFILE_LEN: usize = 65_536;
/// Blocks of one mergeset that coloring walks before it refuses the header: eight times the
/// largest mergeset limit of any block rate (512). Specification consensus 1.2.
pub const MAX_MERGESET_WALK: usize = 4_096;
/// Children, or covering blocks, of one stored reachability node; 32 bytes each, so a value of
/// 32 MiB, which no chain with proof of work comes near.
pub const MAX_REACHABILITY_LINKS: usize = 1 << 20;
/// Blocks whose difficulty and median windows are remembered, in each of two generations. A
/// difficulty window takes about 50 kB, and four blocks in a row share one: 4 MB as a rule.
pub const WINDOW_CACHE_BLOCKS: usize = 128;
/// Windows of blocks not stored yet that are remembered: a few blocks come side by side, and a view for miners
/// between them.
pub const COMPUTED_WINDOWS: usize = 8;
/// Distinct lanes of one block. Specification consensus 1.3.
pub const MAX_LANES_PER_BLOCK: usize = 50;
/// Rows read at once when lanes expire. A chain block expires the lanes of the few chain blocks that fell out of the
/// finality depth, each of at most 180 × 41 payments.
pub const LANE_EXPIRY_PAGE: usize = 4_096;
/// Gas of one lane in one block. Specification consensus 1.3.
pub const MAX_GAS_PER_LANE: u64 = 1_000_000_000;
/// Small decoded records (headers, statuses, …) kept per kind, in each of two generations: a few
/// hundred bytes each, and more than the 2,644 blocks a difficulty window spans.
pub const RECORD_CACHE_SMALL: usize = 4_096;
/// Headers that one call takes in: with work and rules about 50 ms.
pub const HEADERS_PER_CALL: usize = 128;
/// Blocks that one page between two blocks looks at, and headers asked for by name at once: twice a page of headers of
/// specification network 1.8: 30 to 70 ms. A page holds one mergeset at least, whatever this says.
pub const SYNC_PAGE_BLOCKS: usize = 2_048;
/// Bytes of one page of headers or of blocks handed to another node; a page always holds something.
pub const SYNC_PAGE_BYTES: usize = 8 << 20;
/// Blocks asked for by name at once: more than the 99 of a batch of specification network 1.8.
pub const SYNC_BLOCKS_PER_CALL: usize = 128;
/// Hashes of one locator. Specification network 1.8.
pub const MAX_LOCATOR_HASHES: usize = 64;
/// Steps along a chain beside the selected one that are taken to find where two chains part, a few reads each; beyond
/// them a coarser answer does.
pub const SIDE_CHAIN_STEPS: usize = 4_096;
/// Past pruning points in one answer: four times what specification network 1.8 compares.
pub const PRUNING_POINTS_PER_CALL: usize = 16;
/// Children of a block that are looked at for one whose difficulty window is that of a new header: a read or two each,
/// where a window is thousands.
pub const TWINS_LOOKED_AT: usize = 16;
/// Ids of refused headers that are remembered per kind of refusal, in each of two generations, 100 bytes each: what a
/// few peers that repeat themselves send in a minute.
pub const REFUSED_HEADERS: usize = 4_096;
/// Large decoded records (chain states, bodies) kept per kind, in each of two generations.
pub const RECORD_CACHE_LARGE: usize = 128;
/// Verdicts remembered per bundle form, in each of two generations: several full mempools' worth
/// of standard payments at two per block.
pub const VERDICT_CACHE: usize = 4_096;
/// Carriers (a transaction in a block) that wait for a verdict, in each of two generations: what one chain block can ask for
/// (180 merged blocks of 41 payments) fits twice. A forgotten one is asked for again.
pub const WAITING_CARRIERS: usize = 16_384;
/// Blocks that leave, and blocks that join, the selected chain in one step, and so in one event: about 5 ms of index,
/// facts and JSON.
pub const CHAIN_PAGE_BLOCKS: usize = 64;
/// Small steps of the search for the sink (a look at a block, a mark) that count as one judged block: each costs a
/// few reads where a judged block costs milliseconds.
pub const SEARCH_STEPS_PER_BLOCK: usize = 16;
/// Pending changes of the store at which a step of resolving commits even in group mode: more than 200 blocks without
/// payments leave behind (16 each), and a commit of less than 100 ms.
pub const GROUP_COMMIT_CHANGES: usize = 4_096;
/// Blocks of side branches that one choice of virtual's parents looks at: eleven mergesets, and some 30 ms when nothing
/// of it is in a cache. A longer one waits until its older blocks are merged by others, or stays out.
pub const PARENT_WALK_BLOCKS: usize = 2_048;
/// Reported branches without the finality point that are remembered, so that each is reported once.
pub const FINALITY_REPORTS: usize = 64;
/// Blocks with two witnesses of form 0 that are remembered, so that each is told of once and its further witnesses cost
/// no proof of work.
pub const LEVEL_CONFLICTS: usize = 256;
/// Producers of one tree root that are tried; a node with more stops rather than judge by some of them. Blocks on one
/// chain share a root only while nothing is minted, so honest chains have a handful.
pub const MAX_ANCHOR_PRODUCERS: usize = 4_096;
/// Records of one scan page. Specification network 2.3.
pub const MAX_PAGE_RECORDS: usize = 2_000;
/// Bytes of one scan page; a page always holds at least one record.
pub const MAX_PAGE_BYTES: usize = 4 << 20;
/// Rows of one answer about anchors.
pub const MAX_ANCHOR_ROWS: usize = 2_000;
/// Actions of one proof: a payment that nodes relay has at most 38, and each takes 2 MB of the prover.
pub const MAX_PROOF_ACTIONS: usize = 64;
/// Workers that make one proof together; beyond eight they have little to do.
pub const MAX_PROOF_WORKERS: usize = 64;
/// Workers that lend each other the polynomials of their actions for the quotient: a message of 1.7 MB goes to all but one
/// of them for every action.
pub const MAX_LENDING_WORKERS: usize = 4;
/// Actions that such workers may have together: every worker keeps the polynomials of all of them, 1.7 MB each. With
/// more actions, what lending saves is a small part of the work.
pub const MAX_LENT_ACTIONS: usize = 16;
/// Viewing keys of one scanner: as WebAssembly each takes 35 µs for every action of a long page, and 0.4 ms for a lone one.
pub const MAX_SCAN_KEYS: usize = 256;
/// Addresses that one call derives: as WebAssembly half a millisecond each.
pub const MAX_ADDRESSES_PER_CALL: usize = 1_024;
/// Payments verified in one call; a call with more is refused.
pub const MAX_VERIFY_BATCH: usize = 256;
/// Bytes of a key of the engine's tables: the longest is two hashes.
pub const STORED_KEY_BYTES: usize = 64;
/// Blocks whose bodies one step of a self-check reads whole: at most 32 MB.
pub const CHECK_BODIES_PAGE: usize = 16;
/// Blocks of one commit of a migration that makes a record for each: some 250 kB.
pub const MIGRATION_PAGE_BLOCKS: usize = 1_000;
/// Keys in one answer of a comparison of two stores; a larger request gets this many.
pub const STORED_KEYS_PAGE: usize = 1_000;
/// Bytes of the JSON that tells the effects of a chain block: 512 merged blocks with payloads of 204 bytes, and the
/// commitments of 78 actions for each, all in hex, take 3 MB.
pub const MAX_ACCEPTANCE_PROOF_LEN: usize = 8 << 20;
/// Lanes of a chain block that are told with its effects. A chain of payments has two; each more takes 160 bytes.
pub const MAX_TOLD_LANES: usize = 256;
/// Chain blocks above a block that are looked through for what its lanes were. A few hundred of them hold a payment.
pub const MAX_LANE_WALK: u64 = 2_000;
/// Headers of one run of evidence: with some 430 bytes each, as many as a page of 400 KiB holds.
pub const MAX_RUN_HEADERS: usize = 1_024;
/// Chain blocks that one run of evidence links, at 32 bytes each: two hours of the fastest built-in network but testnet-10.
pub const MAX_RUN_BLOCKS: usize = 7_200;
/// Block level from which a run of evidence may skip blocks: the state above a block of it is kept opened, some 80 bytes. On a network of
/// 2^32 hashes a block every block reaches it.
pub const LEAST_STEP_LEVEL: u8 = 1;
/// Headers that a run of a block level needs: with 200 the work they stand for is known to a fourteenth.
pub const MIN_LEVEL_HEADERS: usize = 200;
/// Levels between an entry of the anchor log and its peak: a count has 64 bits.
pub const MAX_LOG_PATH: usize = 63;
/// Levels of the tree over one page of the anchor log: 2,048 entries of 72 bytes.
pub const LOG_PAGE_HEIGHT: u32 = 11;
/// Levels between a transaction and the digest of its lane: a place has 32 bits.
pub const MAX_LANE_PATH: usize = 32;
/// Chain blocks of a run that shows every header. Ten minutes at a block a second; a longer run shows those of a level.
pub const WHOLE_RUN_BLOCKS: u64 = 600;
/// Bytes of a receipt. Some 5 kB without the payer's disclosure, which is the payment itself.
pub const MAX_RECEIPT_LEN: usize = 65_536;
/// Bytes of a challenge that a receipt answers: a sentence or two.
pub const MAX_CHALLENGE_LEN: usize = 256;
