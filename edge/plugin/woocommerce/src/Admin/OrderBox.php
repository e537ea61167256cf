<?php

declare(strict_types=1);

namespace SvcGateway\Admin;

use SvcGateway\Gateway\GatewayUrl;
use SvcGateway\Money\Sompi;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Settings;
use WC_Order;
use WP_Post;

/** The box with the facts of the invoice on the page of an order in the admin. */
final class OrderBox
{
    public function register(): void
    {
        add_action('add_meta_boxes', [$this, 'add']);
    }

    public function add(): void
    {
        add_meta_box(
            'svc-gateway-invoice',
            __('Shielded payment', 'svc-gateway'),
            [$this, 'show'],
            wc_get_page_screen_id('shop-order'),
            'side',
        );
    }

    /** @param WP_Post|WC_Order $shown A post where orders are posts, an order where they have tables of their own. */
    public function show(mixed $shown): void
    {
        $order = $shown instanceof WP_Post ? wc_get_order($shown->ID) : $shown;
        if (!$order instanceof WC_Order) {
            return;
        }
        $invoice = new OrderInvoice($order);
        if ($invoice->id() === '') {
            echo '<p>' . esc_html(__('The order has no invoice.', 'svc-gateway')) . '</p>';

            return;
        }
        $this->showFacts($invoice);
        $this->showRefunds($invoice);
    }

    private function showFacts(OrderInvoice $invoice): void
    {
        $facts = $invoice->facts();
        $this->row(__('Invoice', 'svc-gateway'), $invoice->id());
        $this->row(__('Status', 'svc-gateway'), self::statusText($facts?->status ?? 'new'));
        $this->row(__('Asked', 'svc-gateway'), $this->coins($invoice->amount()));
        $this->row(__('Paid', 'svc-gateway'), $this->coins($facts?->paidSompi ?? '0'));
        if ($facts !== null && $facts->overpaidSompi !== '0') {
            $this->row(__('Too much', 'svc-gateway'), $this->coins($facts->overpaidSompi));
        }
        if ($facts?->reorged === true) {
            $this->row(__('Attention', 'svc-gateway'), AlertKind::Reorged->text());
        }
        foreach ($facts?->transactions ?? [] as $transaction) {
            $this->row(__('Transaction', 'svc-gateway'), $transaction);
        }
        $this->link($invoice->checkoutUrl(), __('Payment page', 'svc-gateway'));
    }

    private function showRefunds(OrderInvoice $invoice): void
    {
        foreach ($invoice->refunds() as $refund) {
            $this->row(__('Refund claim', 'svc-gateway'), $this->coins($refund['amount']));
            $this->link($refund['url'], __('Page of the claim, for the customer', 'svc-gateway'));
        }
    }

    private function row(string $name, string $value): void
    {
        printf(
            '<p style="overflow-wrap:anywhere"><strong>%s</strong><br>%s</p>',
            esc_html($name),
            esc_html($value),
        );
    }

    private function link(string $url, string $text): void
    {
        if ($this->gateway()?->owns($url) === true) {
            printf('<p><a href="%s" target="_blank" rel="noopener noreferrer">%s</a></p>', esc_url($url), esc_html($text));
        }
    }

    private function coins(string $sompi): string
    {
        /* translators: %s: amount in coins */
        return sprintf(__('%s coins', 'svc-gateway'), Sompi::inCoins($sompi));
    }

    private function gateway(): ?GatewayUrl
    {
        return Settings::load()->gatewayUrl();
    }

    private static function statusText(string $status): string
    {
        return match ($status) {
            'new' => __('Waits for the payment', 'svc-gateway'),
            'partial' => __('Paid in part', 'svc-gateway'),
            'paid' => __('Paid, not confirmed yet', 'svc-gateway'),
            'confirmed' => __('Paid and confirmed', 'svc-gateway'),
            'overpaid' => __('Paid too much, confirmed', 'svc-gateway'),
            'expired' => __('Expired without a payment', 'svc-gateway'),
            'paidLate' => __('Paid after it had expired', 'svc-gateway'),
            default => $status,
        };
    }
}
