-- Refunds. One lies in the Durable Object of its invoice; its row here follows it, and says where the object is.

CREATE TABLE refunds (
  id TEXT NOT NULL PRIMARY KEY,
  claim TEXT NOT NULL,
  merchant TEXT NOT NULL,
  invoice TEXT NOT NULL,
  -- Where the invoice was paid to.
  viewing_key TEXT NOT NULL,
  address_index INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  -- When a wallet is asked; none for never.
  due_ms INTEGER,
  -- Grows with each change; an older one never overwrites it.
  revision INTEGER NOT NULL,
  json TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX refunds_by_claim ON refunds (claim);
CREATE INDEX refunds_by_time ON refunds (merchant, created_ms, id);
CREATE INDEX refunds_by_due ON refunds (due_ms, id) WHERE due_ms IS NOT NULL;
