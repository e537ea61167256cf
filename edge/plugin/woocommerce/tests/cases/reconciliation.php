<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

test('reconciliation: an hourly job is put on the schedule once, with the first invoice or in the admin', function (): void {
    $world = new World();
    $world->started();
    $world->pay();
    Check::same([[Shop::START + 3600, 3600, 'svc_gateway_reconcile', 'svc-gateway']], Shop::$actions);
    Shop::$actions = [];
    do_action('action_scheduler_init');
    Check::same([], Shop::$actions);
    Shop::$isAdmin = true;
    do_action('action_scheduler_init');
    do_action('action_scheduler_init');
    Check::same(1, count(Shop::$actions));
    do_action('deactivate_' . dirname(__DIR__, 2) . '/svc-gateway.php');
    Check::same([], Shop::$actions);
});

test('reconciliation: an order whose webhook never came is brought up to date', function (): void {
    $world = new World();
    $id = $world->started();
    $world->gateway->change($id, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    $world->reconcile();
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('reconciliation: it ends early while the gateway is away, and goes on later', function (): void {
    $world = new World();
    Shop::addOrder(8);
    $first = $world->started();
    $second = $world->started(8);
    $world->gateway->change($first, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    $world->gateway->change($second, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    $before = count($world->gateway->requests());
    $world->gateway->fail(503);
    $world->reconcile();
    Check::same($before + 1, count($world->gateway->requests()));
    Check::same(['pending', 'pending'], [Shop::status(World::ORDER), Shop::status(8)]);
    $world->reconcile();
    Check::same(['processing', 'processing'], [Shop::status(World::ORDER), Shop::status(8)]);
});

test('reconciliation: one order that cannot be read does not keep it from the others', function (): void {
    $world = new World();
    Shop::addOrder(6);
    $world->started(6);
    Shop::$orders[6]['meta']['_svc_invoice_id'] = 'inv_gone';
    Shop::$options['svc_gateway_lock_7'] = Shop::$now . ':other';
    Shop::addOrder(8);
    $id = $world->started(8);
    $world->gateway->change($id, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    $world->reconcile();
    Check::same('processing', Shop::status(8));
});

test('reconciliation: an invoice is watched for 72 hours after its last change, and then no longer', function (): void {
    foreach ([
        ['status' => 'confirmed', 'paidSompi' => World::AMOUNT],
        ['status' => 'expired', 'expired' => true],
        ['status' => 'partial', 'expired' => true, 'paidSompi' => '1'],
        ['status' => 'paidLate', 'expired' => true, 'paidSompi' => '1'],
    ] as $fields) {
        $world = new World();
        $world->happens($world->started(), $fields);
        Check::same('1', Shop::meta(World::ORDER, '_svc_open'), $fields['status']);
        Shop::$now += 900 + 259_200 - 1;
        $world->reconcile();
        Check::same('1', Shop::meta(World::ORDER, '_svc_open'), $fields['status']);
        Shop::$now += 1;
        $world->reconcile();
        Check::same(null, Shop::meta(World::ORDER, '_svc_open'), $fields['status']);
        $reads = count($world->gateway->requests());
        $world->reconcile();
        Check::same($reads, count($world->gateway->requests()), $fields['status']);
        Shop::reset();
    }
});

test('reconciliation: an invoice that waits for its payment or its confirmation is watched without an end', function (): void {
    foreach (['new', 'partial', 'paid'] as $status) {
        $world = new World();
        $world->happens($world->started(), ['status' => $status]);
        Shop::$now += 10_000_000;
        $world->reconcile();
        Check::same('1', Shop::meta(World::ORDER, '_svc_open'), $status);
        Shop::reset();
    }
});

test('reconciliation: a long list is read in pages, each soon after the one before', function (): void {
    $world = new World();
    Shop::$orders = [];
    for ($order = 1; $order <= 101; $order += 1) {
        Shop::addOrder($order, ['meta' => ['_svc_open' => '1']]);
    }
    $world->reconcile();
    Check::same(2, Shop::$options['svc_gateway_reconcile_page']);
    Check::same([[Shop::$now + 120, null, 'svc_gateway_reconcile', 'svc-gateway']], Shop::$actions);
    $world->reconcile();
    Check::same(1, Shop::$options['svc_gateway_reconcile_page']);
    Check::same(1, count(Shop::$actions));
});
