//! Block-graph algorithms, each a pure function over [`store::DagStore`]: reachability, GHOSTDAG,
//! scores and windows, indirect parents, merge and finality depth, pruning samples, graphs of block levels
//! (specification consensus 7). Nothing here judges a block; the engine does.
//!
//! What callers rely on:
//! - `ReachabilityNode` holds `height`, the distance from the root of the selected-parent tree.
//! - `ghostdag::ghostdag` refuses to color a mergeset above `limits::MAX_MERGESET_WALK` with
//!   `header/mergeset-too-big`, so that no header can make it walk the whole graph.
//! - `depth::check_bounded_merge(store, gd, record)` needs no pruning point.
//! - `WindowManager` takes `&self` in every call; one manager serves one profile. Its cache is keyed by accepted
//!   blocks and never holds the asking block, so virtual and templates may ask freely.
//! - An inconsistent store is `store/corrupt` or `store/missing`, never a verdict about a block.
#![deny(clippy::indexing_slicing)]

pub mod depth;
mod difficulty;
pub mod ghostdag;
pub mod interval;
pub mod level_dag;
pub mod parents_builder;
pub mod pruning_point;
pub mod reachability;
pub mod reachability_delete;
pub mod records;
mod reindex;
mod sampled_window;
pub mod sortable_block;
pub mod store;
pub mod windows;
