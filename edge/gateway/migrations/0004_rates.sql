-- Prices of a coin in other currencies, as the operator's scanner told them last.

CREATE TABLE coin_rates (
  currency TEXT NOT NULL PRIMARY KEY,
  -- Price of one coin, decimal text.
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  told_ms INTEGER NOT NULL
) WITHOUT ROWID;
