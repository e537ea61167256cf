<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use Closure;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Plugin;
use SvcGateway\Settings;
use WC_Order;

/** What customers see of an unpaid order after the checkout, and which orders can be paid again. */
final class CustomerPages
{
    /** Seconds after the expiry of an invoice for which WooCommerce leaves its order alone. */
    private const GRACE_S = 86_400;

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly Closure $now)
    {
    }

    public function register(): void
    {
        add_action('woocommerce_thankyou_' . Plugin::METHOD, [$this, 'show']);
        add_action('woocommerce_view_order', [$this, 'show'], 5);
        add_filter('woocommerce_valid_order_statuses_for_payment', [$this, 'payableStatuses'], 10, 2);
        add_filter('woocommerce_cancel_unpaid_order', [$this, 'mayCancel'], 10, 2);
    }

    /** Leads to the payment page while the order's invoice can be paid, and says what it waits for. */
    public function show(mixed $id): void
    {
        $order = wc_get_order($id);
        $invoice = $order instanceof WC_Order ? new OrderInvoice($order) : null;
        if ($invoice === null || !$invoice->isOurs() || $invoice->id() === '' || $invoice->order->is_paid()) {
            return;
        }
        $facts = $invoice->facts();
        if ($facts?->status === 'paid') {
            echo '<p>' . esc_html(__('Your payment has come. We wait for its confirmation.', 'svc-gateway')) . '</p>';
        }
        $isPayable = $facts === null || $facts->status === 'new' || $facts->status === 'partial';
        if ($isPayable && Settings::load()->gatewayUrl()?->owns($invoice->checkoutUrl()) === true) {
            printf(
                '<p><a class="button" href="%s">%s</a></p>',
                esc_url($invoice->checkoutUrl()),
                esc_html(__('To the payment page', 'svc-gateway')),
            );
        }
    }

    /**
     * An order that was cancelled because its invoice expired can be paid again.
     *
     * @param list<string> $statuses
     *
     * @return list<string>
     */
    public function payableStatuses(array $statuses, mixed $order = null): array
    {
        $isAgain = $order instanceof WC_Order && (new OrderInvoice($order))->isCancelledByExpiry();

        return $isAgain ? [...$statuses, 'cancelled'] : $statuses;
    }

    /** Keeps WooCommerce from cancelling an order whose invoice may still be paid: the invoice's expiry decides. */
    public function mayCancel(mixed $mayCancel, mixed $order = null): mixed
    {
        $invoice = $order instanceof WC_Order ? new OrderInvoice($order) : null;
        if ($invoice === null || !$invoice->isOurs() || !$invoice->isOpen()) {
            return $mayCancel;
        }

        return $mayCancel && ($this->now)() > $invoice->expiresAt() + self::GRACE_S;
    }
}
