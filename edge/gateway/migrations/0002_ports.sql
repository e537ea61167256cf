-- What the ports of the gateway keep beside lists and keys: merchants, webhooks as their owners see them, and where the scanner stands.

-- The whole invoice as its object stores it, so that a list asks no object.
ALTER TABLE invoices ADD COLUMN json TEXT NOT NULL DEFAULT '';

CREATE TABLE merchants (
  id TEXT NOT NULL PRIMARY KEY,
  -- JSON, as `merchantStore.ts` reads it.
  record TEXT NOT NULL
) WITHOUT ROWID;

ALTER TABLE webhook_endpoints ADD COLUMN description TEXT NOT NULL DEFAULT '';
-- A JSON list of types; none for all.
ALTER TABLE webhook_endpoints ADD COLUMN events TEXT;
-- merchant or failures
ALTER TABLE webhook_endpoints ADD COLUMN disabled_by TEXT;
-- Sealed; signs from `switch_ms` on.
ALTER TABLE webhook_endpoints ADD COLUMN next_secret TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN switch_ms INTEGER;
-- When its receiver last took a delivery.
ALTER TABLE webhook_endpoints ADD COLUMN delivered_ms INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN created_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_endpoints ADD COLUMN updated_ms INTEGER NOT NULL DEFAULT 0;

-- None for a ping.
ALTER TABLE webhook_deliveries ADD COLUMN invoice TEXT;

CREATE TABLE chain_tip (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  blue_score TEXT NOT NULL,
  -- As the block says, and when it was told.
  block_ms INTEGER NOT NULL,
  told_ms INTEGER NOT NULL
);

CREATE TABLE address_stock (
  viewing_key TEXT NOT NULL PRIMARY KEY,
  -- Addresses that no invoice has.
  addresses INTEGER NOT NULL
) WITHOUT ROWID;
