<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Plugin;
use SvcGateway\Settings;
use SvcGateway\Tests\Double\DoubleApi;
use WP_REST_Request;
use WP_REST_Response;

require_once __DIR__ . '/double/DoubleApi.php';

/** A shop with the plugin set up, one order, and a gateway to pay at. */
final class World
{
    public const SECRET = 'whsec_test';

    /** The order that every world has: 10.00 EUR at 2.5 coins. */
    public const ORDER = 7;

    public const AMOUNT = '2500000000';

    private static ?GatewayDouble $double = null;

    public readonly Plugin $plugin;

    public readonly GatewayDouble $gateway;

    private int $events = 0;

    /** @param array<string, mixed> $settings Settings that differ from those that work. */
    public function __construct(array $settings = [], bool $isAdmin = false)
    {
        $this->gateway = self::$double ??= new GatewayDouble();
        $this->gateway->reset();
        Shop::$isAdmin = $isAdmin;
        Shop::$options[Settings::OPTION] = $settings + [
            'enabled' => 'yes',
            'title' => 'Coins',
            'description' => 'Pay by coins.',
            'gateway_url' => $this->gateway->url,
            'api_key' => DoubleApi::KEY,
            'webhook_secret' => self::SECRET,
            'rate' => '2.5',
            'blue_score' => '10',
            'debug' => 'yes',
        ];
        Shop::addOrder(self::ORDER);
        $this->plugin = new Plugin(dirname(__DIR__) . '/svc-gateway.php', static fn (): int => Shop::$now);
        $this->plugin->register();
        do_action('before_woocommerce_init');
        do_action('plugins_loaded');
        do_action('init');
        do_action('rest_api_init');
    }

    /** @return array<string, string> What WooCommerce gets when a customer presses the button. */
    public function pay(int $order = self::ORDER): array
    {
        return $this->plugin->method()->process_payment($order);
    }

    /** Starts a payment that has to succeed; the invoice's id. */
    public function started(int $order = self::ORDER): string
    {
        $result = $this->pay($order);
        Check::same('success', $result['result'], Shop::logText());

        return Shop::meta($order, '_svc_invoice_id');
    }

    /**
     * Lets an invoice change at the gateway, and the gateway tell the shop of it.
     *
     * @param array<string, mixed> $fields
     */
    public function happens(string $id, array $fields): WP_REST_Response
    {
        return $this->send($this->event($this->gateway->change($id, $fields)));
    }

    /**
     * An event about an invoice, in all the forms that the contract has.
     *
     * @param array<string, mixed> $invoice
     *
     * @return array<string, mixed>
     */
    public function event(array $invoice): array
    {
        $this->events += 1;
        $id = 'evt_' . substr($invoice['id'], 4) . "_{$this->events}";
        $type = "invoice.{$invoice['status']}";

        return ['id' => $id, 'type' => $type, 'eventType' => $type, 'createdAt' => Shop::$now, 'apiVersion' => 'v1']
            + ['invoice' => $invoice, 'data' => ['invoice' => $invoice]];
    }

    /** @param array<string, mixed> $event */
    public function send(array $event, string $secret = self::SECRET, ?int $at = null): WP_REST_Response
    {
        $body = (string) json_encode($event);

        return $this->receive($body, self::signature($body, $secret, $at ?? Shop::$now));
    }

    /** Hands a request to the route as WordPress does. */
    public function receive(string $body, ?string $header): WP_REST_Response
    {
        $request = new WP_REST_Request('POST', '/svc/v1/webhook');
        $request->set_body($body);
        if ($header !== null) {
            $request->set_header('Svc-Signature', $header);
        }
        $route = Shop::$routes['/svc/v1/webhook'];
        Check::same(true, $route['permission_callback']($request), 'permission');

        return $route['callback']($request);
    }

    public static function signature(string $body, string $secret, int $at): string
    {
        return "t=$at,v1=" . hash_hmac('sha256', "$at.$body", $secret);
    }

    /** Runs the hourly job. */
    public function reconcile(): void
    {
        do_action('svc_gateway_reconcile');
    }

    /** How often the order was completed by a payment. */
    public static function timesPaid(int $order = self::ORDER): int
    {
        return Shop::$orders[$order]['paid_times'] ?? 0;
    }
}
