<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use WP_Error;

/** A world whose order was paid, with some coins too much. */
function paidWorld(string $overpaid = '0'): World
{
    $world = new World(isAdmin: true);
    $paid = $overpaid === '0' ? World::AMOUNT : '2600000000';
    $status = $overpaid === '0' ? 'confirmed' : 'overpaid';
    $world->happens($world->started(), ['status' => $status, 'paidSompi' => $paid, 'overpaidSompi' => $overpaid]);

    return $world;
}

/** @return array<string, string> */
function actions(): array
{
    return apply_filters('woocommerce_order_actions', [], wc_get_order(World::ORDER));
}

test('refund: a claim is opened over an amount at the rate of the invoice, and its link goes to the customer', function (): void {
    $world = paidWorld();
    Shop::$options['woocommerce_svc_gateway_settings']['rate'] = '9';
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '4.00', 'broken'));
    $request = $world->gateway->requests()[count($world->gateway->requests()) - 1];
    $id = Shop::meta(World::ORDER, '_svc_invoice_id');
    $site = substr(hash('sha256', 'shop.example'), 0, 16);
    Check::same(['POST', "/api/v1/invoices/$id/refunds", "woocommerce-$site-7-refund-1"], [$request['method'], $request['path'], $request['key']]);
    Check::same(['amount' => 'custom', 'amountSompi' => '1000000000', 'reason' => 'broken'], json_decode($request['body'], true));
    $notes = Shop::$orders[World::ORDER]['notes'];
    [$text, $isForCustomer] = $notes[count($notes) - 1];
    Check::same(true, $isForCustomer);
    Check::holds("10 coins are refunded to you. Name the address that they go to: {$world->gateway->url}/claim/ref_1", $text);
});

test('refund: the whole total is the whole amount, and no more than was paid can be claimed', function (): void {
    $world = paidWorld();
    $method = $world->plugin->method();
    Check::same(true, $method->can_refund_order(wc_get_order(World::ORDER)));
    Check::same(true, $method->process_refund(World::ORDER, 10.0));
    Check::same(World::AMOUNT, Shop::meta(World::ORDER, '_svc_refunds')[0]['amount']);
    Check::same(false, $method->can_refund_order(wc_get_order(World::ORDER)));
    foreach (['0.01', '0', '-1', 'x'] as $amount) {
        Check::same(true, $method->process_refund(World::ORDER, $amount) instanceof WP_Error, $amount);
    }
    Check::same(1, count(Shop::meta(World::ORDER, '_svc_refunds')));
});

test('refund: what was paid too much is claimed by an order action, once', function (): void {
    $world = paidWorld('100000000');
    Check::same(['svc_gateway_sync', 'svc_gateway_refund_excess', 'svc_gateway_refund_rest'], array_keys(actions()));
    do_action('woocommerce_order_action_svc_gateway_refund_excess', wc_get_order(World::ORDER));
    $request = $world->gateway->requests()[count($world->gateway->requests()) - 1];
    Check::same(['amount' => 'overpaid', 'reason' => 'Paid too much'], json_decode($request['body'], true));
    Check::same('100000000', Shop::meta(World::ORDER, '_svc_refunds')[0]['amount']);
    Check::same(['svc_gateway_sync', 'svc_gateway_refund_rest'], array_keys(actions()));
    do_action('woocommerce_order_action_svc_gateway_refund_excess', wc_get_order(World::ORDER));
    Check::same(1, count(Shop::meta(World::ORDER, '_svc_refunds')));
    do_action('woocommerce_order_action_svc_gateway_refund_rest', wc_get_order(World::ORDER));
    Check::same(World::AMOUNT, Shop::meta(World::ORDER, '_svc_refunds')[1]['amount']);
    Check::same(['svc_gateway_sync'], array_keys(actions()));
});

test('refund: a claim whose answer was lost is not opened twice', function (): void {
    $world = paidWorld();
    $world->gateway->fail(500, done: true);
    $result = $world->plugin->method()->process_refund(World::ORDER, '4.00', 'broken');
    Check::same(true, $result instanceof WP_Error);
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '4.00', 'broken'));
    Check::same('ref_1', Shop::meta(World::ORDER, '_svc_refunds')[0]['id']);
});

test('refund: after a lost answer another amount can be claimed', function (): void {
    $world = paidWorld();
    $world->gateway->fail(500, done: true);
    $world->plugin->method()->process_refund(World::ORDER, '4.00', 'broken');
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '2.00', 'broken'));
    Check::same('500000000', Shop::meta(World::ORDER, '_svc_refunds')[0]['amount']);
});

test('refund: a gateway that is away or a foreign link opens no claim', function (): void {
    $world = paidWorld();
    $world->gateway->fail(502);
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '1.00') instanceof WP_Error);
    $world->gateway->fail(201, body: '{"id":"ref_9","amountSompi":"1","claimUrl":"https://evil.example/claim"}');
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '1.00') instanceof WP_Error);
    $world->gateway->fail(201, body: '{"id":"ref_9"}');
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '1.00') instanceof WP_Error);
    Check::same(null, Shop::meta(World::ORDER, '_svc_refunds'));
});

test('refund: a reason may be long and in any script, and an order without a payment has nothing to refund', function (): void {
    $world = paidWorld();
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '1.00', str_repeat('ü', 300)));
    $request = $world->gateway->requests()[count($world->gateway->requests()) - 1];
    Check::same(str_repeat('ü', 200), json_decode($request['body'], true)['reason']);
    Check::same(true, $world->plugin->method()->process_refund(World::ORDER, '1.00', " two\r\nlines "));
    $request = $world->gateway->requests()[count($world->gateway->requests()) - 1];
    Check::same('two lines', json_decode($request['body'], true)['reason']);
    Shop::addOrder(8);
    Check::same(false, $world->plugin->method()->can_refund_order(wc_get_order(8)));
    Check::same(true, $world->plugin->method()->process_refund(8, '1.00') instanceof WP_Error);
    Check::same(true, $world->plugin->method()->process_refund(99, '1.00') instanceof WP_Error);
});
