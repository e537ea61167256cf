<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use SvcGateway\Money\Sompi;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Order\RefundClaims;
use SvcGateway\Order\RefundFailure;
use SvcGateway\Plugin;
use SvcGateway\Settings;
use WC_Order;
use WC_Payment_Gateway;
use WP_Error;

/** The payment method as WooCommerce knows it: settings, start of a payment, refunds. Names and signatures are WooCommerce's. */
final class PaymentMethod extends WC_Payment_Gateway
{
    public function __construct(private readonly PaymentStart $start, private readonly RefundClaims $refunds)
    {
        $settings = Settings::load();
        $this->id = Plugin::METHOD;
        $this->method_title = __('Shielded payment', 'svc-gateway');
        $this->method_description = __('Customers pay on the page of your merchant gateway. An order is marked as paid when its payment is confirmed.', 'svc-gateway');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $settings->title();
        $this->description = $settings->description();
        $this->enabled = $settings->isEnabled() ? 'yes' : 'no';
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = SettingsForm::fields();
    }

    /** Saves the settings, and says what keeps the method from being switched on. */
    public function process_admin_options(): bool
    {
        $wantsEnabled = isset($this->get_post_data()[$this->get_field_key('enabled')]);
        $isSaved = (bool) parent::process_admin_options();
        // What was saved may differ from what was posted: see Settings::refuseIncomplete.
        $this->init_settings();
        $this->enabled = Settings::load()->isEnabled() ? 'yes' : 'no';
        foreach ($wantsEnabled ? Settings::load()->problems() : [] as $problem) {
            $this->add_error($problem);
        }

        return $isSaved;
    }

    /** Shows the settings with what is missing above them. */
    public function admin_options(): void
    {
        $problems = Settings::load()->problems();
        if ($problems !== []) {
            echo '<div class="notice notice-error inline"><p>';
            echo esc_html(__('This method cannot be enabled yet:', 'svc-gateway')) . '</p><ul>';
            foreach ($problems as $problem) {
                echo '<li>' . esc_html($problem) . '</li>';
            }
            echo '</ul></div>';
        }
        parent::admin_options();
    }

    /** Whether the list of methods leads to the settings instead of switching the method on. */
    public function needs_setup(): bool
    {
        return Settings::load()->problems() !== [];
    }

    public function is_available(): bool
    {
        return Settings::load()->isEnabled() && parent::is_available();
    }

    /**
     * @param int $order_id
     *
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        try {
            if (!$order instanceof WC_Order) {
                throw new StartFailure(__('The order is not there any more.', 'svc-gateway'));
            }

            return ['result' => 'success', 'redirect' => $this->start->start($order, $this->get_return_url($order))];
        } catch (StartFailure $failure) {
            wc_add_notice($failure->getMessage(), 'error');

            return ['result' => 'failure'];
        }
    }

    /** @param WC_Order|false $order */
    public function can_refund_order($order): bool
    {
        return $order instanceof WC_Order && RefundClaims::left(new OrderInvoice($order)) !== '0';
    }

    /**
     * Opens a refund claim over the amount. The customer gets its link, and the merchant approves it at the gateway.
     *
     * @param int               $order_id
     * @param float|string|null $amount
     * @param string            $reason
     *
     * @return bool|WP_Error
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof WC_Order) {
            return new WP_Error('svc_gateway', __('The order is not there any more.', 'svc-gateway'));
        }
        try {
            $price = $amount === null ? Sompi::totalOf($order) : Sompi::priceText($amount);
            $this->refunds->openForPrice($order, $price, (string) $reason);
        } catch (RefundFailure $failure) {
            return new WP_Error('svc_gateway', $failure->getMessage());
        }

        return true;
    }
}
