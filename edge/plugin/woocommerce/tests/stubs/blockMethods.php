<?php

/** Stub of the base of payment methods in the checkout block. It names the documented signatures. */

declare(strict_types=1);

namespace Automattic\WooCommerce\Blocks\Payments\Integrations;

/** Documented: abstract class AbstractPaymentMethodType, with name and settings (protected) */
abstract class AbstractPaymentMethodType
{
    protected $name = '';
    protected $settings = [];

    /** Documented: IntegrationInterface::initialize() */
    abstract public function initialize();

    /** Documented: AbstractPaymentMethodType::get_name(): string */
    public function get_name()
    {
        return $this->name;
    }

    /** Documented: AbstractPaymentMethodType::is_active(): bool */
    public function is_active()
    {
        return true;
    }

    /** Documented: AbstractPaymentMethodType::get_payment_method_script_handles(): string[] */
    public function get_payment_method_script_handles()
    {
        return [];
    }

    /** Documented: AbstractPaymentMethodType::get_supported_features(): string[] */
    public function get_supported_features()
    {
        return ['products'];
    }

    /** Documented: AbstractPaymentMethodType::get_payment_method_data(): array */
    public function get_payment_method_data()
    {
        return [];
    }
}
