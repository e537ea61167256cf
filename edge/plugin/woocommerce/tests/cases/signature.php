<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Webhook\WebhookEvent;
use SvcGateway\Webhook\WebhookSignature;

test('the signature of a webhook is that of the project’s vectors', function (): void {
    $file = dirname(__DIR__, 5) . '/tests/vectors/webhook.json';
    $vectors = json_decode((string) file_get_contents($file), true)['signatures'];
    Check::same(true, count($vectors) >= 6);
    foreach ($vectors as ['secret' => $secret, 'sentAt' => $at, 'body' => $hex, 'svc' => $svc]) {
        $body = (string) hex2bin($hex);
        Check::same(true, WebhookSignature::isRight($secret, "t=$at,v1=$svc", $body, (int) $at), $secret);
        Check::same(false, WebhookSignature::isRight("{$secret}x", "t=$at,v1=$svc", $body, (int) $at), $secret);
        Check::same(false, WebhookSignature::isRight($secret, "t=$at,v1=$svc", "$body ", (int) $at), $secret);
    }
});

test('a signature is refused when its time is more than 300 seconds off, either way', function (): void {
    $header = World::signature('{}', 's', Shop::START);
    foreach ([300 => true, -300 => true, 301 => false, -301 => false] as $off => $isRight) {
        Check::same($isRight, WebhookSignature::isRight('s', $header, '{}', Shop::START + $off), (string) $off);
    }
});

test('a header that is no signature is refused', function (): void {
    $right = World::signature('{}', 's', Shop::START);
    $hex = substr($right, -64);
    $at = Shop::START;
    foreach ([
        null, '', 'x', "v1=$hex", "t=$at", "t=$at,v1=", "t=$at,v2=$hex", "t=$at,v1=" . strtoupper($hex), "t=$at,v1={$hex}0", "t=$at;v1=$hex",
        "t=$at,t=$at,v1=$hex", "t=-$at,v1=$hex", "t={$at}.0,v1=$hex", "t=1e9,v1=$hex", "t=$at,v1=" . str_repeat('0', 64),
        $right . str_repeat(',v1=' . str_repeat('0', 64), 100),
    ] as $header) {
        Check::same(false, WebhookSignature::isRight('s', $header, '{}', $at), (string) $header);
    }
    Check::same(true, WebhookSignature::isRight('s', $right, '{}', $at));
});

test('a blank secret is right for nobody, also not for who signs with it', function (): void {
    Check::same(false, WebhookSignature::isRight('', World::signature('{}', '', Shop::START), '{}', Shop::START));
});

test('one of several signatures is enough while a secret is replaced', function (): void {
    $right = World::signature('{}', 'new', Shop::START);
    $other = str_repeat('0', 64);
    Check::same(true, WebhookSignature::isRight('new', "$right,v1=$other", '{}', Shop::START));
    Check::same(true, WebhookSignature::isRight('new', str_replace('v1=', "v1=$other,v1=", $right), '{}', Shop::START));
});

test('an event is read in each form that the contract has', function (): void {
    $invoice = ['id' => 'inv_1', 'orderId' => '7', 'version' => 3];
    foreach ([
        ['id' => 'evt_1', 'type' => 'invoice.paid', 'data' => ['invoice' => $invoice]],
        ['id' => 'evt_1', 'eventType' => 'invoice.paid', 'invoice' => $invoice],
        ['id' => 'evt_1', 'type' => 'invoice.paid', 'eventType' => 'invoice.paid', 'invoice' => $invoice, 'data' => ['invoice' => $invoice]],
    ] as $form) {
        $event = WebhookEvent::parse((string) json_encode($form));
        Check::same(['evt_1', 'invoice.paid', 'inv_1', 7, 3], [$event?->id, $event?->type, $event?->invoice, $event?->order, $event?->version]);
    }
    Check::same('', WebhookEvent::parse('{"id":"evt_1","type":"ping"}')?->invoice);
});

test('a body that is no event is not read as one', function (): void {
    foreach ([
        '', 'x', '[]', '1', 'null', '{}', '{"id":"e"}', '{"type":"t"}', '{"id":1,"type":"t"}', '{"id":"e e","type":"t"}',
        '{"id":"e","type":"t","eventType":"u"}', '{"id":"e","type":"t","invoice":1}', '{"id":"e","type":"t","invoice":{"id":"x"}}',
        '{"id":"e","type":"t","invoice":{"id":"inv_../../x","orderId":"7"}}', str_repeat('[', 100_000),
        '{"id":"' . str_repeat('e', 129) . '","type":"t"}',
    ] as $body) {
        Check::same(null, WebhookEvent::parse($body), substr($body, 0, 60));
    }
    foreach (['"07"', '"-7"', '"7x"', '7', '"9999999999999999999"', 'null', '""'] as $order) {
        Check::same(0, WebhookEvent::parse('{"id":"e","type":"t","invoice":{"id":"inv_1","orderId":' . $order . '}}')?->order, $order);
    }
});
