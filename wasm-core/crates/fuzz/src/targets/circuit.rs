//! Fuzz targets of the circuit's files and tables. Three of them are pinned: a hash in the program says which bytes
//! are taken.

use std::sync::LazyLock;

use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::{CommitmentTables, read_coefficient_table};
use svc_circuit::mapping::Mapping;
use svc_circuit::quotient_program::QuotientProgram;
use svc_circuit::{expression_codec, fixed_columns};
use svc_codec::error::SvcError;
use svc_kernels::curve::Vesta;
use svc_kernels::fft::column::Rows;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::msm::fixed_bases::FixedBases;
use svc_kernels::program::Program;
use svc_prove::halo2::arguments::proving_tables::ProvingTables;
use svc_witness::tables::WindowTables;

use crate::target::{NONE, Outcome, Target, lenient, refused};
use crate::targets::chain::{whole, written};
use crate::targets::proving::ASSETS;

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("circuit/assets", assets_files, assets)
        .pinned()
        .room(1 << 24, 16)
        .weight(20),
    Target::new("circuit/assets-of-any-content", assets_files, any_assets)
        .room(1 << 24, 32)
        .weight(200),
    Target::new("circuit/constraints", constraints, constraint_list)
        .room(1 << 16, 256)
        .weight(20),
    Target::new("circuit/copies", mappings, mapping)
        .room(1 << 20, 16)
        .weight(20),
    Target::new("circuit/fixed-columns", columns, column_list)
        .room(1 << 23, 128)
        .weight(200),
    Target::new(
        "circuit/quotient-program",
        quotient_programs,
        quotient_program,
    )
    .room(1 << 19, 32)
    .weight(20),
    Target::new("circuit/program", programs, program)
        .room(1 << 17, 32)
        .weight(4),
    Target::new("circuit/fixed-bases", bases, fixed_bases)
        .room(1 << 16, 16)
        .weight(20),
    Target::new("circuit/coefficient-table", bases, coefficient_table).never(),
    Target::new(
        "circuit/commitment-tables",
        wrapped_bases,
        commitment_tables,
    )
    .never(),
    Target::new("circuit/window-tables", bases, window_tables).never(),
    Target::new("circuit/proving-tables", wrapped_bases, proving_tables).never(),
];

static DECODED: LazyLock<Option<Assets>> = LazyLock::new(|| Assets::decode(ASSETS).ok());

fn made<T>(make: impl FnOnce(&Assets) -> T) -> Vec<T> {
    DECODED.as_ref().map(make).into_iter().collect()
}

fn assets_files() -> Vec<Vec<u8>> {
    vec![ASSETS.to_vec()]
}

fn assets(bytes: &[u8]) -> Outcome {
    match Assets::decode(bytes) {
        Ok(_) => {
            assert!(bytes == ASSETS, "another file has the pinned hash");
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

fn any_assets(bytes: &[u8]) -> Outcome {
    match Assets::decode_unpinned(bytes) {
        Ok(assets) => {
            let again = assets.encode();
            assert!(
                Assets::decode_unpinned(&again).is_ok_and(|read| read.encode() == again),
                "what was taken is not written"
            );
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

/// Lists with parts in another order are taken and written in one order.
fn settled<T>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<T, SvcError>,
    encode: impl Fn(&T) -> Vec<u8>,
) -> Outcome {
    lenient(
        decode(bytes).map(|value| encode(&value)),
        Vec::clone,
        |again| decode(again).map(|value| encode(&value)),
    )
}

fn constraints() -> Vec<Vec<u8>> {
    made(|assets| written(|writer| expression_codec::encode(&assets.constraints, writer)))
}

fn constraint_list(bytes: &[u8]) -> Outcome {
    settled(
        bytes,
        |bytes| whole(bytes, expression_codec::decode),
        |read| written(|writer| expression_codec::encode(read, writer)),
    )
}

fn mappings() -> Vec<Vec<u8>> {
    let mut all = made(|assets| written(|writer| assets.mapping.encode(writer)));
    all.push(written(|writer| Mapping::identity().encode(writer)));
    all
}

fn mapping(bytes: &[u8]) -> Outcome {
    crate::target::strict(bytes, whole(bytes, Mapping::decode), |mapping| {
        written(|writer| mapping.encode(writer))
    })
}

fn columns() -> Vec<Vec<u8>> {
    made(|assets| written(|writer| fixed_columns::encode(&assets.fixed, writer)))
}

fn column_list(bytes: &[u8]) -> Outcome {
    settled(
        bytes,
        |bytes| whole(bytes, fixed_columns::decode),
        |read: &Vec<Rows<PallasBase>>| written(|writer| fixed_columns::encode(read, writer)),
    )
}

fn of_option<T>(bytes: &[u8], read: Option<T>, encode: impl FnOnce(&T) -> Vec<u8>) -> Outcome {
    match read {
        Some(value) => {
            assert!(encode(&value) == bytes, "another encoding was taken");
            Outcome::Taken
        }
        None => NONE,
    }
}

fn quotient_programs() -> Vec<Vec<u8>> {
    made(|assets| assets.program.to_bytes())
}

fn quotient_program(bytes: &[u8]) -> Outcome {
    of_option(bytes, QuotientProgram::from_bytes(bytes), |program| {
        program.to_bytes()
    })
}

fn programs() -> Vec<Vec<u8>> {
    let all = made(|assets| {
        let program = &assets.program;
        [program.scalars(), program.selectors(), program.round()].map(Program::to_bytes)
    });
    all.into_iter().flatten().collect()
}

fn program(bytes: &[u8]) -> Outcome {
    of_option(bytes, Program::from_bytes(bytes), |program| {
        program.columns_read();
        program.to_bytes()
    })
}

static BASES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let bases = DECODED.as_ref().map(|assets| [assets.w, assets.u]);
    FixedBases::<Vesta>::build(&bases.into_iter().flatten().collect::<Vec<_>>()).to_bytes()
});

fn bases() -> Vec<Vec<u8>> {
    vec![BASES.clone()]
}

/// Limbs are taken as they are: who stores a table of bases pins it.
fn fixed_bases(bytes: &[u8]) -> Outcome {
    of_option(bytes, FixedBases::<Vesta>::from_bytes(bytes), |table| {
        assert!(table.len() == table.bases().len(), "bases");
        bytes.to_vec()
    })
}

fn wrapped_bases() -> Vec<Vec<u8>> {
    let one = written(|writer| {
        writer.u32(BASES.len() as u32).bytes(&BASES);
    });
    vec![one.repeat(3)]
}

/// The real tables have ten megabytes, so these targets begin with others: all they can do is refuse.
fn refuse(taken: bool) -> Outcome {
    assert!(!taken, "a table without the pinned hash was taken");
    NONE
}

fn coefficient_table(bytes: &[u8]) -> Outcome {
    refuse(read_coefficient_table(bytes).is_some())
}

fn commitment_tables(bytes: &[u8]) -> Outcome {
    refuse(CommitmentTables::from_bytes(bytes).is_some())
}

fn window_tables(bytes: &[u8]) -> Outcome {
    refuse(WindowTables::from_bytes(bytes).is_some())
}

fn proving_tables(bytes: &[u8]) -> Outcome {
    refuse(ProvingTables::from_bytes(bytes).is_some())
}
