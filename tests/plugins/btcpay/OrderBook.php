<?php

declare(strict_types=1);

namespace SvcGateway\BtcpayTests;

/** Orders of a shop, and what becomes of them by the events of a webhook: the default states of BTCPay's WooCommerce plugin. */
final class OrderBook
{
    /** @var array{settings: array<string, string>, webhook: array<string, string>, down: bool, orders: array<string, array<string, mixed>>, refused: int} */
    public array $state = ['settings' => [], 'webhook' => [], 'down' => false, 'orders' => [], 'refused' => 0];

    public function __construct(private readonly string $file)
    {
        $text = is_file($file) ? (string) file_get_contents($file) : '';
        if ($text !== '') {
            $this->state = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        }
    }

    public function save(): void
    {
        file_put_contents($this->file, json_encode($this->state, JSON_THROW_ON_ERROR));
    }

    public function calls(): GreenfieldCalls
    {
        return new GreenfieldCalls($this->state['settings']);
    }

    /** Whether a delivery is the gateway's: as the plugin's library compares it. */
    public function isSigned(string $body, string $header): bool
    {
        $secret = $this->state['webhook']['secret'] ?? '';

        return $secret !== '' && $header === 'sha256=' . hash_hmac('sha256', $body, $secret);
    }

    /** @param array<string, mixed> $event */
    public function hear(array $event): void
    {
        foreach ($this->state['orders'] as $number => $order) {
            if ($order['invoice'] === $event['invoiceId']) {
                $this->state['orders'][$number] = $this->after($order, $event);
            }
        }
    }

    /**
     * @param array<string, mixed> $order
     * @param array<string, mixed> $event
     *
     * @return array<string, mixed>
     */
    private function after(array $order, array $event): array
    {
        $order['events'][] = $event['type'];
        $order['deliveries'][] = $event['deliveryId'];
        if (in_array($order['status'], ['processing', 'completed'], true)) {
            // The plugin protects orders that are paid, and leaves a note.
            return $order;
        }
        $order['status'] = match ($event['type']) {
            'InvoiceReceivedPayment' => $event['afterExpiration'] ? 'failed' : $order['status'],
            'InvoicePaymentSettled' => $this->afterSettled($order),
            'InvoiceProcessing' => 'on-hold',
            'InvoiceInvalid' => 'failed',
            'InvoiceExpired' => $event['partiallyPaid'] ? 'failed' : 'cancelled',
            'InvoiceSettled' => 'processing',
            default => $order['status'],
        };
        if (in_array($event['type'], ['InvoiceReceivedPayment', 'InvoicePaymentSettled', 'InvoiceSettled'], true)) {
            $order['payments'] = $this->paymentsOf((string) $order['invoice']);
        }
        if ($event['type'] === 'InvoiceSettled') {
            $order['completed'] = ($order['completed'] ?? 0) + 1;
            $order['overPaid'] = $event['overPaid'];
        }

        return $order;
    }

    /** @param array<string, mixed> $order */
    private function afterSettled(array $order): string
    {
        if (!in_array($order['status'], ['cancelled', 'failed'], true)) {
            return $order['status'];
        }

        return $this->calls()->invoice((string) $order['invoice'])['status'] === 'Settled' ? 'processing' : 'failed';
    }

    /** What the plugin writes down of payments. @return list<array{id: string, value: string, status: string}> */
    private function paymentsOf(string $invoice): array
    {
        $found = [];
        foreach ($this->calls()->paymentsOf($invoice) as $method) {
            if ((float) $method['paymentMethodPaid'] > 0.0) {
                foreach ($method['payments'] as $one) {
                    $found[] = ['id' => $one['id'], 'value' => $one['value'], 'status' => $one['status']];
                }
            }
        }

        return $found;
    }
}
