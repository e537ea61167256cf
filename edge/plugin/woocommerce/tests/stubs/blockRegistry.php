<?php

/** Stub of the registry of payment methods in the checkout block. It names the documented signature. */

declare(strict_types=1);

namespace Automattic\WooCommerce\Blocks\Payments;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Documented: final class PaymentMethodRegistry extends IntegrationRegistry */
class PaymentMethodRegistry
{
    /** @var array<string, AbstractPaymentMethodType> */
    public array $methods = [];

    /** Documented: IntegrationRegistry::register( IntegrationInterface $integration ): bool */
    public function register(AbstractPaymentMethodType $integration): bool
    {
        $this->methods[$integration->get_name()] = $integration;

        return true;
    }
}
