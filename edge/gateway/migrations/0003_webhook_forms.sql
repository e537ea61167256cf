-- Webhooks have a form: the gateway's own, or that of BTCPay's Greenfield API. What is told in it stands in the delivery.

ALTER TABLE webhook_endpoints ADD COLUMN form TEXT NOT NULL DEFAULT 'svc';
-- A JSON list of types of that form; none for all.
ALTER TABLE webhook_endpoints ADD COLUMN greenfield_events TEXT;
