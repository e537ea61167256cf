<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use SvcGateway\Settings;

/** The fields of the settings page, in the form that WooCommerce wants. */
final class SettingsForm
{
    /** @return array<string, array<string, mixed>> */
    public static function fields(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'svc-gateway'),
                'type' => 'checkbox',
                'label' => __('Offer this method at the checkout', 'svc-gateway'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'svc-gateway'),
                'type' => 'text',
                'description' => __('What customers read at the checkout.', 'svc-gateway'),
                'default' => __('Shielded payment', 'svc-gateway'),
            ],
            'description' => [
                'title' => __('Description', 'svc-gateway'),
                'type' => 'textarea',
                'default' => __('You pay on the next page, from any wallet of the network.', 'svc-gateway'),
            ],
            ...self::gatewayFields(),
            ...self::paymentFields(),
            'debug' => [
                'title' => __('Debug log', 'svc-gateway'),
                'type' => 'checkbox',
                'label' => __('Write what happens into the log of WooCommerce, without secrets', 'svc-gateway'),
                'default' => 'no',
            ],
        ];
    }

    /** @return array<string, array<string, mixed>> */
    private static function gatewayFields(): array
    {
        return [
            'gateway_url' => [
                'title' => __('Gateway URL', 'svc-gateway'),
                'type' => 'text',
                'description' => __('Public address of the gateway. Its payment pages have to be at the same address.', 'svc-gateway'),
                'placeholder' => 'https://pay.example.com',
                'default' => '',
            ],
            'api_key' => [
                'title' => __('API key', 'svc-gateway'),
                'type' => 'password',
                'default' => '',
            ],
            'webhook_secret' => [
                'title' => __('Webhook secret', 'svc-gateway'),
                'type' => 'password',
                'description' => sprintf(
                    /* translators: %s: URL */
                    __('The secret that the gateway signs with. Let it send its webhooks to %s', 'svc-gateway'),
                    rest_url('svc/v1/webhook'),
                ),
                'default' => '',
            ],
        ];
    }

    /** @return array<string, array<string, mixed>> */
    private static function paymentFields(): array
    {
        return [
            'rate' => [
                'title' => __('Conversion rate', 'svc-gateway'),
                'type' => 'text',
                'description' => __('Coins for one unit of the currency of the shop, such as 12.5', 'svc-gateway'),
                'default' => '',
            ],
            'blue_score' => [
                'title' => __('Required blue score', 'svc-gateway'),
                'type' => 'text',
                'description' => __('How deep in the chain a payment has to be before it is confirmed, from 1 to 10000.', 'svc-gateway'),
                'default' => Settings::DEFAULT_BLUE_SCORE,
            ],
            'language' => [
                'title' => __('Language of the payment page', 'svc-gateway'),
                'type' => 'select',
                'options' => [
                    'browser' => __('That of the customer’s browser', 'svc-gateway'),
                    'shop' => __('That of the shop', 'svc-gateway'),
                    'en' => 'English',
                    'de' => 'Deutsch',
                    'es' => 'Español',
                ],
                'default' => 'browser',
            ],
            'late_payments' => [
                'title' => __('Late payments', 'svc-gateway'),
                'type' => 'select',
                'description' => __('What is done when a payment comes after the invoice has expired.', 'svc-gateway'),
                'options' => [
                    'hold' => __('Put the order on hold and ask me', 'svc-gateway'),
                    'accept' => __('Take it as if it had come in time', 'svc-gateway'),
                ],
                'default' => 'hold',
            ],
        ];
    }
}
