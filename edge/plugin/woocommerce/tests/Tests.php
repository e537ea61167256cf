<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use Throwable;

/** The list of tests, and the program that runs them. */
final class Tests
{
    /** Callers of a failed check that are shown. */
    private const FRAMES = 4;

    /** @var array<string, callable(): void> */
    private static array $all = [];

    /** @param callable(): void $body Throws where something is not as it should be. */
    public static function add(string $name, callable $body): void
    {
        if (isset(self::$all[$name])) {
            throw new \LogicException("two tests are called $name");
        }
        self::$all[$name] = $body;
    }

    /**
     * @param list<string> $arguments
     *
     * @return int Exit status.
     */
    public static function main(array $arguments): int
    {
        $words = array_filter($arguments, static fn (string $one): bool => !str_starts_with($one, '--'));
        $chosen = array_filter(
            self::$all,
            static fn (string $name): bool => $words === [] || str_contains($name, implode(' ', $words)),
            ARRAY_FILTER_USE_KEY,
        );
        if (in_array('--list', $arguments, true)) {
            echo json_encode(array_keys($chosen), JSON_UNESCAPED_UNICODE), "\n";

            return 0;
        }

        return self::run($chosen, in_array('--json', $arguments, true));
    }

    /** @param array<string, callable(): void> $tests */
    private static function run(array $tests, bool $asJson): int
    {
        $failed = 0;
        foreach ($tests as $name => $body) {
            $error = self::errorOf($body);
            $failed += $error === null ? 0 : 1;
            if ($asJson) {
                echo json_encode(['name' => $name, 'error' => $error], JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
            } else {
                echo $error === null ? "ok     $name\n" : "FAILED $name\n$error\n";
            }
        }
        echo count($tests) - $failed, " passed, $failed failed\n";

        return $failed === 0 && $tests !== [] ? 0 : 1;
    }

    private static function errorOf(callable $body): ?string
    {
        try {
            Shop::reset();
            $body();
        } catch (Throwable $error) {
            $frames = array_slice(explode("\n", $error->getTraceAsString()), 0, self::FRAMES);

            return $error::class . ": {$error->getMessage()}\n{$error->getFile()}:{$error->getLine()}\n" . implode("\n", $frames);
        }

        return null;
    }
}

/**
 * Adds a test.
 *
 * @param callable(): void $body
 */
function test(string $name, callable $body): void
{
    Tests::add($name, $body);
}
