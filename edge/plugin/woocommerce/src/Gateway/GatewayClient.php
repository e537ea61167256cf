<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

use SvcGateway\Log;
use SvcGateway\Settings;

/** The calls of the gateway's API that the plugin makes. */
final class GatewayClient
{
    /** Seconds that a call may take. */
    private const TIMEOUT_S = 20;

    /** Bytes of an answer, far above an invoice with all its payments. */
    private const MAX_ANSWER = 1_048_576;

    private const MAX_DEPTH = 16;

    /** Characters of a foreign text in a message. */
    private const SHOWN = 200;

    /**
     * Creates an invoice. The same key with the same body gives the same invoice again.
     *
     * @param string $body JSON, exactly as it was sent before where this is a repetition.
     *
     * @throws GatewayFailure
     */
    public function createInvoice(string $body, string $key): InvoiceRecord
    {
        return $this->invoiceIn($this->call('POST', '/api/v1/invoices', $body, $key));
    }

    /** @throws GatewayFailure */
    public function readInvoice(string $id): InvoiceRecord
    {
        return $this->invoiceIn($this->call('GET', $this->pathOf($id)));
    }

    /**
     * Lets an invoice count as settled that was paid in full, but late.
     *
     * @param string $body JSON with `as` and `reason`.
     *
     * @throws GatewayFailure
     */
    public function markInvoice(string $id, string $body): InvoiceRecord
    {
        return $this->invoiceIn($this->call('POST', $this->pathOf($id) . '/mark', $body));
    }

    /**
     * Opens a refund claim: a page on which the payer names an address; the merchant then approves it at the gateway.
     *
     * @param string $body JSON with `amount`, `amountSompi` where that is `custom`, and `reason`.
     *
     * @throws GatewayFailure
     */
    public function createRefund(string $id, string $body, string $key): RefundClaim
    {
        $claim = RefundClaim::parse($this->call('POST', $this->pathOf($id) . '/refunds', $body, $key));

        return $claim ?? throw new GatewayFailure(FailureKind::Unexpected, 'the answer is no refund claim');
    }

    private function pathOf(string $id): string
    {
        if (!InvoiceRecord::isId($id)) {
            throw new GatewayFailure(FailureKind::Missing, 'the order names no invoice');
        }

        return '/api/v1/invoices/' . $id;
    }

    private function invoiceIn(mixed $json): InvoiceRecord
    {
        return InvoiceRecord::parse($json)
            ?? throw new GatewayFailure(FailureKind::Unexpected, 'the answer is no invoice');
    }

    private function call(string $method, string $path, ?string $body = null, ?string $key = null): mixed
    {
        $settings = Settings::load();
        $url = $settings->gatewayUrl();
        if ($url === null || $settings->apiKey() === '') {
            throw new GatewayFailure(FailureKind::Refused, 'the gateway is not set up');
        }
        $headers = ['Authorization' => 'Bearer ' . $settings->apiKey(), 'Accept' => 'application/json'];
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        $answer = wp_remote_request($url->of($path), [
            'method' => $method,
            'headers' => $headers,
            'body' => $body,
            'timeout' => self::TIMEOUT_S,
            // A key that follows a redirect has left the gateway.
            'redirection' => 0,
            'limit_response_size' => self::MAX_ANSWER,
        ]);
        if (is_wp_error($answer)) {
            throw new GatewayFailure(FailureKind::Unreachable, "$method $path: " . $this->shown($answer->get_error_message()));
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        Log::debug("$method $path: $status");
        $json = json_decode(wp_remote_retrieve_body($answer), true, self::MAX_DEPTH, JSON_BIGINT_AS_STRING);
        if ($status >= 200 && $status < 300) {
            return $json;
        }
        $isBusy = wp_remote_retrieve_header($answer, 'retry-after') !== '';
        $text = static fn (string $field): string => is_array($json) && is_string($json[$field] ?? null) ? $json[$field] : '';
        $kind = $this->kindOf($status, $isBusy, $text('code'));
        throw new GatewayFailure($kind, "$method $path: $status " . $this->shown("{$text('code')} {$text('error')}"));
    }

    private function kindOf(int $status, bool $isBusy, string $code): FailureKind
    {
        return match (true) {
            $status >= 500, $status === 429, $status === 408, $status === 409 && $isBusy => FailureKind::Unreachable,
            $status === 409 && ($code === '' || str_contains($code, 'idempotency')) => FailureKind::Conflict,
            $status === 404 => FailureKind::Missing,
            $status >= 400 => FailureKind::Refused,
            default => FailureKind::Unexpected,
        };
    }

    private function shown(string $text): string
    {
        return (string) preg_replace('/[^\x20-\x7e]/', '?', substr($text, 0, self::SHOWN));
    }
}
