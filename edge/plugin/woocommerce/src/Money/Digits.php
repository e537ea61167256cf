<?php

declare(strict_types=1);

namespace SvcGateway\Money;

/** Arithmetic on whole numbers that are not negative and written in decimal digits. Every integer in it is below 2^31. */
final class Digits
{
    /** Without leading zeros; `0` for none. */
    public static function trimmed(string $digits): string
    {
        $trimmed = ltrim($digits, '0');

        return $trimmed === '' ? '0' : $trimmed;
    }

    /** -1, 0 or 1, as `<=>` would say. */
    public static function compare(string $one, string $other): int
    {
        $one = self::trimmed($one);
        $other = self::trimmed($other);

        return strlen($one) <=> strlen($other) ?: strcmp($one, $other) <=> 0;
    }

    public static function sum(string $one, string $other): string
    {
        $length = max(strlen($one), strlen($other)) + 1;
        $one = str_pad($one, $length, '0', STR_PAD_LEFT);
        $other = str_pad($other, $length, '0', STR_PAD_LEFT);
        $sum = '';
        $carry = 0;
        for ($at = $length - 1; $at >= 0; $at -= 1) {
            $digit = (int) $one[$at] + (int) $other[$at] + $carry;
            $carry = intdiv($digit, 10);
            $sum = $digit % 10 . $sum;
        }

        return self::trimmed($sum);
    }

    /** The difference, and `0` where the second number is the larger one. */
    public static function difference(string $one, string $other): string
    {
        if (self::compare($one, $other) <= 0) {
            return '0';
        }
        $other = str_pad(self::trimmed($other), strlen($one), '0', STR_PAD_LEFT);
        $difference = '';
        $borrow = 0;
        for ($at = strlen($one) - 1; $at >= 0; $at -= 1) {
            $digit = (int) $one[$at] - (int) $other[$at] - $borrow;
            $borrow = $digit < 0 ? 1 : 0;
            $difference = $digit + 10 * $borrow . $difference;
        }

        return self::trimmed($difference);
    }

    public static function product(string $one, string $other): string
    {
        $digits = array_fill(0, strlen($one) + strlen($other), 0);
        for ($at = strlen($one) - 1; $at >= 0; $at -= 1) {
            $carry = 0;
            for ($to = strlen($other) - 1; $to >= 0; $to -= 1) {
                $digit = (int) $one[$at] * (int) $other[$to] + $digits[$at + $to + 1] + $carry;
                $digits[$at + $to + 1] = $digit % 10;
                $carry = intdiv($digit, 10);
            }
            $digits[$at] = $carry;
        }

        return self::trimmed(implode('', $digits));
    }
}
