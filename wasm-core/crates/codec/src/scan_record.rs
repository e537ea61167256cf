//! Codec of the scan record, kind P: the data of a chain block that wallets scan, as it is stored and served (formats 2).

use crate::error::SvcError;
use crate::hash32::Hash32;
use crate::reader::Reader;
use crate::writer::Writer;

/// Bytes of a raw address.
const RECIPIENT_LEN: usize = 43;
/// Bytes of a note ciphertext.
const ENC_LEN: usize = 580;
/// Bytes of the sender's copy of the note secrets.
const OUT_LEN: usize = 80;
/// Bytes of the fields that a record begins with.
const HEAD_LEN: usize = 2 * 32 + 4 * 8;
/// Bytes of a minted note.
const MINTED_LEN: usize = RECIPIENT_LEN + 8 + 32;
/// Bytes of an action.
const ACTION_LEN: usize = 4 * 32 + ENC_LEN + OUT_LEN;
/// Bytes of the shortest payment: id and action count.
const MIN_PAYMENT_LEN: usize = 32 + 2;
/// Bytes of the shortest record, which has no notes and no payments.
pub const MIN_RECORD_LEN: usize = HEAD_LEN + 2 * 2;

/// The fields that a record begins with: its block, and the place of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The chain block.
    pub hash: Hash32,
    /// Its blue score.
    pub blue_score: u64,
    /// Its DAA score.
    pub daa_score: u64,
    /// Its time, Unix milliseconds.
    pub timestamp_ms: u64,
    /// Leaves in the note tree before the block.
    pub first_leaf: u64,
    /// Id of its coinbase.
    pub coinbase_txid: Hash32,
}

/// A note that the coinbase of a block mints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MintedNote {
    /// Raw address of the owner.
    pub recipient: [u8; RECIPIENT_LEN],
    /// Sompi.
    pub value: u64,
    /// Commitment of the note.
    pub cmx: Hash32,
}

/// The part of a payment's action that records carry, with the long fields where they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action<'a> {
    /// Nullifier of the spent note.
    pub nullifier: Hash32,
    /// Commitment of the created note.
    pub cmx: Hash32,
    /// Ephemeral key of the note encryption.
    pub epk: &'a [u8; 32],
    /// The created note, encrypted to its receiver.
    pub enc: &'a [u8; ENC_LEN],
    /// What recovers the note, encrypted to its sender.
    pub out: &'a [u8; OUT_LEN],
    /// Value commitment.
    pub cv_net: &'a [u8; 32],
}

/// A payment that a block applied, with what its reader keeps of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment<A> {
    /// Its id.
    pub txid: Hash32,
    /// Its actions in order.
    pub actions: Vec<A>,
}

/// The record of one chain block, with what its reader keeps of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRecord<A> {
    /// The block and its place.
    pub head: Head,
    /// Notes that its coinbase minted, in output order.
    pub minted: Vec<MintedNote>,
    /// Payments that it applied, in accepted order.
    pub payments: Vec<Payment<A>>,
}

impl<A> ScanRecord<A> {
    /// Reads one record; the next one may follow. `keep` makes of each action what stays of it.
    ///
    /// # Errors
    /// `codec/unexpected-end`.
    pub fn read<'a>(
        reader: &mut Reader<'a>,
        mut keep: impl FnMut(Action<'a>) -> A,
    ) -> Result<Self, SvcError> {
        let head = Head::read(reader)?;
        let count = reader.count_u16(usize::from(u16::MAX), MINTED_LEN)?;
        let minted = (0..count).map(|_| MintedNote::read(reader));
        let minted = minted.collect::<Result<_, _>>()?;
        let count = reader.count_u16(usize::from(u16::MAX), MIN_PAYMENT_LEN)?;
        let payments = (0..count).map(|_| Payment::read(reader, &mut keep));
        Ok(Self {
            head,
            minted,
            payments: payments.collect::<Result<_, _>>()?,
        })
    }

    /// What was kept of all actions, in order.
    pub fn actions(&self) -> impl Iterator<Item = &A> {
        self.payments.iter().flat_map(|payment| &payment.actions)
    }
}

impl Head {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            hash: reader.hash()?,
            blue_score: reader.u64()?,
            daa_score: reader.u64()?,
            timestamp_ms: reader.u64()?,
            first_leaf: reader.u64()?,
            coinbase_txid: reader.hash()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.hash(&self.hash);
        writer.u64(self.blue_score).u64(self.daa_score);
        writer.u64(self.timestamp_ms).u64(self.first_leaf);
        writer.hash(&self.coinbase_txid);
    }
}

impl MintedNote {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            recipient: reader.array()?,
            value: reader.u64()?,
            cmx: reader.hash()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.bytes(&self.recipient).u64(self.value);
        writer.hash(&self.cmx);
    }
}

impl<A> Payment<A> {
    fn read<'a>(
        reader: &mut Reader<'a>,
        keep: &mut impl FnMut(Action<'a>) -> A,
    ) -> Result<Self, SvcError> {
        let txid = reader.hash()?;
        let count = reader.count_u16(usize::from(u16::MAX), ACTION_LEN)?;
        let actions = (0..count).map(|_| Action::read(reader).map(&mut *keep));
        Ok(Self {
            txid,
            actions: actions.collect::<Result<_, _>>()?,
        })
    }
}

impl<'a> Action<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, SvcError> {
        Ok(Self {
            nullifier: reader.hash()?,
            cmx: reader.hash()?,
            epk: reader.array_ref()?,
            enc: reader.array_ref()?,
            out: reader.array_ref()?,
            cv_net: reader.array_ref()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.hash(&self.nullifier).hash(&self.cmx);
        writer.bytes(self.epk).bytes(self.enc);
        writer.bytes(self.out).bytes(self.cv_net);
    }
}

/// Writes one record; of each payment come its id and its actions.
pub fn write_record<'a, A>(
    head: &Head,
    minted: &[MintedNote],
    payments: impl ExactSizeIterator<Item = (Hash32, A)>,
) -> Vec<u8>
where
    A: ExactSizeIterator<Item = Action<'a>>,
{
    let mut writer = Writer::new();
    head.write(&mut writer);
    writer.count_u16(minted.len());
    for note in minted {
        note.write(&mut writer);
    }
    writer.count_u16(payments.len());
    for (txid, actions) in payments {
        write_payment(&mut writer, &txid, actions);
    }
    writer.into_vec()
}

/// Appends a payment as records and live frames carry it.
pub fn write_payment<'a>(
    writer: &mut Writer,
    txid: &Hash32,
    actions: impl ExactSizeIterator<Item = Action<'a>>,
) {
    writer.hash(txid).count_u16(actions.len());
    for action in actions {
        action.write(writer);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::code::Code;

    const HEAD: Head = Head {
        hash: Hash32([1; 32]),
        blue_score: 2,
        daa_score: 3,
        timestamp_ms: 4,
        first_leaf: 5,
        coinbase_txid: Hash32([6; 32]),
    };

    /// A record with so many notes, and payments of so many actions.
    fn written(notes: usize, payments: &[usize]) -> Vec<u8> {
        let note = MintedNote {
            recipient: [7; RECIPIENT_LEN],
            value: 8,
            cmx: Hash32([9; 32]),
        };
        let action = Action {
            nullifier: Hash32([10; 32]),
            cmx: Hash32([11; 32]),
            epk: &[12; 32],
            enc: &[13; ENC_LEN],
            out: &[14; OUT_LEN],
            cv_net: &[15; 32],
        };
        let payments = payments.iter().map(|count| {
            let actions: Vec<Action<'_>> = vec![action; *count];
            (Hash32([16; 32]), actions.into_iter())
        });
        write_record(&HEAD, &vec![note; notes], payments)
    }

    fn read(bytes: &[u8]) -> Result<Vec<u8>, SvcError> {
        let mut reader = Reader::new(bytes);
        let record = ScanRecord::read(&mut reader, |action| action)?;
        reader.finish()?;
        let payments = record
            .payments
            .iter()
            .map(|payment| (payment.txid, payment.actions.iter().copied()));
        Ok(write_record(&record.head, &record.minted, payments))
    }

    #[test]
    fn the_lengths_are_those_of_the_parts() {
        assert_eq!(written(0, &[]).len(), MIN_RECORD_LEN);
        assert_eq!(written(1, &[]).len(), MIN_RECORD_LEN + MINTED_LEN);
        assert_eq!(written(0, &[0]).len(), MIN_RECORD_LEN + MIN_PAYMENT_LEN);
        let with_action = MIN_RECORD_LEN + MIN_PAYMENT_LEN + ACTION_LEN;
        assert_eq!((written(0, &[1]).len(), ACTION_LEN), (with_action, 788));
    }

    #[test]
    fn a_record_without_its_end_is_refused_and_so_is_a_count_of_more() {
        let whole = written(2, &[1, 2]);
        for end in 0..whole.len() {
            let error = read(&whole[..end]).unwrap_err();
            assert_eq!(error.code, Code::CodecUnexpectedEnd, "{end} bytes");
        }
        let mut more = written(0, &[]);
        more[HEAD_LEN] = 1;
        assert_eq!(read(&more).unwrap_err().code, Code::CodecUnexpectedEnd);
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_again(
            notes in 0_usize..4,
            payments in prop::collection::vec(0_usize..4, 0..4),
            place: prop::sample::Index,
            bit in 0_u8..8,
        ) {
            let mut bytes = written(notes, &payments);
            prop_assert_eq!(&read(&bytes).unwrap(), &bytes);
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
            if let Ok(again) = read(&bytes) {
                prop_assert_eq!(again, bytes);
            }
        }
    }
}
