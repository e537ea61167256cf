<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

use SvcGateway\Money\Sompi;

/** A refund claim as the gateway answers it: who has the link names the address that the refund goes to. */
final class RefundClaim
{
    private function __construct(
        public readonly string $id,
        public readonly string $url,
        public readonly string $amountSompi,
    ) {
    }

    /** Reads the JSON of an answer; null for anything else. */
    public static function parse(mixed $json): ?self
    {
        $id = is_array($json) ? $json['id'] ?? null : null;
        $url = is_array($json) ? $json['claimUrl'] ?? null : null;
        $amount = is_array($json) ? $json['amountSompi'] ?? null : null;
        if (!is_string($id) || preg_match('/^[A-Za-z0-9_-]{1,128}$/D', $id) !== 1 || !is_string($url) || !Sompi::isText($amount)) {
            return null;
        }

        return new self($id, $url, $amount);
    }
}
