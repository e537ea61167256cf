<?php

declare(strict_types=1);

namespace SvcGateway\Tests\Double;

/** The gateway's API as its contract says: bearer key, idempotency keys, records, refusals with sentence and code. */
final class DoubleApi
{
    public const KEY = 'svk_test_0123456789abcdef';

    public function __construct(private readonly DoubleState $state)
    {
    }

    /** @return array{int, mixed, list<string>} Status, body and header lines. */
    public function answer(string $method, string $path, string $body): array
    {
        $headers = ['key' => $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? null, 'authorization' => $_SERVER['HTTP_AUTHORIZATION'] ?? null];
        $this->state->data['requests'][] = ['method' => $method, 'path' => $path, 'body' => $body] + $headers;
        $fault = $this->state->data['fault'];
        if (is_array($fault) && $fault['after'] > 0) {
            $this->state->data['fault']['after'] -= 1;
        } elseif (is_array($fault) && $fault['times'] > 0) {
            $this->state->data['fault']['times'] -= 1;
            if ($fault['done']) {
                $this->route($method, $path, $body, $headers);
            }
            $this->state->save();

            return [$fault['status'], $fault['body'], $fault['headers']];
        }
        $answer = $headers['authorization'] === 'Bearer ' . self::KEY
            ? $this->route($method, $path, $body, $headers)
            : $this->refusal(401, 'gateway/bad-key');
        $this->state->save();

        return $answer;
    }

    /**
     * @param array<string, ?string> $headers
     *
     * @return array{int, mixed, list<string>}
     */
    private function route(string $method, string $path, string $body, array $headers): array
    {
        if ($method === 'POST' && $path === '/api/v1/invoices') {
            return $this->once($headers['key'], $body, fn (array $json): array => $this->create($json));
        }
        if (preg_match('#^/api/v1/invoices/([^/]+)(/refunds|/mark)?$#', $path, $parts) !== 1) {
            return $this->refusal(404, 'http/not-found');
        }
        $invoice = $this->state->data['invoices'][$parts[1]] ?? null;
        if ($invoice === null) {
            return $this->refusal(404, 'gateway/no-invoice');
        }
        if ($method === 'POST' && ($parts[2] ?? '') === '/refunds') {
            return $this->once($headers['key'], $body, fn (array $json): array => $this->refund($invoice, $json));
        }
        if ($method === 'POST' && ($parts[2] ?? '') === '/mark') {
            return $this->mark($invoice, json_decode($body, true));
        }

        return $method === 'GET' && !isset($parts[2]) ? [200, $invoice, []] : $this->refusal(405, 'api/wrong-method');
    }

    /**
     * @param callable(array<string, mixed>): array<string, mixed> $make
     *
     * @return array{int, mixed, list<string>}
     */
    private function once(?string $key, string $body, callable $make): array
    {
        $json = json_decode($body, true);
        if (!is_array($json) || !$this->isAmount($json)) {
            return $this->refusal(400, 'api/bad-field');
        }
        $known = $this->state->data['keys'][$key] ?? null;
        if ($known !== null && $known['body'] !== $body) {
            return $this->refusal(409, 'gateway/idempotency-conflict');
        }
        if ($known !== null) {
            $made = $this->state->data[$known['kind']][$known['id']];

            return [201, $made, ['Idempotent-Replayed: true']];
        }
        $made = $make($json);
        $kind = str_starts_with($made['id'], 'inv_') ? 'invoices' : 'refunds';
        $this->state->data[$kind][$made['id']] = $made;
        $this->state->data['keys'][$key] = ['body' => $body, 'kind' => $kind, 'id' => $made['id']];

        return [201, $made, []];
    }

    /**
     * @param array<string, mixed> $asked
     *
     * @return array<string, mixed>
     */
    private function create(array $asked): array
    {
        $id = 'inv_' . str_pad((string) (count($this->state->data['invoices']) + 1), 32, '0', STR_PAD_LEFT);
        $base = $this->state->data['foreign'] ?? 'http://' . $_SERVER['HTTP_HOST'];
        $now = $this->state->data['now'];
        $address = 'svc:' . str_repeat('q', 79);

        return [
            'id' => $id,
            'orderId' => $asked['orderId'],
            'address' => $address,
            'amountSompi' => $asked['amountSompi'],
            'paidSompi' => '0',
            'dueSompi' => $asked['amountSompi'],
            'confirmedSompi' => '0',
            'overpaidSompi' => '0',
            'seenSompi' => '0',
            'status' => 'new',
            'settled' => false,
            'late' => false,
            'expired' => false,
            'reorged' => false,
            'archived' => false,
            'marked' => null,
            'requiredBlueScore' => $asked['requiredBlueScore'],
            'confirmations' => 0,
            'payments' => [],
            'paymentUri' => "$address?amount=1",
            'checkoutUrl' => "$base/checkout/$id",
            'redirectUrl' => $asked['redirectUrl'],
            'metadata' => $asked['metadata'],
            'quote' => null,
            'version' => 1,
            'livemode' => false,
            'network' => 'simnet',
            'createdAt' => $now,
            'expiresAt' => $now + $asked['expiresIn'],
            'monitorUntil' => $now + $asked['expiresIn'] + 86_400,
            'updatedAt' => $now,
            'serverTime' => $now,
        ];
    }

    /** @param array<string, mixed> $json */
    private function isAmount(array $json): bool
    {
        $hasReason = ($json['reason'] ?? 'x') !== '' && preg_match('/[\x00-\x1f]/', $json['reason'] ?? '') !== 1;

        return $hasReason && (($json['amount'] ?? 'custom') === 'overpaid'
            ? !isset($json['amountSompi'])
            : preg_match('/^[1-9]\d{0,18}$/D', (string) ($json['amountSompi'] ?? '')) === 1);
    }

    /**
     * @param array<string, mixed> $invoice
     *
     * @return array{int, mixed, list<string>}
     */
    private function mark(array $invoice, mixed $asked): array
    {
        if (($asked['as'] ?? null) !== 'settled' || $invoice['settled'] !== true) {
            return $this->refusal(409, 'gateway/wrong-state');
        }
        $marked = ['status' => 'confirmed', 'expired' => false, 'version' => $invoice['version'] + 1] + $invoice;
        $this->state->data['invoices'][$invoice['id']] = $marked;

        return [200, $marked, []];
    }

    /**
     * @param array<string, mixed> $invoice
     * @param array<string, mixed> $asked
     *
     * @return array<string, mixed>
     */
    private function refund(array $invoice, array $asked): array
    {
        $id = 'ref_' . (count($this->state->data['refunds']) + 1);

        return [
            'id' => $id,
            'invoiceId' => $invoice['id'],
            'orderId' => $invoice['orderId'],
            'amount' => $asked['amount'],
            'amountSompi' => $asked['amountSompi'] ?? $invoice['overpaidSompi'],
            'state' => 'requested',
            'claimUrl' => 'http://' . $_SERVER['HTTP_HOST'] . "/claim/$id",
            'address' => null,
            'reason' => $asked['reason'] ?? null,
            'txid' => null,
            'error' => null,
            'expiresAt' => $this->state->data['now'] + 2_592_000,
            'createdAt' => $this->state->data['now'],
            'updatedAt' => $this->state->data['now'],
        ];
    }

    /** @return array{int, mixed, list<string>} */
    private function refusal(int $status, string $code): array
    {
        return [$status, ['error' => "It is refused: $code.", 'code' => $code], []];
    }
}
