<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

use SvcGateway\Money\Sompi;
use SvcGateway\Settings;
use WC_Order;

/** What the plugin asks of the gateway for an order, and the idempotency keys under which it asks. */
final class InvoiceRequest
{
    /** Seconds in which an invoice is to be paid. */
    public const EXPIRES_IN_S = 900;

    /** Hex digits of the hash that tells this shop from others at the same gateway. */
    private const SITE_DIGITS = 16;

    /**
     * The body of the call, as JSON.
     *
     * @return string|null Null where the order's total is no amount at this rate.
     */
    public static function bodyFor(WC_Order $order, Settings $settings, string $returnUrl): ?string
    {
        $amount = Sompi::ofPrice(Sompi::totalOf($order), $settings->rate());
        if ($amount === null) {
            return null;
        }
        $body = [
            'orderId' => (string) $order->get_id(),
            'amountSompi' => $amount,
            'expiresIn' => self::EXPIRES_IN_S,
            'requiredBlueScore' => $settings->requiredBlueScore(),
            'redirectUrl' => $returnUrl,
            'metadata' => [
                'platform' => 'woocommerce',
                'site' => self::site(),
                'currency' => $order->get_currency(),
                'total' => Sompi::totalOf($order),
                'rate' => $settings->rate(),
            ],
        ];
        $language = $settings->checkoutLanguage();
        if ($language !== null) {
            $body['language'] = $language;
        }
        $json = wp_json_encode($body, JSON_UNESCAPED_SLASHES);

        return is_string($json) ? $json : null;
    }

    /** Key of an attempt to pay an order; an attempt that is repeated has the same one. */
    public static function invoiceKey(int $order, int $attempt): string
    {
        return 'woocommerce-' . self::site() . "-$order-$attempt";
    }

    public static function refundKey(int $order, int $number): string
    {
        return 'woocommerce-' . self::site() . "-$order-refund-$number";
    }

    /** Tells this shop from others: of its address, so that a copy of its database is another shop. */
    private static function site(): string
    {
        $address = (string) preg_replace('#^https?://#', '', strtolower(rtrim(site_url(), '/')));

        return substr(hash('sha256', $address), 0, self::SITE_DIGITS);
    }
}
