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
        if (is_array($fault) && $fault['times'] > 0) {
            $this->state->data['fault']['times'] -= 1;
            if ($fault['done']) {
                $this->route($method, $path, $body, $headers);
            }
            $this->state->save();

            return [$fault['status'], $fault['body'], $fault['headers']];
        }
        $answer = $headers['authorization'] === 'Bearer ' . self::KEY
            ? $this->route($method, $path, $body, $headers)
            : $this->refusal(401, 'unauthorized');
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
        if (preg_match('#^/api/v1/invoices/([^/]+)(/refunds)?$#', $path, $parts) !== 1) {
            return $this->refusal(404, 'not_found');
        }
        $invoice = $this->state->data['invoices'][$parts[1]] ?? null;
        if ($invoice === null) {
            return $this->refusal(404, 'invoice_not_found');
        }
        if ($method === 'POST' && isset($parts[2])) {
            return $this->once($headers['key'], $body, fn (array $json): array => $this->refund($invoice['id'], $json));
        }

        return $method === 'GET' && !isset($parts[2]) ? [200, $invoice, []] : $this->refusal(405, 'method_not_allowed');
    }

    /**
     * @param callable(array<string, mixed>): array<string, mixed> $make
     *
     * @return array{int, mixed, list<string>}
     */
    private function once(?string $key, string $body, callable $make): array
    {
        $json = json_decode($body, true);
        if (!is_array($json) || preg_match('/^[1-9]\d{0,18}$/D', (string) ($json['amountSompi'] ?? '')) !== 1) {
            return $this->refusal(400, 'amount_invalid');
        }
        $known = $this->state->data['keys'][$key] ?? null;
        if ($known !== null && $known['body'] !== $body) {
            return $this->refusal(409, 'idempotency_conflict');
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

        return [
            'id' => $id,
            'orderId' => $asked['orderId'],
            'address' => 'svc:' . str_repeat('q', 79),
            'amountSompi' => $asked['amountSompi'],
            'paidSompi' => '0',
            'overpaidSompi' => '0',
            'status' => 'new',
            'createdAt' => $this->state->data['now'],
            'expiresAt' => $this->state->data['now'] + $asked['expiresIn'],
            'checkoutUrl' => "$base/checkout/$id",
            'redirectUrl' => $asked['redirectUrl'],
            'metadata' => $asked['metadata'],
            'requiredBlueScore' => $asked['requiredBlueScore'],
            'payments' => [],
            'version' => 1,
            'reorged' => false,
            'expired' => false,
        ];
    }

    /**
     * @param array<string, mixed> $asked
     *
     * @return array<string, mixed>
     */
    private function refund(string $invoice, array $asked): array
    {
        $id = 'ref_' . (count($this->state->data['refunds']) + 1);

        return [
            'id' => $id,
            'invoiceId' => $invoice,
            'status' => 'requested',
            'amountSompi' => $asked['amountSompi'],
            'claimUrl' => 'http://' . $_SERVER['HTTP_HOST'] . "/refund/$id",
        ];
    }

    /** @return array{int, mixed, list<string>} */
    private function refusal(int $status, string $code): array
    {
        return [$status, ['error' => "It is refused: $code.", 'code' => $code], []];
    }
}
