<?php

/** Stubs of WordPress' HTTP client and REST server. The client makes real requests. Each names the documented signature. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/**
 * Documented: wp_remote_request( string $url, array $args = array() ): array|WP_Error, with `method`, `timeout`, `redirection`,
 * `headers`, `body`, `limit_response_size` among the arguments (WP_Http::request).
 */
function wp_remote_request(string $url, array $args = []): array|WP_Error
{
    $lines = [];
    foreach ($args['headers'] ?? [] as $name => $value) {
        $lines[] = "$name: $value";
    }
    $context = stream_context_create(['http' => [
        'method' => $args['method'] ?? 'GET',
        'header' => $lines,
        'content' => $args['body'] ?? '',
        'timeout' => $args['timeout'] ?? 5,
        'follow_location' => ($args['redirection'] ?? 5) > 0 ? 1 : 0,
        'ignore_errors' => true,
    ]]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        return new WP_Error('http_request_failed', 'Could not connect');
    }
    $body = (string) stream_get_contents($stream, $args['limit_response_size'] ?? null);
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    fclose($stream);
    $headers = [];
    foreach (array_slice($lines, 1) as $line) {
        [$name, $value] = explode(':', $line, 2) + ['', ''];
        $headers[strtolower($name)] = trim($value);
    }

    return ['code' => (int) explode(' ', $lines[0])[1], 'headers' => $headers, 'body' => $body];
}

/** Documented: is_wp_error( mixed $thing ): bool */
function is_wp_error(mixed $thing): bool
{
    return $thing instanceof WP_Error;
}

/** Documented: wp_remote_retrieve_response_code( array|WP_Error $response ): int|string */
function wp_remote_retrieve_response_code(array|WP_Error $response): int|string
{
    return is_array($response) ? $response['code'] : '';
}

/** Documented: wp_remote_retrieve_body( array|WP_Error $response ): string */
function wp_remote_retrieve_body(array|WP_Error $response): string
{
    return is_array($response) ? $response['body'] : '';
}

/** Documented: wp_remote_retrieve_header( array|WP_Error $response, string $header ): array|string */
function wp_remote_retrieve_header(array|WP_Error $response, string $header): array|string
{
    return is_array($response) ? $response['headers'][strtolower($header)] ?? '' : '';
}

/** Documented: rest_url( string $path = '', string $scheme = 'rest' ): string */
function rest_url(string $path = '', string $scheme = 'rest'): string
{
    return Shop::$url . "/wp-json/$path";
}

/** Documented: register_rest_route( string $route_namespace, string $route, array $args = array(), bool $override = false ): bool */
function register_rest_route(string $route_namespace, string $route, array $args = [], bool $override = false): bool
{
    Shop::$routes["/$route_namespace$route"] = $args;

    return true;
}

/** Documented: WP_Error::__construct( string|int $code = '', string $message = '', mixed $data = '' ) */
class WP_Error
{
    public function __construct(private readonly string|int $code = '', private readonly string $message = '', mixed $data = '')
    {
    }

    /** Documented: WP_Error::get_error_message( string|int $code = '' ): string */
    public function get_error_message(string|int $code = ''): string
    {
        return $this->message;
    }
}

/** Documented: WP_REST_Request::__construct( string $method = '', string $route = '', array $attributes = array() ) */
class WP_REST_Request
{
    /** @var array<string, string> */
    private array $headers = [];

    private string $body = '';

    public function __construct(string $method = '', string $route = '', array $attributes = [])
    {
    }

    /** Documented: WP_REST_Request::set_header( string $key, string $value ); names are made lower case with underscores. */
    public function set_header(string $key, string $value): void
    {
        $this->headers[strtolower(str_replace('-', '_', $key))] = $value;
    }

    /** Documented: WP_REST_Request::get_header( string $key ): string|null */
    public function get_header(string $key): ?string
    {
        return $this->headers[strtolower(str_replace('-', '_', $key))] ?? null;
    }

    /** Documented: WP_REST_Request::set_body( string $data ) */
    public function set_body(string $data): void
    {
        $this->body = $data;
    }

    /** Documented: WP_REST_Request::get_body(): string */
    public function get_body(): string
    {
        return $this->body;
    }
}

/** Documented: WP_REST_Response extends WP_HTTP_Response, whose constructor is ( mixed $data = null, int $status = 200, array $headers = array() ) */
class WP_REST_Response
{
    public function __construct(private readonly mixed $data = null, private readonly int $status = 200, private array $headers = [])
    {
    }

    /** Documented: WP_HTTP_Response::header( string $key, string $value, bool $replace = true ) */
    public function header(string $key, string $value, bool $replace = true): void
    {
        $this->headers[$key] = $value;
    }

    /** Documented: WP_HTTP_Response::get_headers(): array */
    public function get_headers(): array
    {
        return $this->headers;
    }

    /** Documented: WP_HTTP_Response::get_status(): int */
    public function get_status(): int
    {
        return $this->status;
    }

    /** Documented: WP_HTTP_Response::get_data(): mixed */
    public function get_data(): mixed
    {
        return $this->data;
    }
}
