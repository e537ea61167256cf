-- What the explorer remembers of the chain beyond what its nodes keep, as they told it. Sompi are decimal text: D1 gives an INTEGER as a
-- double, which is exact to 2^53 only. Minutes and hours are Unix time divided by 60,000 and 3,600,000 ms.

CREATE TABLE blocks (
  hash TEXT NOT NULL PRIMARY KEY,
  minute INTEGER NOT NULL,
  daa_score INTEGER NOT NULL,
  blue_score INTEGER NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  -- blue, red or none
  color TEXT NOT NULL,
  is_chain INTEGER NOT NULL,
  -- native, merge-mined or skipped
  work TEXT NOT NULL,
  transactions INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX blocks_by_minute ON blocks (minute);

-- Payments. A coinbase is named by its block.
CREATE TABLE payments (
  id TEXT NOT NULL PRIMARY KEY,
  -- One of the blocks that carry it.
  block TEXT NOT NULL,
  minute INTEGER NOT NULL,
  daa_score INTEGER NOT NULL,
  -- included, applied or dropped
  status TEXT NOT NULL,
  -- Why it was dropped: a code; none where it was not.
  reason TEXT
) WITHOUT ROWID;
CREATE INDEX payments_by_minute ON payments (minute);

CREATE TABLE minutes (
  minute INTEGER NOT NULL PRIMARY KEY,
  blocks INTEGER NOT NULL,
  reds INTEGER NOT NULL,
  merge_mined INTEGER NOT NULL,
  payments INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE hours (
  hour INTEGER NOT NULL PRIMARY KEY,
  blocks INTEGER NOT NULL,
  reds INTEGER NOT NULL,
  merge_mined INTEGER NOT NULL,
  payments INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE reorganisations (
  t INTEGER NOT NULL,
  new_tip TEXT NOT NULL,
  old_tip TEXT NOT NULL,
  fork_point TEXT NOT NULL,
  removed INTEGER NOT NULL,
  added INTEGER NOT NULL,
  PRIMARY KEY (t, new_tip)
) WITHOUT ROWID;

CREATE TABLE supply (
  daa_score INTEGER NOT NULL PRIMARY KEY,
  block TEXT NOT NULL,
  -- Sompi.
  minted TEXT NOT NULL,
  burned TEXT NOT NULL,
  notes INTEGER NOT NULL,
  nullifiers INTEGER NOT NULL
) WITHOUT ROWID;

-- How far the history is: the last minute of which everything is written for good.
CREATE TABLE cursors (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
