<?php

/**
 * A shop that does what BTCPay's WooCommerce plugin does, behind PHP's own server: `php -S 127.0.0.1:0 router.php`, with a file for its
 * state in `SVC_SHOP_STATE`. A test tells it what its merchant and its customers do, and the gateway calls its webhook.
 */

declare(strict_types=1);

namespace SvcGateway\BtcpayTests;

use Throwable;

require __DIR__ . '/GreenfieldCalls.php';
require __DIR__ . '/OrderBook.php';

const HOOK = '/wc-api/btcpaygf_default/';

/**
 * Does it; what comes back is the answer.
 *
 * @param array<string, mixed> $asked
 *
 * @return array<mixed>
 */
function done(string $path, array $asked, OrderBook $book): array
{
    switch ($path) {
        case '/connect':
            $book->state['settings'] = ['url' => $asked['url'], 'key' => $asked['key'], 'store' => $asked['store']];
            $calls = $book->calls();
            $fault = $calls->faultOfKey();
            if ($fault !== null) {
                return ['fault' => $fault];
            }
            $book->state['webhook'] = $calls->addWebhook($asked['self'] . HOOK);

            return ['server' => $calls->server(), 'methods' => $calls->methods(), 'webhook' => $calls->webhook($book->state['webhook']['id'])];
        case '/order':
            $number = (string) $asked['number'];
            $made = $book->calls()->createInvoice($number, $asked['total'], $asked['currency'], 'https://shop.example/received');
            $book->state['orders'][$number] = ['status' => 'pending', 'invoice' => $made['id'], 'events' => [], 'deliveries' => []];

            return $made;
        case '/again':
            // A customer who comes back goes on with the invoice unless it is over.
            $known = $book->calls()->invoice($book->state['orders'][$asked['number']]['invoice']);

            return ['redirect' => in_array($known['status'], ['Expired', 'Invalid'], true) ? null : "/i/{$known['id']}"];
        case '/mark':
            return $book->calls()->mark($book->state['orders'][$asked['number']]['invoice'], $asked['status']);
        case '/find':
            return $book->calls()->invoicesOf($asked['number']);
        case '/refund':
            return $book->calls()->refund($asked['number'], $asked['amount'], $asked['currency']);
        case '/secret':
            $hook = $book->state['webhook'];
            $book->state['webhook']['secret'] = $asked['secret'];

            return $book->calls()->updateWebhook($hook['id'], $asked['self'] . HOOK, $asked['secret']);
        case '/down':
            $book->state['down'] = $asked['down'];

            return [];
        case '/state':
            return ['orders' => (object) $book->state['orders'], 'refused' => $book->state['refused']];
        default:
            http_response_code(404);

            return ['error' => "no $path"];
    }
}

$path = (string) parse_url((string) $_SERVER['REQUEST_URI'], PHP_URL_PATH);
$body = (string) file_get_contents('php://input');
$book = new OrderBook((string) getenv('SVC_SHOP_STATE'));
header('Content-Type: application/json');
try {
    if ($path === HOOK) {
        if ($book->state['down']) {
            http_response_code(503);
        } elseif (!$book->isSigned($body, (string) ($_SERVER['HTTP_BTCPAY_SIG'] ?? ''))) {
            $book->state['refused']++;
            http_response_code(500);
        } else {
            $book->hear(json_decode($body, true, 512, JSON_THROW_ON_ERROR));
        }
    } else {
        echo json_encode(done($path, json_decode($body === '' ? '{}' : $body, true, 512, JSON_THROW_ON_ERROR), $book));
    }
    $book->save();
} catch (Throwable $error) {
    http_response_code(500);
    echo json_encode(['error' => $error->getMessage()]);
}
