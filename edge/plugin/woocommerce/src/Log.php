<?php

declare(strict_types=1);

namespace SvcGateway;

/** WooCommerce's log with the source `svc-gateway`. Neither API key nor webhook secret ever gets into it. */
final class Log
{
    /** What helps to follow a payment; written only while the setting asks for it. */
    public static function debug(string $text): void
    {
        if (Settings::load()->writesDebugLog()) {
            self::write('debug', $text);
        }
    }

    /** What somebody has to look after. */
    public static function warning(string $text): void
    {
        self::write('warning', $text);
    }

    private static function write(string $level, string $text): void
    {
        $settings = Settings::load();
        $secrets = array_filter([$settings->apiKey(), $settings->webhookSecret()], static fn (string $one): bool => $one !== '');
        wc_get_logger()->log($level, str_replace($secrets, '[hidden]', $text), ['source' => 'svc-gateway']);
    }
}
