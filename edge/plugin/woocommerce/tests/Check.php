<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use RuntimeException;
use Throwable;

/** What tests ask for; each throws where it is not so. */
final class Check
{
    public static function same(mixed $expected, mixed $actual, string $what = 'value'): void
    {
        if ($expected !== $actual) {
            throw new RuntimeException("$what: expected " . self::shown($expected) . ', found ' . self::shown($actual));
        }
    }

    public static function holds(string $part, string $whole): void
    {
        if (!str_contains($whole, $part)) {
            throw new RuntimeException("expected “{$part}” in: $whole");
        }
    }

    public static function lacks(string $part, string $whole): void
    {
        if (str_contains($whole, $part)) {
            throw new RuntimeException("expected no “{$part}” in: $whole");
        }
    }

    /**
     * @param class-string<Throwable> $class
     * @param callable(): mixed       $run
     */
    public static function throws(string $class, callable $run): Throwable
    {
        try {
            $run();
        } catch (Throwable $error) {
            return $error instanceof $class ? $error : throw $error;
        }
        throw new RuntimeException("expected $class");
    }

    private static function shown(mixed $value): string
    {
        return (string) json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
