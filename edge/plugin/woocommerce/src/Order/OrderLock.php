<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use Closure;

/**
 * One process at a time for one order: a row of the options table, inserted, taken over and removed by single statements, so that it
 * holds between web servers too.
 */
final class OrderLock
{
    public const PREFIX = 'svc_gateway_lock_';

    /** Seconds after which its holder is taken for dead: longer than all calls that one of them makes. */
    private const STALE_S = 180;

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly Closure $now)
    {
    }

    /**
     * Runs a function alone for an order.
     *
     * @template T
     *
     * @param callable(): T $run
     *
     * @return T
     *
     * @throws OrderBusy Where another process has the order.
     */
    public function with(int $order, callable $run): mixed
    {
        $name = self::PREFIX . $order;
        $token = ($this->now)() . ':' . bin2hex(random_bytes(8));
        if (!$this->insert($name, $token) && !$this->takeOver($name, $token)) {
            throw new OrderBusy("order $order is being worked on");
        }
        try {
            return $run();
        } finally {
            $this->remove($name, $token);
        }
    }

    private function insert(string $name, string $token): bool
    {
        global $wpdb;

        return (int) $wpdb->query($wpdb->prepare(
            "INSERT IGNORE INTO `{$wpdb->options}` (`option_name`, `option_value`, `autoload`) VALUES (%s, %s, 'no')",
            $name,
            $token,
        )) === 1;
    }

    private function takeOver(string $name, string $token): bool
    {
        global $wpdb;
        $held = (string) $wpdb->get_var($wpdb->prepare(
            "SELECT `option_value` FROM `{$wpdb->options}` WHERE `option_name` = %s",
            $name,
        ));
        if ((int) $held > ($this->now)() - self::STALE_S) {
            return false;
        }

        return (int) $wpdb->query($wpdb->prepare(
            "UPDATE `{$wpdb->options}` SET `option_value` = %s WHERE `option_name` = %s AND `option_value` = %s",
            $token,
            $name,
            $held,
        )) === 1;
    }

    private function remove(string $name, string $token): void
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare(
            "DELETE FROM `{$wpdb->options}` WHERE `option_name` = %s AND `option_value` = %s",
            $name,
            $token,
        ));
    }
}
