<?php

declare(strict_types=1);

namespace SvcGateway\Webhook;

use SvcGateway\Gateway\InvoiceRecord;

/** The event in the body of a webhook: which invoice of which order to look at. Nothing else of it is used. */
final class WebhookEvent
{
    private const MAX_DEPTH = 16;

    private function __construct(
        public readonly string $id,
        public readonly string $type,
        /** Empty for an event that is about no invoice, such as `ping`. */
        public readonly string $invoice,
        /** 0 where the invoice names no order of this shop. */
        public readonly int $order,
        public readonly ?int $version,
    ) {
    }

    /** Reads a body; null for anything that is no event. */
    public static function parse(string $body): ?self
    {
        $json = json_decode($body, true, self::MAX_DEPTH, JSON_BIGINT_AS_STRING);
        if (!is_array($json)) {
            return null;
        }
        $id = $json['id'] ?? null;
        $type = $json['type'] ?? $json['eventType'] ?? null;
        $isNamedTwice = ($json['eventType'] ?? $type) !== $type;
        if (!self::isName($id) || !self::isName($type) || $isNamedTwice) {
            return null;
        }
        $data = is_array($json['data'] ?? null) ? $json['data'] : [];
        $invoice = $json['invoice'] ?? $data['invoice'] ?? null;
        if ($invoice === null) {
            return new self($id, $type, '', 0, null);
        }
        if (!is_array($invoice) || !InvoiceRecord::isId($invoice['id'] ?? null)) {
            return null;
        }
        $order = $invoice['orderId'] ?? null;
        $isOrder = is_string($order) && preg_match('/^[1-9]\d{0,17}$/D', $order) === 1;
        $version = is_int($invoice['version'] ?? null) ? $invoice['version'] : null;

        return new self($id, $type, $invoice['id'], $isOrder ? (int) $order : 0, $version);
    }

    private static function isName(mixed $text): bool
    {
        return is_string($text) && preg_match('/^[A-Za-z0-9._-]{1,128}$/D', $text) === 1;
    }
}
