//! What a lie costs a miner with a share of the network, drawn block by block, against the formula of the documents
//! (docs/light-client.md, "What a lie costs").
#![allow(clippy::unwrap_used)]

use svc_chance::chance::Chance;

/// Parts of a thousand that the liar has of the network, and of all days in which he has one header worth two hours: 1 - exp(-12 · share).
const SHARES: [(u64, u64); 4] = [(50, 451), (200, 909), (330, 981), (490, 997)];
/// Blocks of a day, one a second.
const DAY: u64 = 86_400;
/// Of each share and promise.
const RUNS: u64 = 10_000;

/// What somebody asks to see above a lie.
#[derive(Clone, Copy)]
enum Promise {
    /// So many headers, one after the other.
    Headers(u64),
    /// One header worth so many.
    Best(u64),
}

impl Promise {
    /// Blocks of the whole network until the liar has it.
    fn draw(self, share: u64, chance: &mut Chance) -> u64 {
        match self {
            Self::Headers(count) => (0..count).map(|_| until(share, 1_000, chance)).sum(),
            Self::Best(worth) => until(share, 1_000 * worth, chance),
        }
    }

    fn blocks(self) -> u64 {
        match self {
            Self::Headers(blocks) | Self::Best(blocks) => blocks,
        }
    }
}

/// Draws until one has the chance of `hits` in `all`, itself counted.
fn until(hits: u64, all: u64, chance: &mut Chance) -> u64 {
    let mut draws = 1;
    while chance.below(all) >= hits {
        draws += 1;
    }
    draws
}

#[test]
fn a_lie_takes_as_many_block_times_as_the_formula_says() {
    let seed = 40;
    println!("seed {seed}, {RUNS} runs");
    let promises = [
        Promise::Headers(15),
        Promise::Headers(1_000),
        Promise::Best(7_200),
    ];
    for (share, day) in SHARES {
        for promise in promises {
            let name = format!("{share} {}", promise.blocks());
            let mut chance = Chance::for_name(seed, &name);
            let drawn: Vec<u64> = (0..RUNS)
                .map(|_| promise.draw(share, &mut chance))
                .collect();
            let mean = drawn.iter().sum::<u64>() / RUNS;
            let in_a_day =
                drawn.iter().filter(|blocks| **blocks <= DAY).count() as u64 * 1_000 / RUNS;
            let formula = promise.blocks() * 1_000 / share;
            println!(
                "share {share} per mille, {} blocks: {mean} block times, by the formula {formula}; within a day {in_a_day} per mille",
                promise.blocks(),
            );
            // Of many headers he has more than enough each day.
            let expected = match promise {
                Promise::Headers(_) => 1_000,
                Promise::Best(_) => day,
            };
            assert!(
                in_a_day.abs_diff(expected) <= 10,
                "{name}: {in_a_day} per mille"
            );
            assert!(
                mean.abs_diff(formula) * 10 <= formula,
                "{name}: {mean}, {formula}"
            );
        }
    }
}
