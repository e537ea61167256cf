//! Reorganisation test, forward, back, forward: a node that followed a branch, left it for a heavier one and came
//! back must hold the same bytes as one that never left.

use std::rc::Rc;

use svc_codec::hash32::Hash32;

use crate::agreement::{PRESENT, rolled_back, table_digest};
use crate::fault::{Fault, Outcome, ensure};
use crate::ledger::JUDGED_ROWS;
use crate::node::{Node, Sent};
use crate::payees::script_of;
use crate::settings::Settings;
use crate::traffic::Traffic;
use crate::world::World;
use svc_chance::chance::Chance;

/// Blocks by which the winning branch is longer.
const LEAD: usize = 3;

/// A node that mines alone, and what it mined.
struct Branch {
    node: Node,
    who: usize,
    traffic: Traffic,
    chance: Chance,
    clock_ms: u64,
    blocks: Vec<Rc<Sent>>,
}

impl Branch {
    fn mine(&mut self, blocks: usize) -> Outcome<()> {
        for _ in 0..blocks {
            self.clock_ms += 1_000;
            let candidates = (0..self.chance.below(3))
                .map(|_| self.traffic.honest(&self.node, &mut self.chance))
                .collect::<Result<_, _>>()?;
            let script = script_of(self.who)?;
            let mut block = self.node.template(&script, candidates, self.clock_ms)?;
            block.header.nonce = self.chance.bits();
            let hash = block.hash();
            let sent = Rc::new(Sent {
                block,
                hash,
                witness: None,
            });
            feed(&mut self.node, std::slice::from_ref(&sent), self.clock_ms)?;
            self.blocks.push(sent);
        }
        Ok(())
    }
}

/// Hands blocks to a node, all of which it must take.
fn feed(node: &mut Node, blocks: &[Rc<Sent>], clock_ms: u64) -> Outcome<()> {
    for sent in blocks {
        node.push(sent.clone());
    }
    let mut taken = Vec::new();
    node.work(clock_ms, &mut taken)?;
    let refused = taken.iter().find(|one| one.refusal.is_some());
    match refused {
        None => Ok(()),
        Some(one) => Err(Fault(format!("{} refused: {:?}", one.hash, one.refusal))),
    }
}

/// Swings a node away from a branch of this depth and back. `settings` make the blocks below the fork.
///
/// # Errors
/// The first difference, with the seed.
pub fn swing(settings: Settings, depth: usize) -> Outcome<()> {
    let seed = settings.seed;
    swing_once(settings, depth).map_err(|fault| Fault(format!("seed {seed}: {fault}")))
}

fn swing_once(settings: Settings, depth: usize) -> Outcome<()> {
    let seed = settings.seed;
    let mut world = World::new(settings)?;
    world.run()?;
    let Some(base) = world.nodes().first() else {
        return Err(Fault("a network of no nodes".to_owned()));
    };
    let branch = |who: usize| -> Outcome<Branch> {
        Ok(Branch {
            node: base.fork()?,
            who,
            // The same notes on both branches: what one spent the other must find unspent.
            traffic: world.traffic().clone(),
            chance: Chance::new(seed.wrapping_add(who as u64)),
            clock_ms: world.clock_ms(),
            blocks: Vec::new(),
        })
    };
    let (mut left, mut right) = (branch(1)?, branch(2)?);
    left.mine(depth)?;
    right.mine(depth + LEAD)?;
    let mut node = left.node.fork()?;
    let before = content(&node, &left.blocks)?;

    let sink = node.sink()?;
    feed(&mut node, &right.blocks, right.clock_ms)?;
    let back = rolled_back(&node, &sink)?;
    ensure(back == depth, || {
        format!("{back} blocks rolled back, not {depth}")
    })?;
    same_present(&node, &right.node, "on the other branch")?;
    node.restart()?;

    left.mine(2 * LEAD)?;
    feed(&mut node, &left.blocks, left.clock_ms)?;
    same_present(&node, &left.node, "after coming back")?;
    let first = left.blocks.get(..depth).unwrap_or_default();
    ensure(content(&node, first)? == before, || {
        "a row of the first branch changed its bytes".to_owned()
    })?;
    ensure(
        content(&node, &left.blocks)? == content(&left.node, &left.blocks)?,
        || "rows differ from those of a node that never left".to_owned(),
    )
}

/// A block, a table, and what that holds of the block.
type Row = (Hash32, u8, Option<Vec<u8>>);

/// What is stored of each block, and under which keys.
fn content(node: &Node, blocks: &[Rc<Sent>]) -> Outcome<Vec<Row>> {
    let overlay = &node.engine().records().overlay;
    let mut rows = Vec::new();
    for sent in blocks {
        for table in JUDGED_ROWS {
            let row = overlay.get(table, sent.hash.as_bytes())?;
            rows.push((sent.hash, table, row));
        }
    }
    Ok(rows)
}

fn same_present(node: &Node, other: &Node, when: &str) -> Outcome<()> {
    ensure(node.sink()? == other.sink()?, || {
        format!("another sink {when}")
    })?;
    for table in PRESENT {
        let same = table_digest(node, table)? == table_digest(other, table)?;
        ensure(same, || format!("table {table} differs {when}"))?;
    }
    Ok(())
}
