<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use SvcGateway\Gateway\GatewayUrl;
use SvcGateway\Settings;

/** Settings that keep the method from being enabled, with the setting that each is about. */
const INCOMPLETE = [
    'blank webhook secret' => ['webhook_secret', ''],
    'webhook secret of spaces' => ['webhook_secret', "  \t"],
    'blank API key' => ['api_key', ''],
    'API key with a line break' => ['api_key', "key\r\nX: y"],
    'blank URL' => ['gateway_url', ''],
    'URL without TLS' => ['gateway_url', 'http://pay.example'],
    'URL with a user' => ['gateway_url', 'https://me:pw@pay.example'],
    'blank rate' => ['rate', ''],
    'rate of zero' => ['rate', '0.0'],
    'negative rate' => ['rate', '-1'],
    'rate with a comma' => ['rate', '1,5'],
    'rate with an exponent' => ['rate', '1e3'],
    'blue score of zero' => ['blue_score', '0'],
    'blue score beyond the most' => ['blue_score', '10001'],
];

foreach (INCOMPLETE as $what => [$setting, $value]) {
    test("settings: with a $what the method is not enabled, and the admin says why", function () use ($setting, $value): void {
        $world = new World();
        $values = [$setting => $value] + Shop::$options[Settings::OPTION];
        // Whoever writes the option.
        update_option(Settings::OPTION, $values);
        Check::same('no', Shop::$options[Settings::OPTION]['enabled']);
        Check::same([$setting], array_keys(Settings::load()->problems()));
        // Also where it was written past WordPress.
        Shop::$options[Settings::OPTION] = $values;
        $method = $world->plugin->method();
        Check::same(false, $method->is_available(), 'available');
        Check::same(true, $method->needs_setup(), 'needs setup');
        ob_start();
        $method->admin_options();
        Check::holds(esc_html(Settings::load()->problems()[$setting]), (string) ob_get_clean());
        Check::same('failure', $world->pay()['result']);
        Check::same([], $world->gateway->requests());
    });
}

test('settings: the page of settings refuses to enable, names each problem, and keeps what was typed', function (): void {
    $world = new World(['enabled' => 'no', 'webhook_secret' => '', 'rate' => 'x']);
    $method = $world->plugin->method();
    $method->set_post_data([
        'woocommerce_svc_gateway_enabled' => '1',
        'woocommerce_svc_gateway_title' => 'Coins',
        'woocommerce_svc_gateway_gateway_url' => $world->gateway->url,
        'woocommerce_svc_gateway_api_key' => 'key',
        'woocommerce_svc_gateway_webhook_secret' => '',
        'woocommerce_svc_gateway_rate' => '2',
        'woocommerce_svc_gateway_blue_score' => '10',
    ]);
    do_action('woocommerce_update_options_payment_gateways_svc_gateway');
    Check::same('no', $method->enabled);
    Check::same(['The webhook secret is missing: without it anybody could report a payment.'], $method->errors);
    Check::same('2', Shop::$options[Settings::OPTION]['rate']);
});

test('settings: complete ones are enabled without an error', function (): void {
    $world = new World();
    $method = $world->plugin->method();
    $posted = ['woocommerce_svc_gateway_enabled' => '1'];
    foreach (Shop::$options[Settings::OPTION] as $key => $value) {
        $posted["woocommerce_svc_gateway_$key"] = $value;
    }
    $method->set_post_data($posted);
    do_action('woocommerce_update_options_payment_gateways_svc_gateway');
    Check::same('yes', $method->enabled);
    Check::same([], $method->errors);
    Check::same(true, $method->is_available());
    Check::same(false, $method->needs_setup());
});

test('settings: all that the method has are there, and a new shop begins disabled', function (): void {
    $world = new World();
    unset(Shop::$options[Settings::OPTION]);
    $fields = $world->plugin->method()->form_fields;
    foreach (['enabled', 'title', 'gateway_url', 'api_key', 'webhook_secret', 'rate', 'blue_score', 'language', 'late_payments'] as $name) {
        Check::same(true, isset($fields[$name]['title']), $name);
    }
    Check::same('password', $fields['api_key']['type']);
    Check::same('password', $fields['webhook_secret']['type']);
    Check::same('no', $fields['enabled']['default']);
    Check::same(false, Settings::load()->isEnabled());
    Check::holds('https://shop.example/wp-json/svc/v1/webhook', $fields['webhook_secret']['description']);
});

test('settings: the gateway URL is https, or http to this machine', function (): void {
    foreach (['https://a.example', 'https://a.example/', 'https://a.example:8443/sub/', 'http://127.0.0.1:8510', 'http://localhost', 'http://[::1]:1'] as $url) {
        Check::same(true, GatewayUrl::parse($url) !== null, $url);
    }
    foreach ([
        'a.example', 'ftp://a.example', 'javascript:alert(1)', '//a.example', 'https://', 'https:///x', 'https://a.example?x=1',
        'https://a.example#x', 'https://a.example\\@b.example', "https://a.example\n", 'https://a b.example', 'http://127.1.example',
        'http://127.0.0.1.evil.example', 'http://0.0.0.0', 'http://10.0.0.1', 'https://a.example:0', 'https://a.example:99999',
        'https://ü.example', 'https://a.example/' . str_repeat('x', 2048),
    ] as $url) {
        Check::same(null, GatewayUrl::parse($url), $url);
    }
    Check::same('https://a.example/sub/api', GatewayUrl::parse('https://a.example/sub/')?->of('/api'));
});

test('settings: a payment page belongs to the gateway when scheme, host and port are the same', function (): void {
    $gateway = GatewayUrl::parse('https://pay.example/sub');
    foreach (['https://pay.example/checkout/inv_1', 'https://PAY.example:443/x?y#z'] as $url) {
        Check::same(true, $gateway?->owns($url), $url);
    }
    foreach ([
        'https://evil.example/checkout/inv_1', 'http://pay.example/checkout/inv_1', 'https://pay.example:444/', 'https://pay.example@evil.example/',
        'https://pay.example\\@evil.example/', 'javascript:alert(1)//https://pay.example/', 'https://pay.example.evil.example/', '/checkout/inv_1', '',
    ] as $url) {
        Check::same(false, $gateway?->owns($url), $url);
    }
});

test('settings: the language of the payment page is the browser’s, the shop’s or a fixed one', function (): void {
    Shop::$locale = 'de_AT';
    foreach ([['browser', null], ['shop', 'de'], ['es', 'es'], ['en', 'en'], ['xx', null]] as [$setting, $language]) {
        Check::same($language, (new Settings(['language' => $setting]))->checkoutLanguage(), $setting);
    }
    Shop::$locale = 'fr_FR';
    Check::same(null, (new Settings(['language' => 'shop']))->checkoutLanguage());
});
