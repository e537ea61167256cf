<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

/** The shop that the stubs make up: options, orders, hooks and what was shown. Each test begins with an empty one. */
final class Shop
{
    /** Unix seconds at which every test begins. */
    public const START = 1_800_000_000;

    public static int $now;

    /** @var array<string, mixed> Options, and rows of locks among them. */
    public static array $options;

    /** @var array<int, array<string, mixed>> Rows of orders as they are stored, by their ids. */
    public static array $orders;

    /** @var array<string, list<array{callable, int, int}>> Callbacks with priority and number of arguments, by hook. */
    public static array $hooks;

    /** @var list<array{string, string}> Notices for the customer: text and kind. */
    public static array $notices;

    /** @var list<array{string, string, array<string, mixed>}> Lines of the log: level, text, context. */
    public static array $log;

    /** @var array<string, array<string, mixed>> Registered REST routes. */
    public static array $routes;

    /** @var list<array{int, ?int, string, string}> Scheduled actions: time, interval, hook, group. */
    public static array $actions;

    /** @var array<string, bool> Features that the plugin declared itself compatible with. */
    public static array $features;

    /** @var array<string, array<string, mixed>> Registered scripts by their handles. */
    public static array $scripts;

    /** @var list<array{string, string}> Meta boxes: id and screen. */
    public static array $boxes;

    public static bool $isAdmin;

    /** @var list<string> What the person at the admin may do. */
    public static array $capabilities;

    public static bool $hasNonce;

    public static string $locale;

    public static string $url;

    /** Whether orders have tables of their own. */
    public static bool $hasOrderTables;

    /** @var array<int, array<string, mixed>>|null What this process has cached of the meta data of orders; null where nothing is cached. */
    public static ?array $cache;

    /** Makes `payment_complete` and `update_status` fail, as where a database is away. */
    public static bool $failsToSave;

    public static function reset(): void
    {
        self::$now = self::START;
        self::$options = [];
        self::$orders = [];
        self::$hooks = [];
        self::$notices = [];
        self::$log = [];
        self::$routes = [];
        self::$actions = [];
        self::$features = [];
        self::$scripts = [];
        self::$boxes = [];
        self::$isAdmin = false;
        self::$capabilities = ['edit_shop_orders', 'manage_woocommerce'];
        self::$hasNonce = true;
        self::$locale = 'en_US';
        self::$url = 'https://shop.example';
        self::$hasOrderTables = true;
        self::$cache = null;
        self::$failsToSave = false;
        self::hookStockAsWooCommerceDoes();
    }

    /** @param array<string, mixed> $values */
    public static function addOrder(int $id, array $values = []): void
    {
        self::$orders[$id] = $values + [
            'status' => 'pending',
            'total' => '10.00',
            'currency' => 'EUR',
            'payment_method' => 'svc_gateway',
            'transaction_id' => '',
            'stock_reduced' => false,
            'downloadable' => false,
            'meta' => [],
            'notes' => [],
        ];
    }

    /** @return list<string> */
    public static function notes(int $order): array
    {
        return array_column(self::$orders[$order]['notes'], 0);
    }

    public static function status(int $order): string
    {
        return self::$orders[$order]['status'];
    }

    public static function meta(int $order, string $key): mixed
    {
        return self::$orders[$order]['meta'][$key] ?? null;
    }

    public static function logText(): string
    {
        return implode("\n", array_column(self::$log, 1));
    }

    /**
     * WooCommerce's own hooks of stock: reduced when an order is on hold or paid, put back when it is pending or cancelled, left alone
     * when it failed.
     */
    private static function hookStockAsWooCommerceDoes(): void
    {
        foreach (['completed', 'processing', 'on-hold'] as $status) {
            add_action("woocommerce_order_status_$status", static function (int $id): void {
                self::$orders[$id]['stock_reduced'] = true;
            });
        }
        foreach (['cancelled', 'pending'] as $status) {
            add_action("woocommerce_order_status_$status", 'wc_maybe_increase_stock_levels');
        }
    }
}
