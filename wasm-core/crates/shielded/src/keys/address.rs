//! Address codec: 43 raw bytes, written `prefix:payload` with a 40-bit checksum (specification shielded 2.2).

use orchard::Address;
use svc_codec::code::Code;
use svc_codec::error::SvcError;

/// Bytes of a raw address: diversifier 11, transmission key 32.
pub const ADDRESS_LEN: usize = 43;

const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// The version byte of shielded addresses, the only kind there is.
const VERSION: u8 = 9;
const CHECKSUM_SYMBOLS: usize = 8;
/// 44 bytes in groups of five bits.
const PAYLOAD_SYMBOLS: usize = 71;
/// 71 symbols hold 355 bits, 3 more than 44 bytes.
const PADDING_BITS: u32 = 3;

/// Writes a raw address with the network's prefix.
pub fn encode(hrp: &str, raw: &[u8; ADDRESS_LEN]) -> String {
    let mut bytes = [VERSION; ADDRESS_LEN + 1];
    bytes[1..].copy_from_slice(raw);
    let mut symbols = to_symbols(&bytes);
    let checksum = polymod(hrp, &symbols, 0);
    symbols.extend(
        (0..CHECKSUM_SYMBOLS)
            .rev()
            .map(|index| (checksum >> (5 * index)) as u8 & 0x1f),
    );
    let text: String = symbols
        .iter()
        .filter_map(|symbol| ALPHABET.get(usize::from(*symbol)))
        .map(|letter| char::from(*letter))
        .collect();
    format!("{hrp}:{text}")
}

/// Reads an address of the network with prefix `hrp` and checks that its bytes are a valid receiver.
///
/// Errors: `address/missing-prefix`, `address/wrong-network`, `address/bad-character`, `address/bad-length`,
/// `address/bad-checksum`, `address/bad-version`, `address/bad-padding`, `address/bad-key`.
pub fn decode(hrp: &str, text: &str) -> Result<[u8; ADDRESS_LEN], SvcError> {
    let (prefix, payload) = text
        .split_once(':')
        .ok_or_else(|| SvcError::new(Code::AddressMissingPrefix))?;
    if prefix != hrp {
        let found: String = prefix.chars().take(16).collect();
        return Err(SvcError::new(Code::AddressWrongNetwork)
            .with("expected", hrp)
            .with("found", found));
    }
    let symbols = read_symbols(payload)?;
    let bad_length = || SvcError::new(Code::AddressBadLength).with("length", symbols.len());
    let data_len = symbols
        .len()
        .checked_sub(CHECKSUM_SYMBOLS)
        .ok_or_else(bad_length)?;
    let (data, check) = symbols.split_at(data_len);
    let stated = check
        .iter()
        .fold(0_u64, |sum, symbol| sum << 5 | u64::from(*symbol));
    if polymod(hrp, data, stated) != 0 {
        return Err(SvcError::new(Code::AddressBadChecksum));
    }
    raw_from_symbols(data, symbols.len())
}

/// Whether the bytes are the raw form of a valid address, as a miner's payout script must be
/// (specification shielded 6.1).
pub fn is_valid_recipient(script: &[u8]) -> bool {
    script
        .try_into()
        .is_ok_and(|raw: &[u8; ADDRESS_LEN]| to_orchard(raw).is_ok())
}

/// Upstream's form of a raw address. Error: `shielded/bad-recipient`.
pub fn to_orchard(raw: &[u8; ADDRESS_LEN]) -> Result<Address, SvcError> {
    Address::from_raw_address_bytes(raw)
        .into_option()
        .ok_or_else(|| SvcError::new(Code::ShieldedBadRecipient))
}

fn raw_from_symbols(data: &[u8], length: usize) -> Result<[u8; ADDRESS_LEN], SvcError> {
    // The version is read first, so that an address of another kind is called that and not too short.
    let version = match data {
        [first, second, ..] => first << 3 | second >> 2,
        _ => return Err(SvcError::new(Code::AddressBadLength).with("length", length)),
    };
    if version != VERSION {
        return Err(SvcError::new(Code::AddressBadVersion).with("version", version));
    }
    if data.len() != PAYLOAD_SYMBOLS {
        return Err(SvcError::new(Code::AddressBadLength).with("length", length));
    }
    let padding = data.last().copied().unwrap_or_default() & ((1 << PADDING_BITS) - 1);
    if padding != 0 {
        return Err(SvcError::new(Code::AddressBadPadding));
    }
    let mut raw = [0; ADDRESS_LEN];
    for (slot, byte) in raw.iter_mut().zip(from_symbols(data).into_iter().skip(1)) {
        *slot = byte;
    }
    to_orchard(&raw).map_err(|_| SvcError::new(Code::AddressBadKey))?;
    Ok(raw)
}

/// At most as many symbols are read as an address could have, so that a long text costs nothing.
fn read_symbols(payload: &str) -> Result<Vec<u8>, SvcError> {
    const MAX_SYMBOLS: usize = 2 * (PAYLOAD_SYMBOLS + CHECKSUM_SYMBOLS);
    if payload.len() > MAX_SYMBOLS {
        return Err(SvcError::new(Code::AddressBadLength).with("length", payload.len()));
    }
    let symbol = |(position, character): (usize, u8)| {
        ALPHABET
            .iter()
            .position(|candidate| *candidate == character)
            .map(|index| index as u8)
            .ok_or_else(|| SvcError::new(Code::AddressBadCharacter).with("position", position))
    };
    payload.bytes().enumerate().map(symbol).collect()
}

fn to_symbols(bytes: &[u8]) -> Vec<u8> {
    let mut symbols = Vec::with_capacity(PAYLOAD_SYMBOLS + CHECKSUM_SYMBOLS);
    let (mut buffer, mut bits) = (0_u32, 0);
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            symbols.push((buffer >> bits) as u8 & 0x1f);
        }
        buffer &= (1 << bits) - 1;
    }
    if bits > 0 {
        symbols.push((buffer << (5 - bits)) as u8 & 0x1f);
    }
    symbols
}

fn from_symbols(symbols: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ADDRESS_LEN + 1);
    let (mut buffer, mut bits) = (0_u32, 0);
    for symbol in symbols {
        buffer = buffer << 5 | u32::from(*symbol);
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits) as u8);
        }
        buffer &= (1 << bits) - 1;
    }
    bytes
}

/// The 40-bit checksum over prefix, a zero, the data symbols and the eight symbols of `check`. With `check` 0
/// it gives the checksum to append; over a whole address it gives 0.
fn polymod(hrp: &str, data: &[u8], check: u64) -> u64 {
    const GENERATORS: [u64; 5] = [
        0x98_f2bc_8e61,
        0x79_b76d_99e2,
        0xf3_3e5f_b3c4,
        0xae_2eab_e2a8,
        0x1e_4f43_e470,
    ];
    let prefix = hrp.bytes().map(|byte| byte & 0x1f).chain([0]);
    let check_symbols = (0..CHECKSUM_SYMBOLS)
        .rev()
        .map(|index| (check >> (5 * index)) as u8 & 0x1f);
    let mut sum = 1_u64;
    for symbol in prefix.chain(data.iter().copied()).chain(check_symbols) {
        let top = sum >> 35;
        sum = (sum & 0x07_ffff_ffff) << 5 ^ u64::from(symbol);
        for (bit, generator) in GENERATORS.iter().enumerate() {
            if top >> bit & 1 == 1 {
                sum ^= generator;
            }
        }
    }
    sum ^ 1
}
