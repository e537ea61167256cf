<?php

/** Stubs of Action Scheduler, which comes with WooCommerce. Each names the documented signature. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: as_has_scheduled_action( string $hook, array $args = null, string $group = '' ): bool */
function as_has_scheduled_action(string $hook, ?array $args = null, string $group = ''): bool
{
    return array_filter(Shop::$actions, static fn (array $action): bool => $action[2] === $hook && $action[3] === $group) !== [];
}

/** Documented: as_schedule_recurring_action( int $timestamp, int $interval_in_seconds, string $hook, array $args = array(), string $group = '', bool $unique = false, int $priority = 10 ): int */
function as_schedule_recurring_action(
    int $timestamp,
    int $interval_in_seconds,
    string $hook,
    array $args = [],
    string $group = '',
    bool $unique = false,
    int $priority = 10,
): int {
    Shop::$actions[] = [$timestamp, $interval_in_seconds, $hook, $group];

    return count(Shop::$actions);
}

/** Documented: as_schedule_single_action( int $timestamp, string $hook, array $args = array(), string $group = '', bool $unique = false, int $priority = 10 ): int */
function as_schedule_single_action(
    int $timestamp,
    string $hook,
    array $args = [],
    string $group = '',
    bool $unique = false,
    int $priority = 10,
): int {
    Shop::$actions[] = [$timestamp, null, $hook, $group];

    return count(Shop::$actions);
}

/** Documented: as_unschedule_all_actions( string $hook, array $args = array(), string $group = '' ) */
function as_unschedule_all_actions(string $hook, array $args = [], string $group = ''): void
{
    Shop::$actions = array_values(array_filter(Shop::$actions, static fn (array $action): bool => $action[2] !== $hook));
}
