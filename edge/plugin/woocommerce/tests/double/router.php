<?php

/**
 * Double of the gateway, a script of PHP's own server: the calls of the API that the plugin makes, and below `/control` what a test
 * tells it. Its state is a file, since each request is a run of its own.
 */

declare(strict_types=1);

require __DIR__ . '/DoubleState.php';
require __DIR__ . '/DoubleApi.php';

use SvcGateway\Tests\Double\DoubleApi;
use SvcGateway\Tests\Double\DoubleState;

(static function (): void {
    $state = new DoubleState((string) getenv('SVC_DOUBLE_STATE'));
    $path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    $body = (string) file_get_contents('php://input');
    if (str_starts_with($path, '/control/')) {
        header('Content-Type: application/json');
        echo json_encode($state->control(substr($path, strlen('/control/')), json_decode($body, true)));

        return;
    }
    [$status, $json, $headers] = (new DoubleApi($state))->answer($_SERVER['REQUEST_METHOD'], $path, $body);
    http_response_code($status);
    foreach (['Content-Type: application/json', ...$headers] as $line) {
        header($line);
    }
    echo is_string($json) ? $json : json_encode($json);
})();
