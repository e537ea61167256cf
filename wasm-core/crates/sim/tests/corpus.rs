//! The committed simulated chain is what the maker makes from its seed, byte for byte before compression.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use svc_sim::corpus::{corpus_profile, corpus_settings, write_corpus};
use svc_sim::testing::prune_profile;

/// The seed and length of `tests/vectors/simulated`.
const SEED: u64 = 5;
const BLOCKS: usize = 900;

fn text(folder: &Path, name: &str) -> String {
    let mut text = String::new();
    let file = File::open(folder.join(name)).unwrap();
    MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_committed_chain_is_made_again() {
    println!("seed {SEED}");
    let committed = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/simulated"
    ));
    let folder = std::env::temp_dir().join(format!("svc-sim-corpus-{}", std::process::id()));
    let profile = corpus_profile(&prune_profile().unwrap()).unwrap();
    let report = write_corpus(&folder, corpus_settings(SEED, profile, BLOCKS)).unwrap();
    println!("{report}");
    for name in ["blocks.jsonl.gz", "chain.jsonl.gz", "states.jsonl.gz"] {
        assert!(
            text(&folder, name) == text(&committed, name),
            "{name} differs"
        );
    }
    let profiles =
        [&folder, &committed].map(|folder| std::fs::read(folder.join("profile.json")).unwrap());
    assert!(profiles[0] == profiles[1], "profile.json differs");
    std::fs::remove_dir_all(&folder).unwrap();

    let rows: Vec<serde_json::Value> = text(&committed, "blocks.jsonl.gz")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of_chain = rows
        .iter()
        .filter(|row| row["verboseData"]["isChainBlock"] == true);
    let reds: usize = of_chain
        .map(|row| {
            row["verboseData"]["mergeSetRedsHashes"]
                .as_array()
                .unwrap()
                .len()
        })
        .sum();
    assert!(reds >= 300, "{reds} reds");
}
