<?php

/**
 * Prints the calls that the plugin makes in the life of an order, and what the gateway double answers, as JSON: `{calls, records}`. With
 * it a test holds both against the gateway's contract.
 */

declare(strict_types=1);

namespace SvcGateway\Tests;

define('ABSPATH', __DIR__ . '/');
foreach (['Shop', 'Ended', 'GatewayDouble', 'World', 'Check'] as $class) {
    require __DIR__ . "/$class.php";
}
foreach (glob(__DIR__ . '/stubs/*.php') ?: [] as $stub) {
    require $stub;
}
Shop::reset();
require dirname(__DIR__) . '/svc-gateway.php';
Shop::reset();

$world = new World(['language' => 'de', 'late_payments' => 'accept'], isAdmin: true);
$id = $world->started();
$records = [['invoice', $world->gateway->invoices()[$id]]];
$event = $world->event($world->gateway->change($id, [
    'status' => 'paidLate',
    'expired' => true,
    'settled' => true,
    'paidSompi' => '2600000000',
    'overpaidSompi' => '100000000',
]));
$world->send($event);
$world->plugin->method()->process_refund(World::ORDER, '1.00', 'broken');
do_action('woocommerce_order_action_svc_gateway_refund_excess', wc_get_order(World::ORDER));
$records[] = ['event', $event];
foreach ($world->gateway->refunds() as $refund) {
    $records[] = ['refund', $refund];
}
echo json_encode(['calls' => $world->gateway->requests(), 'records' => $records]), "\n";
