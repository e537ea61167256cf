<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

const FULL = ['paidSompi' => World::AMOUNT, 'payments' => [['txid' => 'abababababababababababababababababababababababababababababababab']]];

function allNotes(): string
{
    return implode("\n", Shop::notes(World::ORDER));
}

/** @return list<string> */
function alerts(): array
{
    return array_map(static fn (array $alert): string => $alert['kind'], array_values(Shop::$options['svc_gateway_alerts'] ?? []));
}

test('order: a part of the payment puts it on hold with a note', function (): void {
    $world = new World();
    $world->happens($world->started(), ['status' => 'partial', 'paidSompi' => '1000000000']);
    Check::same('on-hold', Shop::status(World::ORDER));
    Check::holds('Part of the payment has come: 10 of 25 coins.', allNotes());
    Check::same(0, World::timesPaid());
});

test('order: the whole payment puts it on hold until it is confirmed', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'paid'] + FULL);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::same(FULL['payments'][0]['txid'], Shop::$orders[World::ORDER]['transaction_id']);
    Check::same([], alerts());
});

test('order: one of downloads is completed', function (): void {
    $world = new World();
    Shop::$orders[World::ORDER]['downloadable'] = true;
    $world->happens($world->started(), ['status' => 'confirmed'] + FULL);
    Check::same('completed', Shop::status(World::ORDER));
});

test('order: an overpaid invoice completes it, with a note about the excess', function (): void {
    $world = new World();
    $world->happens($world->started(), ['status' => 'overpaid', 'paidSompi' => '2600000000', 'overpaidSompi' => '100000000']);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::holds('The customer paid 1 coins too much.', allNotes());
});

test('order: what is overpaid but not confirmed yet does not complete it', function (): void {
    $world = new World();
    $world->happens($world->started(), ['status' => 'paid', 'paidSompi' => '2600000000', 'overpaidSompi' => '100000000']);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: a confirmed invoice that is overpaid later adds a note alone', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    // The merchant took it out of its status.
    Shop::$orders[World::ORDER]['status'] = 'on-hold';
    $world->happens($id, ['status' => 'overpaid', 'paidSompi' => '2600000000', 'overpaidSompi' => '100000000']);
    Check::same(['on-hold', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::holds('1 coins too much', allNotes());
});

test('order: an expired invoice cancels it, and the stock is put back', function (): void {
    $world = new World();
    $id = $world->started();
    Shop::$orders[World::ORDER]['stock_reduced'] = true;
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    Check::same(['cancelled', false], [Shop::status(World::ORDER), Shop::$orders[World::ORDER]['stock_reduced']]);
});

test('order: a part that expires makes it failed, puts the stock back and alerts the merchant', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '1000000000']);
    Check::same(true, Shop::$orders[World::ORDER]['stock_reduced']);
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '1000000000', 'expired' => true]);
    Check::same(['failed', false], [Shop::status(World::ORDER), Shop::$orders[World::ORDER]['stock_reduced']]);
    Check::same(['partial'], alerts());
    Check::holds('with a part of it paid: 10 of 25 coins', allNotes());
    // The rest comes, and the gateway takes it.
    $world->happens($id, ['status' => 'confirmed', 'expired' => false] + FULL);
    Check::same(['processing', 1, true], [Shop::status(World::ORDER), World::timesPaid(), Shop::$orders[World::ORDER]['stock_reduced']]);
});

test('order: a late payment puts it on hold and alerts the merchant, who decides', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    $world->happens($id, ['status' => 'paidLate', 'expired' => true] + FULL);
    Check::same(['on-hold', 0, true], [Shop::status(World::ORDER), World::timesPaid(), Shop::$orders[World::ORDER]['stock_reduced']]);
    Check::same(['late'], alerts());
});

test('order: a full late payment completes it where the settings take such ones, once the gateway says that it is confirmed', function (): void {
    $world = new World(['late_payments' => 'accept']);
    $id = $world->started();
    $world->happens($id, ['status' => 'paidLate', 'expired' => true] + FULL);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    $world->happens($id, ['status' => 'paidLate', 'expired' => true, 'settled' => true] + FULL);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    $marks = array_filter($world->gateway->requests(), static fn (array $one): bool => str_ends_with($one['path'], '/mark'));
    Check::same([['as' => 'settled', 'reason' => 'The shop takes late payments.']], array_map(
        static fn (array $one): array => json_decode($one['body'], true),
        array_values($marks),
    ));
});

test('order: a late payment is not taken unless the settings say so, it is all of it, and nothing speaks against the order', function (): void {
    foreach ([
        [['late_payments' => 'hold'], [], true],
        [['late_payments' => 'accept'], [], false],
        [['late_payments' => 'accept'], ['status' => 'cancelled'], true],
        [['late_payments' => 'accept'], ['total' => '99.00'], true],
        [['late_payments' => 'accept'], ['payment_method' => 'card'], true],
    ] as [$settings, $change, $settled]) {
        $world = new World($settings);
        $id = $world->started();
        Shop::$orders[World::ORDER] = $change + Shop::$orders[World::ORDER];
        $world->happens($id, ['status' => 'paidLate', 'expired' => true, 'settled' => $settled] + FULL);
        Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
        Check::same('paidLate', $world->gateway->invoices()[$id]['status']);
        Shop::reset();
    }
});

test('order: a late payment that the gateway will not let count stays with the merchant', function (): void {
    $world = new World(['late_payments' => 'accept']);
    $id = $world->started();
    $event = $world->event($world->gateway->change($id, ['status' => 'paidLate', 'expired' => true, 'settled' => true] + FULL));
    foreach ([[503, 503, 'pending'], [409, 200, 'on-hold']] as [$answer, $status, $order]) {
        $world->gateway->fail($answer, after: 1, body: '{"error":"x","code":"gateway/wrong-state"}');
        Check::same($status, $world->send($event)->get_status());
        Check::same([$order, 0], [Shop::status(World::ORDER), World::timesPaid()]);
    }
});

test('order: a late payment that was marked already and is still late is not marked again', function (): void {
    $world = new World(['late_payments' => 'accept']);
    $mark = ['marked' => ['as' => 'invalid', 'reason' => 'x', 'at' => 1]];
    $world->happens($world->started(), $mark + ['status' => 'paidLate', 'expired' => true, 'settled' => true] + FULL);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: a transaction that left the chain is not the one of its payment', function (): void {
    $world = new World();
    $payments = [['txid' => str_repeat('aa', 32), 'state' => 'orphaned'], ['txid' => str_repeat('bb', 32), 'state' => 'mined']];
    $world->happens($world->started(), ['status' => 'confirmed', 'payments' => $payments] + FULL);
    Check::same(str_repeat('bb', 32), Shop::$orders[World::ORDER]['transaction_id']);
});

test('order: an invoice that expired at first and was paid in time after all completes it', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    $world->happens($id, ['status' => 'confirmed', 'expired' => false] + FULL);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: a reorganisation after it was fulfilled puts it on hold with an alert, and confirmed again it goes on', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    $world->happens($id, ['status' => 'paid', 'reorged' => true] + FULL);
    Check::same('on-hold', Shop::status(World::ORDER));
    Check::same(['reorged'], alerts());
    Check::holds('Do not ship until it is again.', allNotes());
    $world->happens($id, ['status' => 'new', 'reorged' => true, 'paidSompi' => '0']);
    Check::same('on-hold', Shop::status(World::ORDER));
    $world->happens($id, ['status' => 'confirmed', 'reorged' => false] + FULL);
    Check::same(['processing', 2], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: one that was fulfilled is not cancelled when its payment is lost for good', function (): void {
    $world = new World();
    $id = $world->started();
    Shop::$orders[World::ORDER]['downloadable'] = true;
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    $world->happens($id, ['status' => 'new', 'reorged' => true, 'paidSompi' => '0']);
    $world->happens($id, ['status' => 'expired', 'reorged' => true, 'expired' => true, 'paidSompi' => '0']);
    Check::same(['on-hold', true], [Shop::status(World::ORDER), Shop::$orders[World::ORDER]['stock_reduced']]);
    Check::same(['reorged'], alerts());
});

test('order: a payment that a reorganisation took away before it was confirmed is waited for again, and cancels when it expires', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'paid'] + FULL);
    $world->happens($id, ['status' => 'new', 'paidSompi' => '0']);
    Check::holds('no longer on the chain', allNotes());
    Check::same('on-hold', Shop::status(World::ORDER));
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    Check::same(['cancelled', false], [Shop::status(World::ORDER), Shop::$orders[World::ORDER]['stock_reduced']]);
});

test('order: an older version than the last one is ignored', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'confirmed', 'version' => 5] + FULL);
    $old = $world->gateway->change($id, ['status' => 'expired', 'expired' => true, 'paidSompi' => '0', 'version' => 4]);
    Check::same(200, $world->send($world->event($old))->get_status());
    Check::same(['processing', 5], [Shop::status(World::ORDER), Shop::meta(World::ORDER, '_svc_invoice_facts')['version']]);
});

test('order: events that come in the wrong order leave it where the newest one puts it', function (): void {
    $world = new World();
    $id = $world->started();
    $partial = $world->event($world->gateway->change($id, ['status' => 'partial', 'paidSompi' => '1']));
    $paid = $world->event($world->gateway->change($id, ['status' => 'paid'] + FULL));
    $confirmed = $world->event($world->gateway->change($id, ['status' => 'confirmed'] + FULL));
    foreach ([$confirmed, $partial, $paid] as $event) {
        $world->send($event);
    }
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::lacks('Part of the payment', allNotes());
});

test('order: a gateway without versions works too', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'paid', 'version' => null] + FULL);
    $world->happens($id, ['status' => 'confirmed', 'version' => null] + FULL);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: the same record again adds no note', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '1']);
    $notes = Shop::notes(World::ORDER);
    $world->happens($id, ['metadata' => ['a' => 'b']]);
    $world->reconcile();
    Check::same($notes, Shop::notes(World::ORDER));
});

test('order: a process that died after it was fulfilled does not fulfil it again', function (): void {
    $world = new World();
    $id = $world->started();
    $meta = Shop::$orders[World::ORDER]['meta'];
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    // What the order noted of it was not written any more.
    Shop::$orders[World::ORDER]['meta'] = $meta;
    $world->reconcile();
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::lacks('was marked as paid before', allNotes());
    $world->happens($id, ['status' => 'paid', 'reorged' => true] + FULL);
    Check::same('on-hold', Shop::status(World::ORDER));
});

test('order: one that somebody cancelled is not fulfilled by itself, however the payment comes', function (): void {
    foreach ([['confirmed'], ['paid', 'confirmed'], ['partial', 'paid', 'confirmed']] as $way) {
        $world = new World();
        $id = $world->started();
        Shop::$orders[World::ORDER]['status'] = 'cancelled';
        foreach ($way as $status) {
            $world->happens($id, ['status' => $status] + FULL);
        }
        Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
        Check::same(['cancelled'], alerts());
        Shop::reset();
    }
});

test('order: a refunded one keeps its status', function (): void {
    foreach (['confirmed', 'expired', 'paidLate', 'partial'] as $status) {
        $world = new World();
        $id = $world->started();
        Shop::$orders[World::ORDER]['status'] = 'refunded';
        $world->happens($id, ['status' => $status] + FULL);
        Check::same(['refunded', 0], [Shop::status(World::ORDER), World::timesPaid()], $status);
        Shop::reset();
    }
});

test('order: one that is paid by another method is not paid again or cancelled, and the merchant is told', function (): void {
    $world = new World();
    $id = $world->started();
    Shop::$orders[World::ORDER]['payment_method'] = 'card';
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    Check::same('pending', Shop::status(World::ORDER));
    Shop::$orders[World::ORDER]['status'] = 'processing';
    $world->happens($id, ['status' => 'confirmed', 'expired' => false] + FULL);
    Check::same(['processing', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::same(['another'], alerts());
    $world->happens($id, ['status' => 'paid', 'reorged' => true] + FULL);
    Check::same('processing', Shop::status(World::ORDER));
});

test('order: one that is to be paid by another method by now is put on hold', function (): void {
    $world = new World();
    $id = $world->started();
    Shop::$orders[World::ORDER]['payment_method'] = 'transfer';
    $world->happens($id, ['status' => 'confirmed'] + FULL);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::same(['another'], alerts());
});

test('order: one whose total was changed after its invoice is not fulfilled by itself', function (): void {
    foreach ([['total' => '99.00'], ['currency' => 'USD']] as $change) {
        $world = new World();
        $id = $world->started();
        Shop::$orders[World::ORDER] = $change + Shop::$orders[World::ORDER];
        $world->happens($id, ['status' => 'confirmed'] + FULL);
        Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
        Check::same(['total'], alerts());
        Shop::reset();
    }
});

test('order: money for the invoice of an earlier attempt is shown once, and fulfils nothing', function (): void {
    $world = new World();
    $first = $world->started();
    $world->happens($first, ['status' => 'expired', 'expired' => true]);
    $second = $world->started();
    $response = $world->happens($first, ['status' => 'paidLate', 'expired' => true] + FULL);
    Check::same([200, 'applied'], [$response->get_status(), $response->get_data()['result']]);
    Check::same(['on-hold', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::same(['earlier'], alerts());
    $notes = Shop::notes(World::ORDER);
    $world->happens($first, ['status' => 'confirmed'] + FULL);
    Check::same($notes, Shop::notes(World::ORDER));
    $world->happens($second, ['status' => 'confirmed'] + FULL);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('order: amounts beyond 2^31 and 2^53 sompi are paid to the last sompi', function (): void {
    $world = new World(['rate' => '9007199.254740993']);
    $id = $world->started();
    Check::same('9007199254740993', Shop::meta(World::ORDER, '_svc_invoice_amount'));
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '9007199254740992']);
    Check::holds('90071992.54740992 of 90071992.54740993 coins', allNotes());
    $world->happens($id, ['status' => 'confirmed', 'paidSompi' => '9007199254740993']);
    Check::same('processing', Shop::status(World::ORDER));
});

test('order: a person who may not edit orders gets no action, and an order without an invoice has none', function (): void {
    $world = new World(isAdmin: true);
    Check::same(['x' => 'y'], apply_filters('woocommerce_order_actions', ['x' => 'y'], wc_get_order(World::ORDER)));
    $id = $world->started();
    $world->gateway->change($id, ['status' => 'confirmed'] + FULL);
    Shop::$capabilities = [];
    do_action('woocommerce_order_action_svc_gateway_sync', wc_get_order(World::ORDER));
    do_action('woocommerce_order_action_svc_gateway_refund_rest', wc_get_order(World::ORDER));
    Check::same('pending', Shop::status(World::ORDER));
    Shop::$capabilities = ['edit_shop_orders'];
    do_action('woocommerce_order_action_svc_gateway_sync', wc_get_order(World::ORDER));
    Check::same('processing', Shop::status(World::ORDER));
});
