//! Event loop of the simulated network: a clock, links, miners, and the order in which things happen.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use svc_chain::bits::{target_from_bits, work_from_bits};
use svc_chain::block::Block;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::store::MemoryStore;
use svc_pow::heavy_hash::PowState;

use crate::agreement;
use crate::audit::{agrees_with_itself, audit};
use crate::fault::{Fault, Outcome, ensure};
use crate::fault_store::LastCommit;
use crate::ledger::Ledger;
use crate::node::{Node, Sent, Taken};
use crate::payees::script_of;
use crate::rule_break::{self, Fate};
use crate::settings::{Report, Settings};
use crate::traffic::Traffic;
use crate::weather::Weather;
use svc_chance::chance::Chance;

/// Something that will happen.
#[derive(Clone, Debug)]
enum Happening {
    /// A block reaches a node.
    Arrive { to: usize, sent: Rc<Sent> },
    /// Somebody finds a block.
    Find,
    /// The sides meet again.
    Heal,
}

/// How a miner behaves.
#[derive(Debug, Default)]
struct Miner {
    /// A selfish miner's own blocks that nobody knows yet; while there are any, it hears nothing.
    hidden: Vec<Rc<Sent>>,
    unheard: Vec<Rc<Sent>>,
    /// How many blocks it hides before it shows them; 0 for an honest one.
    lead: usize,
    /// Chain blocks of its node that were compared.
    checked: BTreeSet<Hash32>,
}

/// Operations within which an armed store fails.
const FUSE: u64 = 600;

/// The simulated network.
pub struct World {
    settings: Settings,
    chance: Chance,
    clock_ms: u64,
    /// Mean time between blocks now, milliseconds.
    interval_ms: u64,
    /// Hash rate of the network in multiples of the least.
    hash_rate: u64,
    nodes: Vec<Node>,
    miners: Vec<Miner>,
    weather: Weather,
    /// By time and order of entry.
    agenda: BTreeMap<(u64, u64), Happening>,
    entries: u64,
    /// Blocks that wait for a partition to end.
    parted: Vec<(usize, usize, Rc<Sent>)>,
    ledger: Ledger,
    traffic: Traffic,
    /// Every block that is not refused, in the order of making.
    made: Vec<Rc<Sent>>,
    report: Report,
}

impl World {
    /// A network of new nodes.
    ///
    /// # Errors
    /// What opening a node finds wrong.
    pub fn new(settings: Settings) -> Outcome<Self> {
        let mut chance = Chance::new(settings.seed);
        let mut nodes = Vec::new();
        let mut miners = Vec::new();
        for index in 0..settings.miners {
            // Every third node commits in groups, one judges a block a call.
            let group = if index % 3 == 2 { 8 } else { 1 };
            let mut node = Node::open(MemoryStore::new(), settings.profile.clone(), group)?;
            if index % 4 == 1 {
                node.budget = 1;
            }
            // Every other one hands headers in ahead of their blocks.
            node.headers_first = index % 2 == 1;
            if settings.pruning && index > 0 {
                node.prune_budget = [64, 7, 1_000, 1].get((index - 1) % 4).copied();
            }
            nodes.push(node);
            // The last of three or more is selfish.
            let selfish = settings.miners > 2 && index + 1 == settings.miners;
            let lead = if selfish && settings.adversary_permille > 0 {
                2 + chance.below(4) as usize
            } else {
                0
            };
            miners.push(Miner {
                lead,
                ..Miner::default()
            });
        }
        Ok(Self {
            clock_ms: settings.profile.genesis.timestamp_ms + 1_000,
            interval_ms: settings.interval_ms,
            hash_rate: 1,
            chance,
            nodes,
            miners,
            weather: Weather::new(),
            agenda: BTreeMap::new(),
            entries: 0,
            parted: Vec::new(),
            ledger: Ledger::default(),
            traffic: Traffic::default(),
            made: Vec::new(),
            report: Report::default(),
            settings,
        })
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes and every block they took in, parents first.
    pub fn into_parts(self) -> (Vec<Node>, Vec<Rc<Sent>>) {
        (self.nodes, self.made)
    }

    /// Every block the network took in, parents first.
    pub fn made(&self) -> &[Rc<Sent>] {
        &self.made
    }

    /// Simulated time, Unix milliseconds.
    pub fn clock_ms(&self) -> u64 {
        self.clock_ms
    }

    /// The generator of payments.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// The first disagreement, with the seed.
    pub fn run(&mut self) -> Outcome<Report> {
        self.run_all().map_err(|fault| {
            let (seed, made) = (self.settings.seed, self.report.blocks);
            Fault(format!("seed {seed}, after {made} blocks: {fault}"))
        })
    }

    fn run_all(&mut self) -> Outcome<Report> {
        while self.report.blocks < self.settings.blocks {
            let left = self.settings.blocks - self.report.blocks;
            self.stretch(left.min(self.settings.quiet_every))?;
            self.quiet_point()?;
        }
        for node in &mut self.nodes {
            node.store().suspend();
            node.prune_all()?;
            self.report.pruned += node.pruned;
        }
        agreement::check(&self.nodes)?;
        agreement::check_stores(&self.nodes)?;
        self.report.pruning_steps = self.nodes[0].engine().records().pruning()?.index;
        for node in &self.nodes {
            agrees_with_itself(node)?;
        }
        self.ledger.check_fates((0, &self.nodes[0]), &self.made)?;
        audit(&self.nodes[0], &self.made, &mut self.report)?;
        self.report.codes = self.ledger.codes();
        Ok(self.report.clone())
    }

    /// Mines this many blocks under one weather.
    fn stretch(&mut self, blocks: usize) -> Outcome<()> {
        self.weather.change(&mut self.chance);
        if self.settings.real_work {
            self.hash_rate = 1 << self.chance.below(5);
        }
        self.maybe_part();
        let end = self.report.blocks + blocks;
        self.enter(self.interval_ms, Happening::Find);
        while self.report.blocks < end {
            let Some(((time, _), happening)) = self.agenda.pop_first() else {
                break;
            };
            self.clock_ms = self.clock_ms.max(time);
            self.happen(happening)?;
        }
        self.agenda
            .retain(|_, happening| !matches!(happening, Happening::Find));
        Ok(())
    }

    fn maybe_part(&mut self) {
        let longest = self.settings.longest_partition;
        if longest == 0 || self.settings.miners < 2 || self.chance.below(3) > 0 {
            return;
        }
        self.weather.part(self.settings.miners, &mut self.chance);
        self.report.partitions += 1;
        let blocks = longest / 4 + self.chance.below(longest * 3 / 4 + 1);
        self.enter(blocks * self.interval_ms, Happening::Heal);
    }

    fn enter(&mut self, delay_ms: u64, happening: Happening) {
        self.entries += 1;
        self.agenda
            .insert((self.clock_ms + delay_ms, self.entries), happening);
    }

    fn happen(&mut self, happening: Happening) -> Outcome<()> {
        match happening {
            Happening::Arrive { to, sent } => self.arrive(to, sent),
            Happening::Heal => {
                self.heal();
                Ok(())
            }
            Happening::Find => {
                let next = self.chance.waiting(self.interval_ms);
                self.enter(next, Happening::Find);
                let who = self.chance.below(self.settings.miners as u64) as usize;
                self.find(who)
            }
        }
    }

    fn heal(&mut self) {
        self.weather.heal();
        for (_, to, sent) in std::mem::take(&mut self.parted) {
            let delay = self.weather.delay(&mut self.chance);
            self.enter(delay, Happening::Arrive { to, sent });
        }
    }

    fn arrive(&mut self, to: usize, sent: Rc<Sent>) -> Outcome<()> {
        if !self.miners[to].hidden.is_empty() {
            self.miners[to].unheard.push(sent);
            return Ok(());
        }
        self.nodes[to].push(sent);
        self.work(to)
    }

    /// Lets a node take in what is queued, through failures of its store if any.
    fn work(&mut self, who: usize) -> Outcome<()> {
        let mut taken = Vec::new();
        let fuse = self.nodes[who].store().suspend();
        let earlier = self.nodes[who].sink()?;
        self.nodes[who].store().resume(fuse);
        self.maybe_arm(who);
        while let Err(error) = self.nodes[who].work(self.clock_ms, &mut taken) {
            self.restart(who, error)?;
        }
        let fuse = self.nodes[who].store().suspend();
        self.compare(who, &earlier, &taken)?;
        self.nodes[who].store().resume(fuse);
        Ok(())
    }

    fn compare(&mut self, who: usize, earlier: &Hash32, taken: &[Taken]) -> Outcome<()> {
        for one in taken {
            self.ledger.check_taken(who, one)?;
        }
        let node = &self.nodes[who];
        let checked = &mut self.miners[who].checked;
        let report = &mut self.report;
        report.comparisons += self.ledger.check_chain((who, node), checked)?;
        self.ledger.check_pruning((who, node))?;
        report.most_tips = report.most_tips.max(node.engine().records().tips()?.len());
        let depth = agreement::rolled_back(node, earlier)?;
        report.deepest_reorg = report.deepest_reorg.max(depth);
        Ok(())
    }

    /// From time to time one store is set to fail soon.
    fn maybe_arm(&mut self, who: usize) {
        let left = self.settings.kills.saturating_sub(self.report.kills) as u64;
        if left == 0 || self.nodes[who].store().is_armed() {
            return;
        }
        let unmade = self.settings.blocks.saturating_sub(self.report.blocks) as u64;
        if self.chance.below(unmade * self.nodes.len() as u64) < 3 * left {
            let last = if self.chance.below(2) == 0 {
                LastCommit::Lost
            } else {
                LastCommit::Kept
            };
            let fuse = self.chance.below(FUSE);
            self.nodes[who].store().fail_after(fuse, last);
        }
    }

    /// Opens a node again after its store failed, and looks for what it had acknowledged.
    fn restart(&mut self, who: usize, error: SvcError) -> Outcome<()> {
        ensure(self.nodes[who].store().has_failed(), || {
            format!("node {who}: {error}")
        })?;
        self.report.kills += 1;
        agreement::reopen(who, &mut self.nodes[who])
    }

    /// A miner finds a block on what it knows.
    fn find(&mut self, who: usize) -> Outcome<()> {
        self.work(who)?;
        let block = loop {
            match self.template(who) {
                Ok(block) => break block,
                Err(error) => {
                    self.restart(who, error)?;
                    self.work(who)?;
                }
            }
        };
        let evil = self.chance.permille(self.settings.adversary_permille);
        let blocks = if evil {
            // What an attacker reads is none of the engine's operations.
            let fuse = self.nodes[who].store().suspend();
            let blocks = self.of_ill_will(who, block)?;
            self.nodes[who].store().resume(fuse);
            blocks
        } else {
            vec![(block, Fate::Accepted)]
        };
        for (block, fate) in blocks {
            let sent = self.seal(block);
            self.ledger.expect(sent.hash, fate);
            self.report.blocks += 1;
            match fate {
                Fate::Refused => self.report.refused += 1,
                Fate::NeverChain => self.report.never_chain += 1,
                Fate::Accepted => {}
            }
            if fate != Fate::Refused {
                self.made.push(sent.clone());
            }
            self.nodes[who].push(sent.clone());
            self.work(who)?;
            self.publish(who, sent);
        }
        Ok(())
    }

    fn template(&mut self, who: usize) -> Result<Block, SvcError> {
        let mut candidates = Vec::new();
        if self.settings.payments {
            for _ in 0..self.chance.below(3) {
                let node = &self.nodes[who];
                candidates.push(self.traffic.honest(node, &mut self.chance)?);
            }
        }
        let time = self.clock_ms;
        self.nodes[who].template(&script_of(who)?, candidates, time)
    }

    /// One broken rule, or payments that should be dropped, or many blocks out of one template.
    fn of_ill_will(&mut self, who: usize, block: Block) -> Outcome<Vec<(Block, Fate)>> {
        let node = &self.nodes[who];
        match self.chance.below(4) {
            0 | 1 => {
                let rule = rule_break::any(&mut self.chance);
                Ok(vec![match rule.apply(&block, node) {
                    Some(broken) => (broken, rule.fate()),
                    None => (block, Fate::Accepted),
                }])
            }
            2 if self.settings.payments => {
                let mut block = block;
                for _ in 0..1 + self.chance.below(3) {
                    block
                        .transactions
                        .push(self.traffic.hostile(node, &mut self.chance)?);
                }
                block.header.hash_merkle_root = block.merkle_root();
                Ok(vec![(block, Fate::Accepted)])
            }
            _ => {
                let copies = 2 + self.chance.below(5);
                Ok((0..copies)
                    .map(|_| (block.clone(), Fate::Accepted))
                    .collect())
            }
        }
    }

    /// Gives a block its nonce.
    fn seal(&mut self, mut block: Block) -> Rc<Sent> {
        block.header.nonce = self.chance.bits();
        if self.settings.real_work {
            let target = target_from_bits(block.header.bits);
            let state = PowState::new(&block.header);
            let work = work_from_bits(block.header.bits).low_u64();
            let least = work_from_bits(self.settings.profile.max_difficulty_target_bits).low_u64();
            self.interval_ms = self.settings.interval_ms * work / (least.max(1) * self.hash_rate);
            while state.pow(block.header.nonce) > target {
                block.header.nonce = block.header.nonce.wrapping_add(1);
            }
        }
        let hash = block.hash();
        Rc::new(Sent {
            block,
            hash,
            witness: None,
        })
    }

    fn publish(&mut self, who: usize, sent: Rc<Sent>) {
        if self.miners[who].lead > 0 {
            self.miners[who].hidden.push(sent);
            if self.miners[who].hidden.len() >= self.miners[who].lead {
                self.show(who);
            }
        } else {
            self.send(who, &sent);
        }
    }

    fn show(&mut self, who: usize) {
        for sent in std::mem::take(&mut self.miners[who].hidden) {
            self.send(who, &sent);
        }
        for sent in std::mem::take(&mut self.miners[who].unheard) {
            self.enter(0, Happening::Arrive { to: who, sent });
        }
    }

    fn send(&mut self, from: usize, sent: &Rc<Sent>) {
        for to in 0..self.nodes.len() {
            if to == from {
                continue;
            }
            let sent = sent.clone();
            if self.weather.parts(from, to) {
                self.parted.push((from, to, sent));
            } else {
                let delay = self.weather.delay(&mut self.chance);
                self.enter(delay, Happening::Arrive { to, sent });
            }
        }
    }

    /// Everybody hears everything; then all must agree.
    fn quiet_point(&mut self) -> Outcome<()> {
        self.heal();
        for who in 0..self.nodes.len() {
            self.show(who);
        }
        while let Some(((time, _), happening)) = self.agenda.pop_first() {
            self.clock_ms = self.clock_ms.max(time);
            if let Happening::Arrive { to, sent } = happening {
                self.arrive(to, sent)?;
            }
        }
        let mut fuses = Vec::new();
        for node in &mut self.nodes {
            fuses.push(node.store().suspend());
            node.flush()?;
        }
        agreement::check(&self.nodes)?;
        for (node, fuse) in self.nodes.iter().zip(fuses) {
            node.store().resume(fuse);
        }
        self.report.quiet_points += 1;
        Ok(())
    }
}
