<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Settings;

test('payment: an invoice is made as the contract says, and the customer goes to its page', function (): void {
    $world = new World();
    $result = $world->pay();
    $id = Shop::meta(World::ORDER, '_svc_invoice_id');
    Check::same(['result' => 'success', 'redirect' => "{$world->gateway->url}/checkout/$id"], $result);
    [$request] = $world->gateway->requests();
    Check::same(['POST', '/api/v1/invoices'], [$request['method'], $request['path']]);
    Check::same('Bearer svk_test_0123456789abcdef', $request['authorization']);
    $site = substr(hash('sha256', 'shop.example'), 0, 16);
    Check::same("woocommerce-$site-7-1", $request['key']);
    Check::same([
        'orderId' => '7',
        'amountSompi' => World::AMOUNT,
        'expiresIn' => 900,
        'requiredBlueScore' => 10,
        'redirectUrl' => 'https://shop.example/checkout/order-received/7/?key=wc_order_7',
        'metadata' => ['platform' => 'woocommerce', 'site' => $site, 'currency' => 'EUR', 'total' => '10.00', 'rate' => '2.5'],
    ], json_decode($request['body'], true));
    Check::same('pending', Shop::status(World::ORDER));
    Check::same([], Shop::$notices);
    Check::holds("Invoice $id was made over 25 coins.", implode("\n", Shop::notes(World::ORDER)));
});

test('payment: the language of the page is asked for where the settings say so', function (): void {
    $world = new World(['language' => 'es']);
    $world->started();
    Check::same('es', json_decode($world->gateway->requests()[0]['body'], true)['language']);
});

test('payment: a customer who comes back gets the same invoice', function (): void {
    $world = new World();
    $first = $world->pay();
    Check::same($first, $world->pay());
    Check::same(1, count($world->gateway->invoices()));
});

test('payment: a retry whose answer was lost makes no second invoice, with the same key and the same bytes', function (): void {
    $world = new World();
    // What WordPress does with backslashes would show here.
    Shop::$url = 'https://shop.example/a"b\\c';
    $world->gateway->fail(500, done: true);
    Check::same('failure', $world->pay()['result']);
    Shop::$options[Settings::OPTION]['rate'] = '3';
    $world->started();
    [$first, $second] = $world->gateway->requests();
    Check::same([$first['key'], $first['body']], [$second['key'], $second['body']]);
    Check::same(1, count($world->gateway->invoices()));
    Check::same(World::AMOUNT, Shop::meta(World::ORDER, '_svc_invoice_amount'));
    Check::same('2.5', Shop::meta(World::ORDER, '_svc_invoice_rate'));
});

test('payment: a repeated attempt whose invoice has expired by now makes way for a new one', function (): void {
    $world = new World();
    $world->gateway->fail(500, done: true);
    $world->pay();
    $lost = array_key_first($world->gateway->invoices());
    $world->gateway->change($lost, ['status' => 'expired', 'expired' => true]);
    Check::same(false, $world->started() === $lost);
    Check::same(['-7-1', '-7-1', '-7-2'], array_map(static fn (array $one): string => substr($one['key'], -4), $world->gateway->requests()));
});

test('payment: a lost answer is not repeated when the order has another total, nor when its invoice would have expired', function (): void {
    $world = new World();
    $world->gateway->fail(500, done: true);
    $world->pay();
    Shop::$orders[World::ORDER]['total'] = '20.00';
    $world->gateway->fail(500);
    $world->pay();
    Shop::$now += 900;
    $world->started();
    $keys = array_column($world->gateway->requests(), 'key');
    Check::same(['-7-1', '-7-2', '-7-3'], array_map(static fn (string $key): string => substr($key, -4), $keys));
    Check::same('5000000000', Shop::meta(World::ORDER, '_svc_invoice_amount'));
});

foreach ([['expired', ['status' => 'expired', 'expired' => true]], ['expired after a reorganisation', ['status' => 'expired', 'expired' => true, 'reorged' => true]]] as [$what, $fields]) {
    test("payment: paying again after the invoice has $what makes a new attempt", function () use ($fields): void {
        $world = new World();
        $first = $world->started();
        $world->happens($first, $fields);
        Check::same('cancelled', Shop::status(World::ORDER));
        $second = $world->started();
        Check::same(false, $first === $second);
        Check::same('pending', Shop::status(World::ORDER));
        Check::holds('-7-2', $world->gateway->requests()[count($world->gateway->requests()) - 1]['key']);
        $world->happens($second, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
        Check::same('processing', Shop::status(World::ORDER));
    });
}

test('payment: an invoice that the gateway says has expired is replaced although no webhook told so', function (): void {
    $world = new World();
    $first = $world->started();
    $world->gateway->change($first, ['status' => 'expired', 'expired' => true]);
    Check::same(false, $first === $world->started());
});

test('payment: an order with another total gets a new invoice, and one that was paid already does not', function (): void {
    $world = new World();
    $first = $world->started();
    Shop::$orders[World::ORDER]['total'] = '11.00';
    $second = $world->started();
    Check::same(false, $first === $second);
    Check::same('2750000000', Shop::meta(World::ORDER, '_svc_invoice_amount'));
    $world->gateway->change($second, ['status' => 'partial', 'paidSompi' => '5']);
    Shop::$orders[World::ORDER]['total'] = '12.00';
    $result = $world->pay();
    Check::same("{$world->gateway->url}/checkout/$second", $result['redirect']);
    Check::same('on-hold', Shop::status(World::ORDER));
    Check::same(2, count($world->gateway->invoices()));
});

test('payment: an invoice that is paid leads back to the shop, and the order is brought up to date', function (): void {
    $world = new World();
    $id = $world->started();
    $world->gateway->change($id, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    Check::same('https://shop.example/checkout/order-received/7/?key=wc_order_7', $world->pay()['redirect']);
    Check::same('processing', Shop::status(World::ORDER));
});

test('payment: what is left of a part is paid on the same page, also after it has expired', function (): void {
    $world = new World();
    $id = $world->started();
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '1', 'expired' => true]);
    Check::same('failed', Shop::status(World::ORDER));
    Check::same("{$world->gateway->url}/checkout/$id", $world->pay()['redirect']);
    Check::same(1, count($world->gateway->invoices()));
});

foreach ([[500, []], [502, []], [429, ['Retry-After: 1']], [409, ['Retry-After: 1']]] as [$status, $headers]) {
    test("payment: a gateway that answers $status leaves the order pending and tells the customer", function () use ($status, $headers): void {
        $world = new World();
        $world->gateway->fail($status, headers: $headers);
        Check::same(['result' => 'failure'], $world->pay());
        Check::same([['The payment could not be started. Please try again, or choose another method.', 'error']], Shop::$notices);
        Check::same('pending', Shop::status(World::ORDER));
        Check::same(null, Shop::meta(World::ORDER, '_svc_invoice_id'));
        Check::same([], Shop::notes(World::ORDER));
        $world->started();
        [$first, $second] = $world->gateway->requests();
        Check::same($first['key'], $second['key']);
    });
}

test('payment: a gateway that is down leaves the order pending and tells the customer', function (): void {
    $world = new World(['gateway_url' => 'http://127.0.0.1:1']);
    Check::same(['result' => 'failure'], $world->pay());
    Check::same(1, count(Shop::$notices));
    Check::same(['pending', null], [Shop::status(World::ORDER), Shop::meta(World::ORDER, '_svc_invoice_id')]);
    Check::same([], array_filter(array_keys(Shop::$options), static fn (string $name): bool => str_contains($name, 'lock')));
});

test('payment: a refusal is not repeated under its key', function (): void {
    $world = new World(['api_key' => 'wrong']);
    Check::same('failure', $world->pay()['result']);
    Shop::$options[Settings::OPTION]['api_key'] = Double\DoubleApi::KEY;
    $world->started();
    Check::holds('-7-2', $world->gateway->requests()[1]['key']);
});

test('payment: a key that was used for another order’s request is left for the next one', function (): void {
    $world = new World();
    $world->started();
    // As after a backup of the shop was restored.
    Shop::$orders[World::ORDER]['meta'] = [];
    Shop::$orders[World::ORDER]['total'] = '11.00';
    $world->started();
    Check::same('2750000000', Shop::meta(World::ORDER, '_svc_invoice_amount'));
    Check::same(2, count($world->gateway->invoices()));
});

test('payment: two shops at one gateway do not collide', function (): void {
    $world = new World();
    $first = $world->started();
    Shop::$orders[World::ORDER]['meta'] = [];
    Shop::$url = 'https://other.example';
    Check::same(false, $first === $world->started());
    [$one, $other] = $world->gateway->requests();
    Check::same(false, $one['key'] === $other['key']);
});

test('payment: an invoice that the gateway lost is replaced', function (): void {
    $world = new World();
    $world->started();
    $world->gateway->forget();
    $world->started();
    Check::same(1, count($world->gateway->invoices()));
});

foreach (['https://evil.example', 'javascript:alert(1)//', 'http://evil.example', 'https://user@127.0.0.1'] as $place) {
    test("payment: a payment page at $place is not opened", function () use ($place): void {
        $world = new World();
        $world->gateway->setForeign($place);
        Check::same(['result' => 'failure'], $world->pay());
        Check::same([null, 'pending'], [Shop::meta(World::ORDER, '_svc_invoice_id'), Shop::status(World::ORDER)]);
    });
}

foreach ([
    'a page of a proxy' => '<html>welcome</html>',
    'an invoice of another order' => '{"id":"inv_1","orderId":"8","amountSompi":"2500000000","status":"new","checkoutUrl":"{url}/checkout/inv_1","expiresAt":1}',
    'an invoice over another amount' => '{"id":"inv_1","orderId":"7","amountSompi":"1","status":"new","checkoutUrl":"{url}/checkout/inv_1","expiresAt":1}',
    'an id with a path in it' => '{"id":"inv_../x","orderId":"7","amountSompi":"2500000000","status":"new","checkoutUrl":"{url}/checkout/inv_1","expiresAt":1}',
    'a status that nobody knows' => '{"id":"inv_1","orderId":"7","amountSompi":"2500000000","status":"sent","checkoutUrl":"{url}/checkout/inv_1","expiresAt":1}',
    'an amount that is a number' => '{"id":"inv_1","orderId":"7","amountSompi":2500000000,"status":"new","checkoutUrl":"{url}/checkout/inv_1","expiresAt":1}',
    'nothing' => '',
] as $what => $body) {
    test("payment: an answer that is $what starts nothing", function () use ($body): void {
        $world = new World();
        $world->gateway->fail(200, body: str_replace('{url}', $world->gateway->url, $body));
        Check::same(['result' => 'failure'], $world->pay());
        Check::same([null, 'pending'], [Shop::meta(World::ORDER, '_svc_invoice_id'), Shop::status(World::ORDER)]);
    });
}

test('payment: the API key does not follow a redirect', function (): void {
    $world = new World();
    $world->gateway->fail(307, headers: ["Location: {$world->gateway->url}/api/v1/elsewhere"]);
    Check::same('failure', $world->pay()['result']);
    Check::same(1, count($world->gateway->requests()));
});

test('payment: a total that is no amount at the rate starts nothing', function (): void {
    $world = new World(['rate' => '99999999999999999999']);
    Check::same('failure', $world->pay()['result']);
    Check::same([], $world->gateway->requests());
});

test('payment: an order that another process has is left alone, and one of a dead process is not', function (): void {
    $world = new World();
    Shop::$options['svc_gateway_lock_7'] = Shop::$now . ':other';
    Check::same('failure', $world->pay()['result']);
    Check::same([['Your order is being processed. Please try again in a moment.', 'error']], Shop::$notices);
    Check::same([], $world->gateway->requests());
    Shop::$now += 180;
    $world->started();
    Check::same(false, isset(Shop::$options['svc_gateway_lock_7']));
});

test('payment: the log tells what happened, and neither API key nor secret', function (): void {
    $world = new World(['api_key' => 'svk_live_topsecret', 'webhook_secret' => 'whsec_topsecret']);
    $world->gateway->fail(403, body: '{"error":"svk_live_topsecret and whsec_topsecret are wrong"}');
    $world->pay();
    $world->receive('{}', 't=1,v1=2');
    Check::holds('POST /api/v1/invoices: 403', Shop::logText());
    Check::holds('[hidden]', Shop::logText());
    Check::lacks('topsecret', Shop::logText());
    Check::same(['source' => 'svc-gateway'], Shop::$log[0][2]);
});

test('payment: nothing but warnings is logged unless the settings ask for it', function (): void {
    $world = new World(['debug' => 'no']);
    $world->started();
    Check::same([], Shop::$log);
    $world->gateway->fail(500);
    Shop::$orders[World::ORDER]['meta'] = [];
    $world->pay();
    Check::same(['warning'], array_column(Shop::$log, 0));
});
