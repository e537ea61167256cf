<?php

declare(strict_types=1);

namespace SvcGateway\BtcpayTests;

use RuntimeException;

/**
 * The calls that BTCPay's WooCommerce plugin makes, as its client library sends them: `Authorization: token …`, JSON, and status 200 for
 * whatever is well.
 */
final class GreenfieldCalls
{
    /** What the plugin asks of a key, and what it can do without. */
    private const REQUIRED = [
        'btcpay.store.canviewinvoices',
        'btcpay.store.cancreateinvoice',
        'btcpay.store.canviewstoresettings',
        'btcpay.store.canmodifyinvoices',
    ];
    private const OPTIONAL = ['btcpay.store.cancreatenonapprovedpullpayments', 'btcpay.store.webhooks.canmodifywebhooks'];
    private const EVENTS = [
        'InvoiceReceivedPayment', 'InvoicePaymentSettled', 'InvoiceProcessing', 'InvoiceExpired', 'InvoiceSettled', 'InvoiceInvalid',
    ];

    /** As `STEP_HANG_MS` of the tests: for what hangs alone. */
    private const HANG_SECONDS = 480;

    /** @param array{url: string, key: string, store: string} $settings */
    public function __construct(private readonly array $settings)
    {
    }

    /** Why the plugin would not take the key; null where it does. */
    public function faultOfKey(): ?string
    {
        $permissions = $this->ask('GET', 'api-keys/current')['permissions'];
        $stores = array_unique(array_map(static fn (string $one): string => explode(':', $one)[1] ?? '', $permissions));
        $words = array_map(static fn (string $one): string => explode(':', $one)[0], $permissions);
        $known = array_merge(self::REQUIRED, self::OPTIONAL);

        return match (true) {
            $stores !== [$this->settings['store']] => 'a key of several stores',
            array_diff(self::REQUIRED, $words) !== [] => 'a key without a permission',
            array_diff($words, $known) !== [] => 'a key with a permission that is not known',
            $this->ask('GET', 'stores') === [] => 'a key without a store',
            default => null,
        };
    }

    /** Whether the plugin offers refunds, and the checkout. @return array{version: string, fullySynched: bool} */
    public function server(): array
    {
        return $this->ask('GET', 'server/info');
    }

    /** Names of the payment methods of the store, as the library flattens them. @return list<string> */
    public function methods(): array
    {
        $names = [];
        foreach ($this->ask('GET', $this->store('payment-methods')) as $name => $method) {
            $method += $method['data'];
            if ($method['enabled']) {
                $names[] = str_replace('-', '_', (string) $name);
            }
        }

        return $names;
    }

    /** @return array{id: string, secret: string, url: string} */
    public function addWebhook(string $url): array
    {
        return $this->ask('POST', $this->store('webhooks'), [
            'enabled' => true,
            'automaticRedelivery' => true,
            'url' => $url,
            'authorizedEvents' => ['everything' => false, 'specificEvents' => self::EVENTS],
        ]);
    }

    /** @return array<string, mixed> */
    public function webhook(string $id): array
    {
        return $this->ask('GET', $this->store("webhooks/$id"));
    }

    /** @return array<string, mixed> */
    public function updateWebhook(string $id, string $url, string $secret): array
    {
        return $this->ask('PUT', $this->store("webhooks/$id"), [
            'enabled' => true,
            'automaticRedelivery' => true,
            'url' => $url,
            'secret' => $secret,
            'authorizedEvents' => ['everything' => false, 'specificEvents' => self::EVENTS],
        ]);
    }

    /** @return array<string, mixed> */
    public function createInvoice(string $number, string $total, string $currency, string $return): array
    {
        return $this->ask('POST', $this->store('invoices'), [
            'amount' => $total,
            'currency' => $currency,
            'metadata' => [
                'taxIncluded' => 0.19,
                'posData' => json_encode(['WooCommerce' => ['Order Number' => $number, 'Plugin Version' => '2.7.1']]),
                'orderId' => $number,
            ],
            'checkout' => [
                'speedPolicy' => 'MediumSpeed',
                'paymentMethods' => $this->methods(),
                'expirationMinutes' => null,
                'monitoringMinutes' => null,
                'paymentTolerance' => null,
                'redirectURL' => $return,
                'redirectAutomatically' => null,
                'defaultLanguage' => null,
                'requiresRefundEmail' => null,
            ],
        ]);
    }

    /** @return array<string, mixed> */
    public function invoice(string $id): array
    {
        return $this->ask('GET', $this->store("invoices/$id"));
    }

    /** @return list<array<string, mixed>> */
    public function invoicesOf(string $number): array
    {
        return $this->ask('GET', $this->store('invoices?orderId=' . urlencode($number)));
    }

    /** @return list<array<string, mixed>> */
    public function paymentsOf(string $id): array
    {
        return $this->ask('GET', $this->store("invoices/$id/payment-methods"));
    }

    /** @return array<string, mixed> */
    public function mark(string $id, string $status): array
    {
        return $this->ask('POST', $this->store("invoices/$id/status"), ['status' => $status]);
    }

    /** @return array{id: string, viewLink: string} */
    public function refund(string $number, string $amount, string $currency): array
    {
        return $this->ask('POST', $this->store('pull-payments'), [
            'name' => substr("Refund of order $number; it broke", 0, 50),
            'amount' => $amount,
            'currency' => $currency,
            'period' => null,
            'BOLT11Expiration' => null,
            'autoApproveClaims' => false,
            'startsAt' => null,
            'expiresAt' => null,
            'paymentMethods' => $this->methods(),
        ]);
    }

    private function store(string $path): string
    {
        return 'stores/' . urlencode($this->settings['store']) . "/$path";
    }

    /**
     * @param array<string, mixed>|null $body
     *
     * @return array<mixed>
     */
    private function ask(string $method, string $path, ?array $body = null): array
    {
        $headers = ['Accept: application/json', 'Content-Type: application/json', "Authorization: token {$this->settings['key']}"];
        $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'follow_location' => 0, 'timeout' => self::HANG_SECONDS];
        if ($body !== null) {
            $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
        }
        $url = rtrim($this->settings['url'], '/') . "/api/v1/$path";
        $answer = (string) file_get_contents($url, false, stream_context_create(['http' => $http]));
        $status = (int) explode(' ', $http_response_header[0] ?? ' 0')[1];
        if ($status !== 200) {
            throw new RuntimeException("$method $path: $status $answer");
        }

        return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
    }
}
