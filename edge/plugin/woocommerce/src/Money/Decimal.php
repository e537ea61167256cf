<?php

declare(strict_types=1);

namespace SvcGateway\Money;

/** A decimal number that is not negative, exact: digits and a scale, and never a float. */
final class Decimal
{
    /** Digits before and after the point, each: more than any price or rate has. */
    public const MAX_DIGITS = 20;

    /** @param string $digits The number times 10^scale, without leading zeros. */
    private function __construct(private readonly string $digits, private readonly int $scale)
    {
    }

    /** Reads `12`, `0.5`; null for anything else, also for a sign, an exponent or a comma. */
    public static function parse(string $text): ?self
    {
        $most = self::MAX_DIGITS;
        if (preg_match("/^(\\d{1,{$most}})(?:\\.(\\d{1,{$most}}))?\$/D", $text, $parts) !== 1) {
            return null;
        }
        $fraction = $parts[2] ?? '';

        return new self(Digits::trimmed($parts[1] . $fraction), strlen($fraction));
    }

    public function isPositive(): bool
    {
        return $this->digits !== '0';
    }

    public function times(self $other): self
    {
        return new self(Digits::product($this->digits, $other->digits), $this->scale + $other->scale);
    }

    /** The smallest whole number that is not below this one times 10^power. */
    public function ceilTimesTenTo(int $power): string
    {
        if ($this->scale <= $power) {
            return Digits::trimmed($this->digits . str_repeat('0', $power - $this->scale));
        }
        $cut = $this->scale - $power;
        $padded = str_pad($this->digits, $cut + 1, '0', STR_PAD_LEFT);
        $whole = substr($padded, 0, -$cut);
        $rest = substr($padded, -$cut);

        return trim($rest, '0') === '' ? Digits::trimmed($whole) : Digits::sum($whole, '1');
    }
}
