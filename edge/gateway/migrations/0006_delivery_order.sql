-- Deliveries of one invoice to one webhook are first tried in the order in which their events were told.

-- Grows with the events of an invoice; none for a ping, a redelivery, and what was made before.
ALTER TABLE webhook_deliveries ADD COLUMN place INTEGER;
CREATE INDEX webhook_deliveries_untried ON webhook_deliveries (merchant, endpoint, invoice, place)
WHERE place IS NOT NULL AND attempts = 0 AND due_ms IS NOT NULL;
