<?php

/** Stubs of what WordPress' admin has. Each names the signature that WordPress documents. */

declare(strict_types=1);

use SvcGateway\Tests\Ended;
use SvcGateway\Tests\Shop;

/** Documented: current_user_can( string $capability, mixed ...$args ): bool */
function current_user_can(string $capability, mixed ...$args): bool
{
    return in_array($capability, Shop::$capabilities, true);
}

/** Documented: admin_url( string $path = '', string $scheme = 'admin' ): string */
function admin_url(string $path = '', string $scheme = 'admin'): string
{
    return Shop::$url . "/wp-admin/$path";
}

/** Documented: wp_nonce_url( string $actionurl, int|string $action = -1, string $name = '_wpnonce' ): string */
function wp_nonce_url(string $actionurl, int|string $action = -1, string $name = '_wpnonce'): string
{
    return htmlspecialchars("$actionurl&$name=nonce-$action");
}

/** Documented: check_admin_referer( int|string $action = -1, string $query_arg = '_wpnonce' ): int|false; ends the request without a right nonce. */
function check_admin_referer(int|string $action = -1, string $query_arg = '_wpnonce'): int|false
{
    return Shop::$hasNonce ? 1 : throw new Ended('nonce');
}

/** Documented: wp_die( string|WP_Error $message = '', string|int $title = '', string|array|int $args = array() ) */
function wp_die(string|WP_Error $message = '', string|int $title = '', string|array|int $args = []): void
{
    throw new Ended('died');
}

/** Documented: wp_safe_redirect( string $location, int $status = 302, string|false $x_redirect_by = 'WordPress' ): bool; callers exit after it. */
function wp_safe_redirect(string $location, int $status = 302, string|false $x_redirect_by = 'WordPress'): bool
{
    throw new Ended('redirected');
}

/** Documented: wp_get_referer(): string|false */
function wp_get_referer(): string|false
{
    return false;
}

/** Documented: add_meta_box( string $id, string $title, callable $callback, string|array|WP_Screen $screen = null, string $context = 'advanced', string $priority = 'default', array $callback_args = null ) */
function add_meta_box(
    string $id,
    string $title,
    callable $callback,
    string|array|null $screen = null,
    string $context = 'advanced',
    string $priority = 'default',
    ?array $callback_args = null,
): void {
    Shop::$boxes[] = [$id, $screen];
}

/** Documented: wp_register_script( string $handle, string|false $src, string[] $deps = array(), string|bool|null $ver = false, array|bool $args = array() ): bool */
function wp_register_script(
    string $handle,
    string|false $src,
    array $deps = [],
    string|bool|null $ver = false,
    array|bool $args = [],
): bool {
    Shop::$scripts[$handle] = ['src' => $src, 'deps' => $deps];

    return true;
}

/** Documented: WP_Post, with `ID` (int) among its properties. */
class WP_Post
{
    public int $ID = 0;
}
