<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;
use SvcGateway\Plugin;
use SvcGateway\Settings;

/** The payment method in the checkout block. Names and signatures are WooCommerce's. */
final class BlockPaymentMethod extends AbstractPaymentMethodType
{
    private const SCRIPT = 'svc-gateway-block-checkout';

    /** @param string $file The plugin's main file. */
    public function __construct(private readonly string $file)
    {
        $this->name = Plugin::METHOD;
    }

    public function initialize(): void
    {
        $settings = get_option(Settings::OPTION, []);
        $this->settings = is_array($settings) ? $settings : [];
    }

    public function is_active(): bool
    {
        return Settings::load()->isEnabled();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        wp_register_script(
            self::SCRIPT,
            plugins_url('assets/blockCheckout.js', $this->file),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'],
            Plugin::VERSION,
            true,
        );

        return [self::SCRIPT];
    }

    /** @return list<string> */
    public function get_supported_features(): array
    {
        return ['products'];
    }

    /**
     * What the script in the browser gets; no setting that is a secret is among it.
     *
     * @return array{title: string, description: string, supports: list<string>}
     */
    public function get_payment_method_data(): array
    {
        $settings = Settings::load();

        return [
            'title' => $settings->title(),
            'description' => $settings->description(),
            'supports' => $this->get_supported_features(),
        ];
    }
}
