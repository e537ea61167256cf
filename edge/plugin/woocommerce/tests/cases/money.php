<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Money\Decimal;
use SvcGateway\Money\Digits;
use SvcGateway\Money\Sompi;

test('an amount is ceil(price × rate × 10^8), exactly, and at least one sompi', function (): void {
    foreach ([
        ['10.00', '2.5', '2500000000'],
        ['0.10', '1', '10000000'],
        ['19.99', '0.123456789', '246790122'],
        ['0.01', '0.0000001', '1'],
        ['0.01', '0.000000000001', '1'],
        ['0.00', '1', '1'],
        ['1', '0.333333333', '33333334'],
        ['3', '0.33333333', '99999999'],
        // A float would say 0.1 + 0.2 and 1.1 × 1.1 in other ways.
        ['1.1', '1.1', '121000000'],
        ['1.15', '100', '11500000000'],
    ] as [$price, $rate, $expected]) {
        Check::same($expected, Sompi::ofPrice($price, $rate), "$price × $rate");
    }
});

test('an amount may be beyond 2^31, 2^32 and 2^53, and ends at 2^63 - 1', function (): void {
    Check::same('2147483648', Sompi::ofPrice('21.47483648', '1'));
    Check::same('4294967297', Sompi::ofPrice('42.94967297', '1'));
    Check::same('9007199254740993', Sompi::ofPrice('90071992.54740993', '1'));
    Check::same('9223372036854775807', Sompi::ofPrice('92233720368.54775807', '1'));
    Check::same(null, Sompi::ofPrice('92233720368.54775808', '1'));
    Check::same(null, Sompi::ofPrice('99999999999999999999', '99999999999999999999'));
});

test('what is no decimal gives no amount', function (): void {
    foreach (['', '-1', '+1', '1e3', '1,5', ' 1', '1 ', "1\n", '.5', '1.', '0x1', 'NaN', '١', str_repeat('9', 21), '1.' . str_repeat('1', 21)] as $text) {
        Check::same(null, Decimal::parse($text), "decimal $text");
        Check::same(null, Sompi::ofPrice($text, '1'), "price $text");
        Check::same(null, Sompi::ofPrice('1', $text), "rate $text");
    }
    Check::same(null, Sompi::ofPrice('1', '0.000'));
});

test('sums, differences and products of digits are those of the machine where it has enough bits', function (): void {
    mt_srand(20);
    for ($case = 0; $case < 2_000; $case += 1) {
        $one = mt_rand(0, 1) === 0 ? mt_rand(0, 20) : mt_rand();
        $other = mt_rand(0, 1) === 0 ? mt_rand(0, 20) : mt_rand();
        Check::same((string) ($one + $other), Digits::sum((string) $one, (string) $other), "$one + $other");
        Check::same((string) max(0, $one - $other), Digits::difference((string) $one, (string) $other), "$one - $other");
        Check::same((string) ($one * $other), Digits::product((string) $one, (string) $other), "$one × $other");
        Check::same($one <=> $other, Digits::compare((string) $one, (string) $other), "$one <=> $other");
    }
});

test('an amount is shown in coins without needless zeros', function (): void {
    foreach (['10000000' => '0.1', '100000000' => '1', '1' => '0.00000001', '0' => '0', '2500000000' => '25'] as $sompi => $coins) {
        Check::same($coins, Sompi::inCoins((string) $sompi));
    }
});

test('an amount of the gateway has no sign, no leading zeros and 64 bits', function (): void {
    foreach (['0', '1', '18446744073709551615'] as $text) {
        Check::same(true, Sompi::isText($text), $text);
    }
    foreach (['', '01', '-1', '+1', '1.0', '18446744073709551616', '99999999999999999999', 1, null, ['1']] as $value) {
        Check::same(false, Sompi::isText($value), (string) json_encode($value));
    }
});

test('the total of an order that an extension made a float is read with the decimals of the shop', function (): void {
    Check::same('0.30', Sompi::priceText(0.1 + 0.2));
    Check::same('10.00', Sompi::priceText('10.00'));
});
