<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

/** The address of the gateway, and what of a URL the plugin trusts: https, or http to this machine, and one origin. */
final class GatewayUrl
{
    private const MAX_LENGTH = 2048;

    private const DEFAULT_PORTS = ['https' => 443, 'http' => 80];

    private function __construct(private readonly string $base, private readonly string $origin)
    {
    }

    /** Reads the setting; null where it is no such URL, or where it has a query, a fragment or a user in it. */
    public static function parse(string $text): ?self
    {
        $origin = self::originOf($text);
        if ($origin === null || str_contains($text, '?') || str_contains($text, '#')) {
            return null;
        }

        return new self(rtrim($text, '/'), $origin);
    }

    /** The URL of a call, by a path that begins with a slash. */
    public function of(string $path): string
    {
        return $this->base . $path;
    }

    /** Whether a page that the gateway names is its own, so that a customer may be sent there. */
    public function owns(string $url): bool
    {
        return self::originOf($url) === $this->origin;
    }

    /** Scheme, host and port; null where browsers and this program might disagree about them. */
    private static function originOf(string $url): ?string
    {
        if (strlen($url) > self::MAX_LENGTH || preg_match('/^[\x21-\x7e]+$/D', $url) !== 1 || str_contains($url, '\\')) {
            return null;
        }
        if (preg_match('#^(https?)://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(?=[/?\#]|$)#i', $url, $parts) !== 1) {
            return null;
        }
        $scheme = strtolower($parts[1]);
        $host = strtolower($parts[2]);
        $port = (int) ($parts[3] ?? self::DEFAULT_PORTS[$scheme]);
        if ($port < 1 || $port > 65_535 || ($scheme === 'http' && !self::isLoopback($host))) {
            return null;
        }

        return "$scheme://$host:$port";
    }

    private static function isLoopback(string $host): bool
    {
        return in_array($host, ['localhost', '[::1]'], true)
            || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false);
    }
}
