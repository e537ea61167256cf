-- Why the scanner does not believe its node, as JSON; none while it does, and from an older scanner.
ALTER TABLE chain_tip ADD COLUMN fault TEXT;
