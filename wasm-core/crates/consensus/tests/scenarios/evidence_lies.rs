//! A miner who publishes a block with a false state root and shows honest headers above it, on real engines: the block is merged
//! and paid like any other, and no run binds it (specification consensus 18.4).

use serde_json::{Value, json};
use svc_chain::block::Block;
use svc_chain::header::raw::ReadHeader;
use svc_chain::seq_commit;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::parameters::Parameters;
use svc_consensus::questions::evidence;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::opening::Opening;
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::{Link, Run, Step};
use svc_pow::heavy_hash::{block_level, check_pow};
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::anchor_log::{LogEntry, LogPersonals};
use svc_shielded::state_root::{Carried, Parts0, state_root};

use crate::scenarios::kit::{Node, simnet_with, with_payload};
use crate::scenarios::merge_kit;

/// Blocks below the lie, and above it: more than a run of a level needs.
const BELOW: usize = 12;
const ABOVE: usize = 240;
const MADE_UP: u128 = 1_000_000_000_000_000;

/// A chain, and a block beside its block `BELOW + 1` that a later one merged.
struct Scene {
    node: Node,
    lie: Block,
    opening: Opening,
}

fn judge(rules: &Parameters) -> Judge<'_> {
    Judge {
        network: WorkNetwork {
            profile: &rules.profile,
            genesis: &rules.genesis_hash,
        },
        floor: WorkFloor::of_network(&rules.profile),
    }
}

/// The root of a state as it is opened after `block`.
fn root_of(rules: &Parameters, block: Hash32, opening: &Opening) -> Hash32 {
    let parts = Parts0 {
        tree_root: opening.tree_root,
        nullifier_root: match opening.nullifiers.as_digest() {
            svc_evidence::opening::Nullifiers::Digest(digest) => digest,
            svc_evidence::opening::Nullifiers::Product(_) => unreachable!(),
        },
        cumulative_coinbase: opening.cumulative_coinbase,
        cumulative_fees: opening.cumulative_fees,
        burn_root: Hash32::ZERO,
    };
    let personals = LogPersonals::of(&rules.profile);
    let carried = opening.log.as_ref().map(|log| {
        let mut after = log.before.clone();
        let entry = LogEntry {
            block,
            parent: log.parent,
            tree_root: opening.tree_root,
            blue_score: log.blue_score,
        };
        after.append(&personals, &entry);
        Carried {
            dev_accrued: log.dev_accrued,
            anchor_commitment: after.commitment(&personals),
            slot_script_version: log.slot_script_version,
            slot_script: log.slot_script.clone(),
            slot_amount: log.slot_amount,
        }
    });
    state_root(&rules.profile, &parts, carried.as_ref())
}

fn scene(fork: u64) -> Scene {
    // Every fourth block or so is of a level that steps begin at.
    let mut node = Node::new(simnet_with(&[
        ("/activations/securityFork", json!(fork)),
        ("/maxBlockLevel", json!(254)),
    ]));
    node.mine_many(1, BELOW);
    let block = node.sink();
    // Right parents, the right accepted ids; the state is made up once it is known.
    let beside = node.build(9, &[]);
    let honest = (20..).map(|nonce| node.build(nonce, &[]));
    let mut honest = honest.filter(|block| block_level(254, check_pow(&block.header).0) > 0);
    let honest = honest.next().unwrap();
    node.add(&honest);
    node.mine_many(1, 1);
    let told = evidence::opening(node.engine.chain(), &block, false).unwrap();
    let (_, mut opening) = Opening::decode(&told).unwrap();
    opening.cumulative_coinbase += MADE_UP;
    opening.tree_root = Hash32([5; 32]);
    let root = root_of(node.engine.rules(), block, &opening);
    let lie = with_payload(&beside, |payload| payload.state_root = root);
    opening.coinbase = lie.transactions[0].clone();
    opening.branch = Opening::branch_in(&lie.transactions);
    node.add(&lie);
    node.mine_many(1, ABOVE);
    assert!(!node.chain().contains(&lie.hash()));
    Scene { node, lie, opening }
}

impl Scene {
    fn header(&self, index: usize) -> ReadHeader {
        let chain = self.node.chain();
        let told = evidence::run(self.node.engine.chain(), &chain[index], &chain[index]).unwrap();
        Run::decode(&told).unwrap().base
    }

    /// Record of a chain block: its state, and the opening of it.
    fn row(&self, index: usize) -> (Hash32, Option<ParentPath>) {
        let block = self.node.chain()[index];
        let records = self.node.engine.records();
        let row = records.chain_evidence(&block).unwrap().unwrap();
        (row.sequencing, row.parent_path)
    }

    /// Neighbours from a chain block up to the sink.
    fn neighbours(&self, from: usize) -> Vec<Link> {
        let links = (from..self.node.chain().len()).map(|index| Link {
            step: Step::Neighbour,
            header: self.header(index),
        });
        links.collect()
    }

    /// The made-up state, and links above it: an opening and a run.
    fn told(&self, links: Vec<Link>, level: u8) -> [Vec<u8>; 2] {
        let base: ReadHeader = (self.lie.header.clone(), None);
        let run = Run {
            level,
            base: base.clone(),
            links,
        };
        [self.opening.encode(&base), run.encode()]
    }

    /// Shows the made-up state, and links above it.
    fn shown(&self, links: Vec<Link>, level: u8) -> Code {
        let [opening, run] = self.told(links, level);
        let tip = judge(self.node.engine.rules()).tip(&opening, &run);
        tip.expect_err("the lie was believed").code
    }

    /// A step from the lie over the next two blocks, and so many neighbours.
    fn stepping(&self, lowest: ParentPath, neighbours: usize) -> Vec<Link> {
        let above = BELOW + 2;
        let states = vec![self.row(above + 1).0];
        let step = Step::Over { lowest, states };
        let mut links = vec![Link {
            step,
            header: self.header(above + 1),
        }];
        links.extend(self.neighbours(above + 2).into_iter().take(neighbours));
        links
    }
}

/// A false state on both sides of the security fork, and at it: in the block before it, in it, and above.
const FORKS: [u64; 4] = [0, BELOW as u64, BELOW as u64 + 1, 10_000];

#[test]
fn the_state_itself_opens_under_its_own_header() {
    for fork in FORKS {
        let Scene { node, lie, opening } = scene(fork);
        let judge = judge(node.engine.rules());
        let header = judge.header((lie.header.clone(), None)).unwrap();
        let state = judge.opening(&header, opening).unwrap();
        assert_eq!(state.block(), node.chain()[BELOW]);
    }
}

#[test]
fn the_block_is_merged_and_no_run_stands_on_it() {
    for fork in FORKS {
        let scene = scene(fork);
        let (lie, chain) = (scene.lie.hash(), scene.node.chain());
        let records = scene.node.engine.records();
        let merging = chain.iter().position(|block| {
            let merged = records
                .kept_acceptance(block)
                .map(|record| record.merged.clone());
            merged.is_ok_and(|merged| merged.iter().any(|one| one.hash == lie))
        });
        let merging = merging.expect("an honest block merged it");
        for above in [BELOW + 2, merging] {
            // Above a block of level 0 none is kept, since no step begins there. The sibling of the lie is of level 1.
            let honest = scene.row(above).1;
            assert!(above != BELOW + 2 || honest.is_some());
            let honest = honest.unwrap_or_default();
            let parent = chain[above - 1];
            let parent = seq_commit::miner_payload_leaf_over(
                &parent,
                scene.header(above - 1).0.blue_work,
                &honest.payload_digest,
            );
            let mut tries = vec![honest.clone(), ParentPath::default()];
            // The liar's leaf in the place of the first one, and before it.
            tries.push(ParentPath {
                siblings: Vec::new(),
                ..honest.clone()
            });
            tries.push(ParentPath {
                siblings: vec![parent],
                ..honest
            });
            for lowest in tries {
                let states = vec![scene.row(above + 1).0];
                let step = Step::Over { lowest, states };
                let mut links = vec![Link {
                    step,
                    header: scene.header(above + 1),
                }];
                links.extend(scene.neighbours(above + 2));
                for level in [0, 1] {
                    assert_eq!(scene.shown(links.clone(), level), Code::EvidenceNotLinked);
                }
            }
            assert_eq!(
                scene.shown(scene.neighbours(above), 0),
                Code::EvidenceNotLinked
            );
        }
    }
}

/// Lies as TypeScript reads them, by name: level of the run, and its links.
fn lies(scene: &Scene) -> Vec<(&'static str, u8, Vec<Link>)> {
    let honest = scene.row(BELOW + 2).1.unwrap();
    let bare = ParentPath {
        siblings: Vec::new(),
        ..honest.clone()
    };
    let by_name = scene.neighbours(BELOW + 2).into_iter().take(8).collect();
    vec![
        ("a sibling, by name", 0, by_name),
        ("a step at level 0", 0, scene.stepping(honest.clone(), 6)),
        ("a step with the leaf alone", 0, scene.stepping(bare, 6)),
        ("too few headers", 1, scene.stepping(honest.clone(), 6)),
        ("a step at level 1", 1, scene.stepping(honest, 199)),
        ("no header at all", 0, Vec::new()),
    ]
}

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/mined-lies.json"
);

/// Whether evidence holds, as the vectors have it.
fn vector(rules: &Parameters, name: &str, [opening, run]: [Vec<u8>; 2]) -> Value {
    let code = judge(rules).tip(&opening, &run).err();
    json!({
        "name": name,
        "opening": hex::encode(&opening),
        "run": hex::encode(&run),
        "code": code.map(|error| error.code.as_str()),
    })
}

fn vectors_of(rules: &Parameters, told: Vec<Value>) -> Value {
    let profile: Value = serde_json::from_str(&rules.profile.canonical_json()).unwrap();
    json!({ "profile": profile, "told": told })
}

/// A true state below headers that were all mined on the parent network.
fn merge_mined() -> Value {
    let mut node = merge_kit::node(&[]);
    for miner in 0..8 {
        let block = node.build(miner, &[]);
        let (block, witness) = merge_kit::merge_mined(&node, block);
        merge_kit::offer(&mut node, &block, Some(witness.to_bytes()));
    }
    let chain = node.chain();
    let served = node.engine.chain();
    let told = [
        evidence::opening(served, &chain[3], false).unwrap(),
        evidence::run(served, &chain[4], &node.sink()).unwrap(),
    ];
    let rules = node.engine.rules();
    vectors_of(rules, vec![vector(rules, "merge-mined headers", told)])
}

/// The vectors of these lies. Two verifiers judge them in TypeScript. `SVC_WRITE_VECTORS` writes them.
#[test]
fn the_vectors_are_of_these_lies() {
    let mut chains = vec![merge_mined()];
    for fork in [0, 10_000] {
        let scene = scene(fork);
        let rules = scene.node.engine.rules();
        // One long run is enough.
        let lies = lies(&scene).into_iter();
        let lies = lies.filter(|(_, _, links)| fork == 0 || links.len() < 100);
        let told = lies.map(|(name, level, links)| vector(rules, name, scene.told(links, level)));
        chains.push(vectors_of(rules, told.collect()));
    }
    let text = serde_json::to_string_pretty(&json!({
        "origin": "made by this project: the chains of crates/consensus/tests/scenarios/evidence_lies.rs, which makes them anew and compares; a block with a false state root below honest headers",
        "chains": chains,
    }));
    let text = text.unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    let kept = std::fs::read_to_string(VECTORS).unwrap();
    assert!(kept == text, "the vectors are others");
    let codes: Vec<&Value> = chains[0]["told"].as_array().unwrap().iter().collect();
    assert!(codes[0]["code"].is_null(), "{}", codes[0]["code"]);
}
