<?php

/** Stubs of WordPress' hooks, plugins and options. Each names the signature that WordPress documents. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: add_filter( string $hook_name, callable $callback, int $priority = 10, int $accepted_args = 1 ): true */
function add_filter(string $hook_name, callable $callback, int $priority = 10, int $accepted_args = 1): bool
{
    Shop::$hooks[$hook_name][] = [$callback, $priority, $accepted_args];
    usort(Shop::$hooks[$hook_name], static fn (array $one, array $other): int => $one[1] <=> $other[1]);

    return true;
}

/** Documented: add_action( string $hook_name, callable $callback, int $priority = 10, int $accepted_args = 1 ): true */
function add_action(string $hook_name, callable $callback, int $priority = 10, int $accepted_args = 1): bool
{
    return add_filter($hook_name, $callback, $priority, $accepted_args);
}

/** Documented: apply_filters( string $hook_name, mixed $value, mixed ...$args ): mixed */
function apply_filters(string $hook_name, mixed $value, mixed ...$args): mixed
{
    foreach (Shop::$hooks[$hook_name] ?? [] as [$callback, , $count]) {
        $value = $callback(...array_slice([$value, ...$args], 0, $count));
    }

    return $value;
}

/** Documented: do_action( string $hook_name, mixed ...$arg ) */
function do_action(string $hook_name, mixed ...$arg): void
{
    foreach (Shop::$hooks[$hook_name] ?? [] as [$callback, , $count]) {
        $callback(...array_slice($arg, 0, $count));
    }
}

/** Documented: register_deactivation_hook( string $file, callable $callback ) */
function register_deactivation_hook(string $file, callable $callback): void
{
    add_action("deactivate_$file", $callback);
}

/** Documented: plugin_basename( string $file ): string */
function plugin_basename(string $file): string
{
    return basename(dirname($file)) . '/' . basename($file);
}

/** Documented: plugins_url( string $path = '', string $plugin = '' ): string */
function plugins_url(string $path = '', string $plugin = ''): string
{
    return Shop::$url . '/wp-content/plugins/' . dirname(plugin_basename($plugin)) . "/$path";
}

/** Documented: get_option( string $option, mixed $default_value = false ): mixed */
function get_option(string $option, mixed $default_value = false): mixed
{
    return Shop::$options[$option] ?? $default_value;
}

/** Documented: update_option( string $option, mixed $value, bool|null $autoload = null ): bool */
function update_option(string $option, mixed $value, bool|string|null $autoload = null): bool
{
    $old = Shop::$options[$option] ?? false;
    $value = apply_filters("pre_update_option_$option", $value, $old, $option);
    Shop::$options[$option] = $value;

    return $value !== $old;
}

/** Documented: delete_option( string $option ): bool */
function delete_option(string $option): bool
{
    $was = isset(Shop::$options[$option]);
    unset(Shop::$options[$option]);

    return $was;
}

/** Documented: site_url( string $path = '', string|null $scheme = null ): string */
function site_url(string $path = '', ?string $scheme = null): string
{
    return Shop::$url . $path;
}

/** Documented: is_admin(): bool */
function is_admin(): bool
{
    return Shop::$isAdmin;
}

/** Documented: __return_true(): true */
function __return_true(): bool
{
    return true;
}
