<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Settings;

/** A confirmed payment at the gateway that no webhook told of, as an event. */
function confirmedEvent(World $world): array
{
    $id = $world->started();

    return $world->event($world->gateway->change($id, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]));
}

test('webhook: a right one is processed once', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    $response = $world->send($event);
    Check::same([200, ['ok' => true, 'result' => 'applied']], [$response->get_status(), $response->get_data()]);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
    $notes = Shop::notes(World::ORDER);
    $reads = count($world->gateway->requests());
    $again = $world->send($event);
    Check::same([200, 'duplicate'], [$again->get_status(), $again->get_data()['result']]);
    Check::same($notes, Shop::notes(World::ORDER));
    Check::same($reads, count($world->gateway->requests()));
});

test('webhook: a forged one is refused and changes nothing', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    $body = (string) json_encode($event);
    $right = World::signature($body, World::SECRET, Shop::$now);
    foreach ([
        'no header' => [$body, null],
        'an empty header' => [$body, ''],
        'another secret' => [$body, World::signature($body, 'guess', Shop::$now)],
        'an empty secret' => [$body, World::signature($body, '', Shop::$now)],
        'another body' => [str_replace('"7"', '"8"', $body), $right],
        'another time' => [$body, str_replace('t=' . Shop::$now, 't=' . (Shop::$now + 1), $right)],
    ] as $what => [$sent, $header]) {
        Check::same(401, $world->receive($sent, $header)->get_status(), $what);
    }
    Check::same(['pending', 0], [Shop::status(World::ORDER), World::timesPaid()]);
    Check::same(1, count($world->gateway->requests()));
});

test('webhook: one that is sent again after 300 seconds is refused', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    $sentAt = Shop::$now;
    Shop::$now += 301;
    Check::same(401, $world->send($event, at: $sentAt)->get_status());
    Shop::$now -= 602;
    Check::same(401, $world->send($event, at: $sentAt)->get_status());
    Check::same('pending', Shop::status(World::ORDER));
});

foreach (['', '   '] as $secret) {
    test('webhook: with a blank secret ("' . $secret . '") every one is refused', function () use ($secret): void {
        $world = new World();
        $event = confirmedEvent($world);
        Shop::$options[Settings::OPTION]['webhook_secret'] = $secret;
        Check::same(401, $world->send($event, '')->get_status());
        Check::same(401, $world->send($event, $secret)->get_status());
        Check::same('pending', Shop::status(World::ORDER));
    });
}

test('webhook: what it says is a hint, and the gateway’s own record decides', function (): void {
    $world = new World();
    $id = $world->started();
    $lie = ['status' => 'confirmed', 'paidSompi' => World::AMOUNT] + $world->gateway->invoices()[$id];
    Check::same(200, $world->send($world->event($lie))->get_status());
    Check::same(['pending', 0], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('webhook: one of another shop at the same gateway is accepted and changes nothing', function (): void {
    $world = new World();
    $id = $world->started();
    $foreign = ['id' => 'inv_foreign', 'status' => 'confirmed'] + $world->gateway->invoices()[$id];
    foreach ([$foreign, ['orderId' => '8'] + $foreign, ['orderId' => 'A-1'] + $foreign] as $invoice) {
        $response = $world->send($world->event($invoice));
        Check::same([202, 'unknown'], [$response->get_status(), $response->get_data()['result']]);
    }
    Check::same('pending', Shop::status(World::ORDER));
});

test('webhook: one for an order that is not there is accepted', function (): void {
    $world = new World();
    $id = $world->started();
    $event = $world->event($world->gateway->invoices()[$id]);
    Shop::$orders = [];
    Check::same(202, $world->send($event)->get_status());
    Shop::addOrder(World::ORDER);
    Check::same(202, $world->send(['id' => 'evt_x'] + $event)->get_status());
});

foreach ([
    'another amount' => ['amountSompi' => '1'],
    'another order' => ['orderId' => '8'],
    'another id' => ['id' => 'inv_other'],
] as $what => $fields) {
    test("webhook: a record with $what changes nothing, and the merchant is told", function () use ($fields): void {
        $world = new World();
        $id = $world->started();
        $event = $world->event($world->gateway->invoices()[$id]);
        $world->gateway->change($id, $fields + ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
        $response = $world->send($event);
        Check::same([202, 'mismatch'], [$response->get_status(), $response->get_data()['result']]);
        Check::same(['pending', 0], [Shop::status(World::ORDER), World::timesPaid()]);
        Check::same(['7-mismatch'], array_keys(Shop::$options['svc_gateway_alerts']));
    });
}

test('webhook: while the gateway is away it is answered 503, and processed when it comes again', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    $world->gateway->fail(502);
    $response = $world->send($event);
    Check::same([503, '10'], [$response->get_status(), $response->get_headers()['Retry-After']]);
    Check::same('pending', Shop::status(World::ORDER));
    Check::same('applied', $world->send($event)->get_data()['result']);
    Check::same('processing', Shop::status(World::ORDER));
});

test('webhook: while WooCommerce cannot store the order it is answered 503, and processed when it comes again', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    Shop::$failsToSave = true;
    Check::same(503, $world->send($event)->get_status());
    Shop::$failsToSave = false;
    Check::same('applied', $world->send($event)->get_data()['result']);
    Check::same(['processing', 1], [Shop::status(World::ORDER), World::timesPaid()]);
});

test('webhook: while another process has the order it is answered 503', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    Shop::$options['svc_gateway_lock_7'] = Shop::$now . ':other';
    Check::same(503, $world->send($event)->get_status());
    Check::same('pending', Shop::status(World::ORDER));
    Check::same(Shop::$now . ':other', Shop::$options['svc_gateway_lock_7']);
});

test('webhook: what another process wrote of the order is seen, whatever this one has cached', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    Shop::$cache = [];
    wc_get_order(World::ORDER);
    Shop::$orders[World::ORDER]['meta']['_svc_events'] = [$event['id']];
    Check::same('duplicate', $world->send($event)->get_data()['result']);
});

test('webhook: a gateway that answers with an older version than the event is asked again later', function (): void {
    $world = new World();
    $event = confirmedEvent($world);
    $event['invoice']['version'] = 9;
    Check::same(503, $world->send($event)->get_status());
    Check::same('pending', Shop::status(World::ORDER));
});

test('webhook: an order remembers the last 50 events', function (): void {
    $world = new World();
    $id = $world->started();
    for ($count = 1; $count <= 60; $count += 1) {
        $world->send($world->event($world->gateway->invoices()[$id]));
    }
    Check::same(50, count(Shop::meta(World::ORDER, '_svc_events')));
});

test('webhook: a ping is answered, garbage and floods are not', function (): void {
    $world = new World();
    Check::same([200, 'ping'], [
        ($response = $world->send(['id' => 'evt_1', 'type' => 'ping']))->get_status(),
        $response->get_data()['result'],
    ]);
    $garbage = 'not json';
    Check::same(400, $world->receive($garbage, World::signature($garbage, World::SECRET, Shop::$now))->get_status());
    $flood = str_repeat('x', 1_048_577);
    Check::same(413, $world->receive($flood, World::signature($flood, World::SECRET, Shop::$now))->get_status());
});
