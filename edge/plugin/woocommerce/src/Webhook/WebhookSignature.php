<?php

declare(strict_types=1);

namespace SvcGateway\Webhook;

/** The header `Svc-Signature: t=<unix seconds>,v1=<hex>` of a webhook: HMAC-SHA256 of the seconds, a point and the body. */
final class WebhookSignature
{
    /** Seconds by which the time of a webhook may be off, either way. */
    public const TOLERANCE_S = 300;

    /** Characters of the header; several signatures stand in it while a secret is replaced. */
    private const MAX_HEADER = 1024;

    /** Whether a body was signed with the secret lately. A blank secret signs nothing. */
    public static function isRight(string $secret, ?string $header, string $body, int $now): bool
    {
        if ($secret === '' || $header === null || strlen($header) > self::MAX_HEADER) {
            return false;
        }
        $times = [];
        $signatures = [];
        foreach (explode(',', $header) as $part) {
            [$name, $value] = explode('=', trim($part), 2) + ['', ''];
            if ($name === 't' && preg_match('/^\d{1,12}$/D', $value) === 1) {
                $times[] = $value;
            } elseif ($name === 'v1' && preg_match('/^[0-9a-f]{64}$/D', $value) === 1) {
                $signatures[] = $value;
            }
        }
        if (count($times) !== 1 || abs($now - (int) $times[0]) > self::TOLERANCE_S) {
            return false;
        }
        $expected = hash_hmac('sha256', "{$times[0]}.$body", $secret);
        $isRight = false;
        foreach ($signatures as $signature) {
            $isRight = hash_equals($expected, $signature) || $isRight;
        }

        return $isRight;
    }
}
