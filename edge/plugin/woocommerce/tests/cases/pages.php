<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use SvcGateway\Admin\Alerts;
use SvcGateway\Admin\OrderBox;
use SvcGateway\Settings;
use WP_Post;

/** @param callable(): void $show */
function shown(callable $show): string
{
    ob_start();
    $show();

    return (string) ob_get_clean();
}

test('pages: the plugin declares order tables and the blocks of cart and checkout', function (): void {
    new World();
    Check::same(['custom_order_tables' => true, 'cart_checkout_blocks' => true], Shop::$features);
});

test('pages: the checkout block gets title and description, and no setting beyond them', function (): void {
    $world = new World();
    $registry = new PaymentMethodRegistry();
    do_action('woocommerce_blocks_payment_method_type_registration', $registry);
    $method = $registry->methods['svc_gateway'];
    $method->initialize();
    Check::same(true, $method->is_active());
    Check::same(['svc-gateway-block-checkout'], $method->get_payment_method_script_handles());
    $script = Shop::$scripts['svc-gateway-block-checkout'];
    Check::same('https://shop.example/wp-content/plugins/woocommerce/assets/blockCheckout.js', $script['src']);
    Check::same(true, is_file(dirname(__DIR__, 2) . '/assets/blockCheckout.js'));
    Check::same(['title' => 'Coins', 'description' => 'Pay by coins.', 'supports' => ['products']], $method->get_payment_method_data());
    Shop::$options[Settings::OPTION]['webhook_secret'] = '';
    Check::same(false, $method->is_active());
    Check::same(1, count(apply_filters('woocommerce_payment_gateways', [])));
    Check::same($world->plugin->method(), apply_filters('woocommerce_payment_gateways', [])[0]);
});

test('pages: the box of an order shows the facts of its invoice, with order tables and without', function (): void {
    $world = new World(isAdmin: true);
    do_action('add_meta_boxes');
    Check::same([['svc-gateway-invoice', 'woocommerce_page_wc-orders']], Shop::$boxes);
    Shop::$hasOrderTables = false;
    do_action('add_meta_boxes');
    Check::same('shop_order', Shop::$boxes[1][1]);
    $box = new OrderBox();
    Check::holds('The order has no invoice.', shown(fn () => $box->show(wc_get_order(World::ORDER))));
    $id = $world->started();
    $payments = [['transactionId' => str_repeat('cd', 32)]];
    $world->happens($id, ['status' => 'overpaid', 'paidSompi' => '2600000000', 'overpaidSompi' => '100000000', 'payments' => $payments]);
    $world->plugin->method()->process_refund(World::ORDER, '1.00');
    $post = new WP_Post();
    $post->ID = World::ORDER;
    foreach ([wc_get_order(World::ORDER), $post] as $given) {
        $html = shown(fn () => $box->show($given));
        foreach ([$id, 'Paid too much, confirmed', '25 coins', '26 coins', '1 coins', str_repeat('cd', 32), "{$world->gateway->url}/checkout/$id", '/claim/ref_1', '2.5 coins'] as $fact) {
            Check::holds($fact, $html);
        }
    }
});

test('pages: nothing that came from outside is shown as markup', function (): void {
    $world = new World(isAdmin: true);
    $id = $world->started();
    $evil = '"><script>alert(1)</script>';
    Shop::$orders[World::ORDER]['meta']['_svc_invoice_id'] = $evil;
    Shop::$orders[World::ORDER]['meta']['_svc_invoice_checkout'] = $evil;
    Shop::$orders[World::ORDER]['meta']['_svc_refunds'] = [['id' => 'x', 'url' => "javascript:$evil", 'amount' => '1', 'kind' => 'price']];
    $html = shown(fn () => (new OrderBox())->show(wc_get_order(World::ORDER)));
    Check::lacks('<script', $html);
    Check::lacks('javascript:', $html);
    Shop::$orders[World::ORDER]['meta']['_svc_invoice_id'] = $id;
    Check::lacks('<script', shown(fn () => do_action('woocommerce_thankyou_svc_gateway', World::ORDER)));
    Shop::$options[Settings::OPTION]['gateway_url'] = $evil;
    Check::lacks('<script', shown(fn () => $world->plugin->method()->admin_options()));
});

test('pages: an alert leads to its order, is not doubled, and goes when it is dismissed', function (): void {
    $world = new World(isAdmin: true);
    $world->happens($world->started(), ['status' => 'paidLate', 'expired' => true, 'paidSompi' => '5']);
    $html = shown(fn () => do_action('admin_notices'));
    Check::holds('page=wc-orders&#038;action=edit&#038;id=7', $html);
    Check::holds('A payment came after the invoice had expired.', $html);
    Check::same(1, substr_count($html, 'notice-warning'));
    Check::holds('_wpnonce=nonce-svc_gateway_dismiss', $html);
    $_GET['alert'] = '7-late';
    Check::same('redirected', Check::throws(Ended::class, fn () => do_action('admin_post_svc_gateway_dismiss'))->getMessage());
    Check::same('', shown(fn () => do_action('admin_notices')));
});

test('pages: an alert is shown to and dismissed by who may edit orders, with a right nonce', function (): void {
    $world = new World(isAdmin: true);
    $world->happens($world->started(), ['status' => 'paidLate', 'expired' => true, 'paidSompi' => '5']);
    $_GET['alert'] = '7-late';
    Shop::$hasNonce = false;
    Check::same('nonce', Check::throws(Ended::class, fn () => do_action('admin_post_svc_gateway_dismiss'))->getMessage());
    Shop::$hasNonce = true;
    Shop::$capabilities = [];
    Check::same('died', Check::throws(Ended::class, fn () => do_action('admin_post_svc_gateway_dismiss'))->getMessage());
    Check::same('', shown(fn () => do_action('admin_notices')));
    Check::same(1, count(Shop::$options[Alerts::OPTION]));
});

test('pages: the last 50 alerts are kept', function (): void {
    $alerts = new Alerts(static fn (): int => Shop::$now);
    for ($order = 1; $order <= 60; $order += 1) {
        $alerts->add($order, \SvcGateway\Admin\AlertKind::PaidLate);
    }
    Check::same([50, 11], [count($alerts->all()), array_values($alerts->all())[0]['order']]);
});

test('pages: a customer finds the payment page again until the order is paid', function (): void {
    $world = new World();
    $show = fn (): string => shown(fn () => do_action('woocommerce_thankyou_svc_gateway', World::ORDER));
    Check::same('', $show());
    $id = $world->started();
    Check::holds("{$world->gateway->url}/checkout/$id", $show());
    Check::same($show(), shown(fn () => do_action('woocommerce_view_order', World::ORDER)));
    $world->happens($id, ['status' => 'partial', 'paidSompi' => '1']);
    Check::holds('/checkout/', $show());
    $world->happens($id, ['status' => 'paid', 'paidSompi' => World::AMOUNT]);
    Check::holds('Your payment has come.', $show());
    Check::lacks('/checkout/', $show());
    $world->happens($id, ['status' => 'confirmed', 'paidSompi' => World::AMOUNT]);
    Check::same('', $show());
    Check::same('', shown(fn () => do_action('woocommerce_view_order', 99)));
});

test('pages: an order whose invoice expired can be paid again, one that somebody cancelled cannot', function (): void {
    $world = new World();
    $statuses = fn (): array => apply_filters('woocommerce_valid_order_statuses_for_payment', ['pending', 'failed'], wc_get_order(World::ORDER));
    $id = $world->started();
    Check::same(['pending', 'failed'], $statuses());
    $world->happens($id, ['status' => 'expired', 'expired' => true]);
    Check::same(['pending', 'failed', 'cancelled'], $statuses());
    $world->started();
    Check::same(['pending', 'failed'], $statuses());
});

test('pages: WooCommerce does not cancel an order whose invoice may still be paid', function (): void {
    $world = new World();
    $mayCancel = fn (): bool => apply_filters('woocommerce_cancel_unpaid_order', true, wc_get_order(World::ORDER));
    Check::same(true, $mayCancel());
    $world->started();
    Check::same(false, $mayCancel());
    Shop::$now += 900 + 86_400;
    Check::same(false, $mayCancel());
    Shop::$now += 1;
    Check::same(true, $mayCancel());
    Check::same(false, apply_filters('woocommerce_cancel_unpaid_order', false, wc_get_order(World::ORDER)));
});

test('pages: when the plugin is deleted its options, locks and jobs go, and orders keep what they know', function (): void {
    $world = new World();
    $world->happens($world->started(), ['status' => 'paidLate', 'expired' => true, 'paidSompi' => '5']);
    Shop::$options['svc_gateway_lock_1'] = '1:x';
    Shop::$options['svc_gateway_reconcile_page'] = 2;
    Shop::$options['another'] = 'stays';
    if (!defined('WP_UNINSTALL_PLUGIN')) {
        define('WP_UNINSTALL_PLUGIN', 'svc-gateway/svc-gateway.php');
    }
    require dirname(__DIR__, 2) . '/uninstall.php';
    $left = array_filter(array_keys(Shop::$options), static fn (string $name): bool => !str_starts_with($name, 'stub_'));
    Check::same(['another'], array_values($left));
    Check::same([], Shop::$actions);
    Check::same('paidLate', Shop::meta(World::ORDER, '_svc_invoice_facts')['status']);
});

test('pages: a shop that removes all data of WooCommerce removes that of its orders too', function (): void {
    $world = new World();
    for ($order = 100; $order < 350; $order += 1) {
        Shop::addOrder($order, ['meta' => ['_svc_attempt' => '1', 'other' => 'stays']]);
    }
    $world->started();
    \SvcGateway\Uninstall::run(true);
    Check::same([], Shop::$orders[World::ORDER]['meta']);
    Check::same(['other' => 'stays'], Shop::$orders[349]['meta']);
});
