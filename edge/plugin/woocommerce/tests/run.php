<?php

/**
 * The plugin's tests: `php tests/run.php [--list | --json] [WORD]`, with a word those whose names hold it. They need nothing but PHP:
 * WordPress and WooCommerce are stubs, the gateway is a double behind a real socket of this machine.
 *
 * The last line is `N passed, N failed`. `--list` prints the names, `--json` a line of JSON for each test.
 */

declare(strict_types=1);

namespace SvcGateway\Tests;

error_reporting(E_ALL);
ini_set('display_errors', 'stderr');
set_error_handler(static function (int $level, string $text, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new \ErrorException($text, 0, $level, $file, $line);
});

define('ABSPATH', __DIR__ . '/');
foreach (['Shop', 'Ended', 'GatewayDouble', 'World', 'Check', 'Tests'] as $class) {
    require __DIR__ . "/$class.php";
}
foreach (glob(__DIR__ . '/stubs/*.php') ?: [] as $stub) {
    require $stub;
}
Shop::reset();
require dirname(__DIR__) . '/svc-gateway.php';
foreach (glob(__DIR__ . '/cases/*.php') ?: [] as $case) {
    require $case;
}

exit(Tests::main(array_slice($argv, 1)));
