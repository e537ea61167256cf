/** Limits of the store: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const STORAGE_LIMITS = {
  /** bytes. Address space reserved for one database; commits beyond it fail and the node stops cleanly. */
  lmdbMapBytes: 64 * 1024 * MIB,
  /** bytes. Of the disk that holds the data: no commit begins that could leave less. For a stop, and for what others write meanwhile. */
  diskReserveBytes: 64 * MIB,
  /** pages. On the way from the root to one value in a database of the largest size: what a changed value copies. */
  storeTreePages: 5,
  /** pages. New ones for a value that is written: its leaf and the branch above it may be full. */
  storeSplitPages: 2,
  /** pages. Leaves of a database that are looked at whenever it is opened, 256 MiB of them; after an unclean end all are. */
  storeCheckLeaves: 65_536,
  /** bytes. A set of pages in which each page that a database may have is one bit: its address space in pages of 4 KiB. A start looks at a database with three of them. */
  storeCheckSetBytes: (64 * 1024 * MIB) / 4_096 / 8,
  /** values. Large ones whose first pages are looked at together, in the order of the file, while all of a database is. */
  storeCheckRuns: 65_536,
  /** pages. Leaves of the list of free pages that are looked at before a database is opened; it seldom has more than some. */
  storeFreeListPages: 65_536,
  /** bytes. Table byte and key of a stored value; the longest of the engine is 65. */
  storeKeyBytes: 511,
  /** bytes. A segment file; the next value goes to a new one. A larger single value has a file of its own. */
  segmentFileBytes: 64 * MIB,
  /** bytes. Values of large tables up to this length stay in the database: a page holds several. */
  segmentValueBytes: KIB,
  /** files. Segment files kept open for reading; the one used longest ago is closed. */
  segmentOpenFiles: 64,
  /** rows. Read at once when a migration goes through a table. */
  migrationPageRows: 1_000,
  /** addresses. Of peers, kept by a node; beyond it one of those that failed most often goes. */
  p2pAddresses: 4_096,
  /** bytes. One row of the store; a longer one is refused. Room for a batch of payouts of 10 MiB. */
  storeRowBytes: 16_777_216,
  /** rows. Read at once while a table is gone through; the rest waits for its turn. A row with a signed payment has 250 KB. */
  storePageRows: 100,
} as const;
