<?php

/** Stubs of WooCommerce's settings, payment methods, log and notices. Each names the documented signature. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: abstract class WC_Settings_API, with plugin_id, id, errors, settings, form_fields (public) and data (protected) */
abstract class WC_Settings_API
{
    public $plugin_id = 'woocommerce_';
    public $id = '';
    public $errors = [];
    public $settings = [];
    public $form_fields = [];
    protected $data = [];

    /** Documented: WC_Settings_API::get_option_key(): string */
    public function get_option_key()
    {
        return $this->plugin_id . $this->id . '_settings';
    }

    /** Documented: WC_Settings_API::get_field_key( string $key ): string */
    public function get_field_key($key)
    {
        return $this->plugin_id . $this->id . '_' . $key;
    }

    /** Documented: WC_Settings_API::init_form_fields() */
    public function init_form_fields()
    {
    }

    /** Documented: WC_Settings_API::init_settings(); the defaults where nothing is stored */
    public function init_settings()
    {
        $stored = get_option($this->get_option_key(), null);
        $this->settings = is_array($stored) ? $stored : array_map(static fn (array $field) => $field['default'] ?? '', $this->form_fields);
    }

    /** Documented: WC_Settings_API::set_post_data( array $data = array() ) */
    public function set_post_data($data = [])
    {
        $this->data = $data;
    }

    /** Documented: WC_Settings_API::get_post_data(): array */
    public function get_post_data()
    {
        return $this->data !== [] ? $this->data : $_POST;
    }

    /** Documented: WC_Settings_API::process_admin_options(): bool; a checkbox is `yes` where it was posted */
    public function process_admin_options()
    {
        $this->init_settings();
        foreach ($this->form_fields as $key => $field) {
            $posted = $this->get_post_data()[$this->get_field_key($key)] ?? null;
            $this->settings[$key] = $field['type'] === 'checkbox' ? ($posted === null ? 'no' : 'yes') : trim((string) $posted);
        }

        return update_option($this->get_option_key(), $this->settings, 'yes');
    }

    /** Documented: WC_Settings_API::add_error( string $error ) */
    public function add_error($error)
    {
        $this->errors[] = $error;
    }

    /** Documented: WC_Settings_API::admin_options() */
    public function admin_options()
    {
        echo '<table class="form-table"></table>';
    }
}

/** Documented: abstract class WC_Payment_Gateway extends WC_Settings_API */
abstract class WC_Payment_Gateway extends WC_Settings_API
{
    public $enabled = 'yes';
    public $title;
    public $description;
    public $method_title = '';
    public $method_description = '';
    public $has_fields;
    public $supports = ['products'];

    /** Documented: WC_Payment_Gateway::init_settings() */
    public function init_settings()
    {
        parent::init_settings();
        $this->enabled = ($this->settings['enabled'] ?? 'no') === 'yes' ? 'yes' : 'no';
    }

    /** Documented: WC_Payment_Gateway::needs_setup(): bool */
    public function needs_setup()
    {
        return false;
    }

    /** Documented: WC_Payment_Gateway::is_available(): bool */
    public function is_available()
    {
        return $this->enabled === 'yes';
    }

    /** Documented: WC_Payment_Gateway::get_return_url( WC_Order|null $order = null ): string */
    public function get_return_url($order = null)
    {
        return $order->get_checkout_order_received_url();
    }

    /** Documented: WC_Payment_Gateway::process_payment( int $order_id ): array */
    public function process_payment($order_id)
    {
        return [];
    }

    /** Documented: WC_Payment_Gateway::process_refund( int $order_id, float|null $amount = null, string $reason = '' ): bool|WP_Error */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return false;
    }

    /** Documented: WC_Payment_Gateway::can_refund_order( WC_Order $order ): bool */
    public function can_refund_order($order)
    {
        return true;
    }
}

/** Documented: WC_Logger implements WC_Logger_Interface */
class WC_Logger
{
    /** Documented: WC_Logger::log( string $level, string $message, array $context = array() ) */
    public function log($level, $message, $context = [])
    {
        Shop::$log[] = [$level, $message, $context];
    }
}

/** Documented: wc_get_logger(): WC_Logger_Interface */
function wc_get_logger(): WC_Logger
{
    return new WC_Logger();
}

/** Documented: wc_add_notice( string $message, string $notice_type = 'success', array $data = array() ) */
function wc_add_notice(string $message, string $notice_type = 'success', array $data = []): void
{
    Shop::$notices[] = [$message, $notice_type];
}

/** Documented: wc_get_page_screen_id( string $for ): string */
function wc_get_page_screen_id(string $for): string
{
    return Shop::$hasOrderTables ? 'woocommerce_page_wc-orders' : 'shop_order';
}
