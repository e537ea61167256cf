<?php
/**
 * Plugin Name:       SVC Gateway for WooCommerce
 * Description:       Takes shielded payments by a merchant gateway: its own, or one that somebody hosts for the shop.
 * Version:           0.1.0
 * Requires at least: 6.5
 * Requires PHP:      8.1
 * Requires Plugins:  woocommerce
 * License:           MIT
 * License URI:       https://spdx.org/licenses/MIT.html
 * Text Domain:       svc-gateway
 * Domain Path:       /languages
 * WC requires at least: 8.2
 *
 * Entry of the plugin: the class loader, and the hooks that WordPress wants from the main file.
 */

declare(strict_types=1);

namespace SvcGateway;

defined('ABSPATH') || exit;

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, __NAMESPACE__ . '\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen(__NAMESPACE__) + 1)) . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});

(new Plugin(__FILE__, static fn (): int => time()))->register();
