//! Simulator program `svc-sim`: runs a simulated network and reports the result. Exit status 0 when every node
//! agreed.

use std::io::{BufWriter, stdout};
use std::path::Path;
use std::process::ExitCode;

use svc_chain::profile::Profile;
use svc_sim::corpus::{corpus_profile, corpus_settings, write_corpus};
use svc_sim::fault::{Fault, Outcome};
use svc_sim::header_chain::HeaderChain;
use svc_sim::settings::Settings;
use svc_sim::testing::{forks_profile, prune_profile};
use svc_sim::world::World;

const USAGE: &str = "svc-sim run [OPTION…]      simulate a network and check that all nodes agree

  --profile FILE       rules of the network (form of `--profile` of a node)
  --seed N             everything follows from it (1)
  --miners N           nodes, each of which mines (3)
  --blocks N           blocks to mine (2000)
  --kills N            failures of a store at a random operation (0)
  --adversary N        blocks of ill will in a thousand (100)
  --partition N        longest partition in block intervals, 0 for none (60)
  --quiet N            blocks between two points at which all must agree (100)
  --interval MS        mean time between blocks (1000)
  --work               do proof of work
  --forks              the profile of the tests with every height below 200

svc-sim corpus --dir DIR [--seed N] [--blocks N]
                           record a chain with proof of work, retargeting and healed partitions

svc-sim headers --profile FILE --count N
                           write a chain of headers with proof of work to standard output, in calls as an engine takes
                           them: length u32, RawHeaders";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(text) => {
            if !text.is_empty() {
                println!("{text}");
            }
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("svc-sim: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Outcome<String> {
    let Some((command, options)) = args.split_first() else {
        return Ok(USAGE.to_owned());
    };
    match command.as_str() {
        "run" => {
            let settings = settings_of(options)?;
            println!(
                "seed {}, {} miners, {} blocks, network {}",
                settings.seed, settings.miners, settings.blocks, settings.profile.network_name
            );
            Ok(World::new(settings)?.run()?.to_string())
        }
        "corpus" => record(options),
        "headers" => write_headers(options),
        "help" | "--help" | "-h" => Ok(USAGE.to_owned()),
        other => Err(Fault(format!("no command {other}\n\n{USAGE}"))),
    }
}

/// Records a chain in the folder of the first option.
fn record(options: &[String]) -> Outcome<String> {
    let Some((folder, rest)) = options
        .split_first()
        .filter(|(name, _)| *name == "--dir")
        .and_then(|(_, rest)| rest.split_first())
    else {
        return Err(Fault(format!("--dir DIR comes first\n\n{USAGE}")));
    };
    let settings = settings_of(rest)?;
    println!("seed {}, {} blocks", settings.seed, settings.blocks);
    let profile = corpus_profile(&settings.profile)?;
    let settings = corpus_settings(settings.seed, profile, settings.blocks);
    write_corpus(Path::new(folder), settings)
}

/// Writes headers to standard output.
fn write_headers(options: &[String]) -> Outcome<String> {
    let [profile_name, profile, count_name, count] = options else {
        return Err(Fault(USAGE.to_owned()));
    };
    let count: Option<usize> = count.parse().ok().filter(|_| count_name == "--count");
    let Some(count) = count.filter(|_| profile_name == "--profile") else {
        return Err(Fault(USAGE.to_owned()));
    };
    let profile = Profile::from_json(&std::fs::read_to_string(profile)?)?;
    let mut out = BufWriter::new(stdout().lock());
    HeaderChain::new(profile)?.write(count, &mut out)?;
    Ok(String::new())
}

/// Reads options; each has a value but the last two.
fn settings_of(options: &[String]) -> Outcome<Settings> {
    let mut settings = Settings {
        blocks: 2_000,
        ..Settings::new(1, prune_profile()?)
    };
    let mut rest = options.iter();
    while let Some(name) = rest.next() {
        if name == "--forks" {
            settings.profile = forks_profile(1)?;
            continue;
        }
        if name == "--work" {
            settings.real_work = true;
            continue;
        }
        let value = rest
            .next()
            .ok_or_else(|| Fault(format!("{name} has no value")))?;
        if name == "--profile" {
            settings.profile = Profile::from_json(&std::fs::read_to_string(value)?)?;
            continue;
        }
        let number: u64 = value
            .parse()
            .map_err(|_| Fault(format!("{name} {value}: a number is expected")))?;
        match name.as_str() {
            "--seed" => settings.seed = number,
            "--miners" => settings.miners = number.clamp(1, 64) as usize,
            "--blocks" => settings.blocks = number as usize,
            "--kills" => settings.kills = number as usize,
            "--adversary" => settings.adversary_permille = number,
            "--partition" => settings.longest_partition = number,
            "--quiet" => settings.quiet_every = number.max(1) as usize,
            "--interval" => settings.interval_ms = number,
            _ => return Err(Fault(format!("no option {name}\n\n{USAGE}"))),
        }
    }
    Ok(settings)
}
