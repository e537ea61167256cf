-- What the scanner proved of its node's chain, as JSON; none from a scanner that believes its node.
ALTER TABLE chain_tip ADD COLUMN ladder TEXT;
