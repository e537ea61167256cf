<?php

declare(strict_types=1);

namespace SvcGateway\Money;

use WC_Order;

/** Amounts of the coin in sompi, as decimal texts; 10^8 of them are one coin. */
final class Sompi
{
    /** Power of ten between a coin and a sompi. */
    private const COIN_POWER = 8;

    /** The largest amount of an invoice, 2^63 - 1. */
    public const MOST = '9223372036854775807';

    /** Whether a text is an amount as the gateway writes it: no sign, no leading zeros, at most 2^64 - 1. */
    public static function isText(mixed $text): bool
    {
        return is_string($text)
            && preg_match('/^(0|[1-9]\d{0,19})$/D', $text) === 1
            && Digits::compare($text, '18446744073709551615') <= 0;
    }

    /**
     * What a price comes to: ceil(price × rate × 10^8), at least 1.
     *
     * @param string $price Decimal text in the shop's currency.
     * @param string $rate  Decimal text, coins for one unit of that currency.
     *
     * @return string|null Null where one of them is no decimal, or the amount is beyond 2^63 - 1.
     */
    public static function ofPrice(string $price, string $rate): ?string
    {
        $price = Decimal::parse($price);
        $rate = Decimal::parse($rate);
        if ($price === null || $rate === null || !$rate->isPositive()) {
            return null;
        }
        $sompi = $price->times($rate)->ceilTimesTenTo(self::COIN_POWER);
        if (Digits::compare($sompi, self::MOST) > 0) {
            return null;
        }

        return $sompi === '0' ? '1' : $sompi;
    }

    /** In whole coins with the decimals that it needs: `0.1` for 10000000. */
    public static function inCoins(string $sompi): string
    {
        $padded = str_pad($sompi, self::COIN_POWER + 1, '0', STR_PAD_LEFT);
        $fraction = rtrim(substr($padded, -self::COIN_POWER), '0');

        return substr($padded, 0, -self::COIN_POWER) . ($fraction === '' ? '' : ".$fraction");
    }

    /** The total of an order as a decimal text. */
    public static function totalOf(WC_Order $order): string
    {
        return self::priceText($order->get_total());
    }

    /**
     * A price of WooCommerce as a decimal text. It is a text already, but some extensions hand out floats: those are written with
     * the shop's decimals, and nothing is calculated with them.
     */
    public static function priceText(mixed $price): string
    {
        return is_float($price) ? number_format($price, wc_get_price_decimals(), '.', '') : (string) $price;
    }
}
