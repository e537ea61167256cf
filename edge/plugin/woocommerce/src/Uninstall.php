<?php

declare(strict_types=1);

namespace SvcGateway;

use SvcGateway\Admin\Alerts;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Order\OrderLock;
use SvcGateway\Order\Reconciliation;
use WC_Order;

/** Removal of what the plugin stored. */
final class Uninstall
{
    /** Orders that are read at once. */
    private const ORDERS = 100;

    /** Such reads at most. */
    private const READS = 100_000;

    /** @param bool $withOrders Whether orders forget their invoices too. */
    public static function run(bool $withOrders): void
    {
        global $wpdb;
        Reconciliation::stop();
        foreach ([Settings::OPTION, Alerts::OPTION, Reconciliation::PAGE] as $option) {
            delete_option($option);
        }
        $wpdb->query($wpdb->prepare(
            "DELETE FROM `{$wpdb->options}` WHERE `option_name` LIKE %s",
            $wpdb->esc_like(OrderLock::PREFIX) . '%',
        ));
        if ($withOrders && function_exists('wc_get_orders')) {
            self::removeFromOrders();
        }
    }

    private static function removeFromOrders(): void
    {
        for ($read = 0; $read < self::READS; $read += 1) {
            $orders = wc_get_orders([
                'limit' => self::ORDERS,
                'type' => 'shop_order',
                'meta_key' => OrderInvoice::ATTEMPT,
                'meta_compare' => 'EXISTS',
            ]);
            array_walk($orders, self::removeFrom(...));
            if (count($orders) < self::ORDERS) {
                return;
            }
        }
    }

    private static function removeFrom(WC_Order $order): void
    {
        foreach (OrderInvoice::ALL as $key) {
            $order->delete_meta_data($key);
        }
        $order->save();
    }
}
