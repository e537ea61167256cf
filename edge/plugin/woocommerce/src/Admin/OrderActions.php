<?php

declare(strict_types=1);

namespace SvcGateway\Admin;

use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Log;
use SvcGateway\Order\InvoiceSync;
use SvcGateway\Order\OrderBusy;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Order\RefundClaims;
use SvcGateway\Order\RefundFailure;
use SvcGateway\Order\UpdateFailure;
use WC_Order;

/** The plugin's entries among the actions of an order. WooCommerce checks their nonce; who may edit orders is checked here too. */
final class OrderActions
{
    private const SYNC = 'svc_gateway_sync';
    private const REFUND_EXCESS = 'svc_gateway_refund_excess';
    private const REFUND_REST = 'svc_gateway_refund_rest';

    public function __construct(private readonly InvoiceSync $sync, private readonly RefundClaims $refunds)
    {
    }

    public function register(): void
    {
        add_filter('woocommerce_order_actions', [$this, 'list'], 10, 2);
        add_action('woocommerce_order_action_' . self::SYNC, [$this, 'sync']);
        add_action('woocommerce_order_action_' . self::REFUND_EXCESS, [$this, 'refundExcess']);
        add_action('woocommerce_order_action_' . self::REFUND_REST, [$this, 'refundRest']);
    }

    /**
     * @param array<string, string> $actions
     *
     * @return array<string, string>
     */
    public function list(array $actions, mixed $order = null): array
    {
        $invoice = $order instanceof WC_Order ? new OrderInvoice($order) : null;
        if ($invoice === null || $invoice->id() === '') {
            return $actions;
        }
        $actions[self::SYNC] = __('Read the invoice from the gateway again', 'svc-gateway');
        if (RefundClaims::excess($invoice) !== '0') {
            $actions[self::REFUND_EXCESS] = __('Refund what was paid too much', 'svc-gateway');
        }
        if (RefundClaims::left($invoice) !== '0') {
            $actions[self::REFUND_REST] = __('Refund all that was paid', 'svc-gateway');
        }

        return $actions;
    }

    public function sync(WC_Order $order): void
    {
        if (!current_user_can('edit_shop_orders')) {
            return;
        }
        try {
            $this->sync->sync($order->get_id());
        } catch (GatewayFailure | OrderBusy | UpdateFailure $failure) {
            Log::warning("order {$order->get_id()}: {$failure->getMessage()}");
            $order->add_order_note(__('The invoice could not be read from the gateway. The log says why.', 'svc-gateway'));
        }
    }

    public function refundExcess(WC_Order $order): void
    {
        $this->refund($order, fn () => $this->refunds->openForExcess($order));
    }

    public function refundRest(WC_Order $order): void
    {
        $this->refund($order, fn () => $this->refunds->openForRest($order));
    }

    /** @param callable(): void $open */
    private function refund(WC_Order $order, callable $open): void
    {
        if (!current_user_can('edit_shop_orders')) {
            return;
        }
        try {
            $open();
        } catch (RefundFailure $failure) {
            $order->add_order_note($failure->getMessage());
        }
    }
}
