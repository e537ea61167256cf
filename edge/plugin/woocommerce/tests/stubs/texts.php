<?php

/** Stubs of WordPress' translations and escapes. Each names the signature that WordPress documents. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: load_plugin_textdomain( string $domain, string|false $deprecated = false, string|false $plugin_rel_path = false ): bool */
function load_plugin_textdomain(string $domain, string|false $deprecated = false, string|false $plugin_rel_path = false): bool
{
    Shop::$options["stub_textdomain_$domain"] = $plugin_rel_path;

    return true;
}

/** Documented: __( string $text, string $domain = 'default' ): string */
function __(string $text, string $domain = 'default'): string
{
    static $messages = [];
    $file = dirname(__DIR__, 2) . "/languages/$domain-" . Shop::$locale . '.l10n.php';
    $messages[$file] ??= is_file($file) ? (include $file)['messages'] : [];

    return $messages[$file][$text] ?? $text;
}

/** Documented: get_locale(): string */
function get_locale(): string
{
    return Shop::$locale;
}

/** Documented: esc_html( string $text ): string */
function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

/** Documented: esc_url( string $url, string[]|null $protocols = null, string $_context = 'display' ): string */
function esc_url(string $url, ?array $protocols = null, string $_context = 'display'): string
{
    return preg_match('#^(https?:|/)#i', $url) === 1 ? str_replace(['&', "'", '"', '<', '>'], ['&#038;', '&#039;', '', '', ''], $url) : '';
}

/** Documented: sanitize_text_field( string $str ): string */
function sanitize_text_field(string $str): string
{
    return trim(strip_tags($str));
}

/** Documented: wp_unslash( string|array $value ): string|array */
function wp_unslash(string|array $value): string|array
{
    return is_array($value) ? array_map('wp_unslash', $value) : stripslashes($value);
}

/** Documented: wp_json_encode( mixed $value, int $flags = 0, int $depth = 512 ): string|false */
function wp_json_encode(mixed $value, int $flags = 0, int $depth = 512): string|false
{
    return json_encode($value, $flags, $depth);
}
