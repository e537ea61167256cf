-- What the gateway keeps in D1: lists, keys and deliveries. An invoice itself lies in its Durable Object; its row here follows it.
-- Amounts are decimal text: D1 gives an INTEGER as a double, which is exact to 2^53 only. Times are milliseconds since 1970.

CREATE TABLE invoices (
  merchant TEXT NOT NULL,
  id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  status TEXT NOT NULL,
  amount TEXT NOT NULL,
  paid TEXT NOT NULL,
  -- Of the invoice that the row shows; an older one never overwrites it.
  version INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  -- What a search looks at, in small letters.
  search TEXT NOT NULL,
  PRIMARY KEY (merchant, id)
) WITHOUT ROWID;
CREATE INDEX invoices_by_time ON invoices (merchant, archived, created_ms, id);
CREATE INDEX invoices_by_status ON invoices (merchant, archived, status, created_ms, id);
CREATE INDEX invoices_by_order ON invoices (merchant, archived, order_id, created_ms, id);

CREATE TABLE due_times (
  -- The binding of the object's class, and its id.
  kind TEXT NOT NULL,
  object TEXT NOT NULL,
  due_ms INTEGER NOT NULL,
  -- When a sweep last took it.
  looked_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, object)
) WITHOUT ROWID;
CREATE INDEX due_times_by_time ON due_times (due_ms);

CREATE TABLE api_keys (
  -- The first 16 digits of the hash.
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL,
  merchant TEXT NOT NULL,
  mode TEXT NOT NULL,
  -- A JSON list.
  scopes TEXT NOT NULL,
  label TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  revoked_ms INTEGER
) WITHOUT ROWID;
CREATE INDEX api_keys_by_merchant ON api_keys (merchant, created_ms);

CREATE TABLE webhook_endpoints (
  merchant TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Sealed under the master key.
  secret TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  PRIMARY KEY (merchant, id)
) WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
  merchant TEXT NOT NULL,
  id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  -- Tries that have failed.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When it is tried next; none for one that is done.
  due_ms INTEGER,
  -- waiting, delivered or dead
  outcome TEXT NOT NULL DEFAULT 'waiting',
  -- Code and data of the last failed try, as JSON.
  error TEXT,
  updated_ms INTEGER NOT NULL,
  looked_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant, id)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (merchant, endpoint, created_ms, id);
