<?php

declare(strict_types=1);

namespace SvcGateway\Webhook;

use Closure;
use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Log;
use SvcGateway\Order\InvoiceSync;
use SvcGateway\Order\OrderBusy;
use SvcGateway\Order\SyncResult;
use SvcGateway\Order\UpdateFailure;
use SvcGateway\Settings;
use WP_REST_Request;
use WP_REST_Response;

/**
 * The receiver of webhooks, `POST /wp-json/svc/v1/webhook`. Everybody may call it; what has no right signature is refused. A right
 * one is a hint to look at an order: it is answered with 2xx when the order is as the gateway says, and else the gateway repeats it.
 */
final class WebhookReceiver
{
    /** Bytes of a body, far above an invoice with all its payments. */
    private const MAX_BODY = 1_048_576;

    /** Seconds after which a gateway may try again. */
    private const RETRY_S = '10';

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly InvoiceSync $sync, private readonly Closure $now)
    {
    }

    public function register(): void
    {
        register_rest_route('svc/v1', '/webhook', [
            'methods' => 'POST',
            'callback' => [$this, 'receive'],
            // The signature is what permits.
            'permission_callback' => '__return_true',
        ]);
    }

    public function receive(WP_REST_Request $request): WP_REST_Response
    {
        $body = (string) $request->get_body();
        if (strlen($body) > self::MAX_BODY) {
            return $this->refusal(413, 'too_large');
        }
        $header = $request->get_header('svc-signature');
        $secret = Settings::load()->webhookSecret();
        if (!WebhookSignature::isRight($secret, is_string($header) ? $header : null, $body, ($this->now)())) {
            Log::debug('a webhook without a right signature was refused');

            return $this->refusal(401, 'bad_signature');
        }
        $event = WebhookEvent::parse($body);
        if ($event === null) {
            return $this->refusal(400, 'bad_event');
        }
        if ($event->invoice === '') {
            return $this->answer(200, ['ok' => true, 'result' => 'ping']);
        }

        return $event->order === 0 ? $this->done(SyncResult::Unknown) : $this->process($event);
    }

    private function process(WebhookEvent $event): WP_REST_Response
    {
        try {
            return $this->done($this->sync->sync($event->order, $event->invoice, $event->id, $event->version));
        } catch (OrderBusy) {
            return $this->later('busy');
        } catch (GatewayFailure | UpdateFailure $failure) {
            Log::warning("order {$event->order}: event {$event->id} waits: {$failure->getMessage()}");

            return $this->later('not_processed');
        }
    }

    private function done(SyncResult $result): WP_REST_Response
    {
        $isOurs = $result === SyncResult::Applied || $result === SyncResult::Duplicate;

        return $this->answer($isOurs ? 200 : 202, ['ok' => true, 'result' => $result->value]);
    }

    private function later(string $code): WP_REST_Response
    {
        $response = $this->refusal(503, $code);
        $response->header('Retry-After', self::RETRY_S);

        return $response;
    }

    private function refusal(int $status, string $code): WP_REST_Response
    {
        return $this->answer($status, ['error' => "The webhook was not taken: $code.", 'code' => $code]);
    }

    /** @param array<string, mixed> $body */
    private function answer(int $status, array $body): WP_REST_Response
    {
        return new WP_REST_Response($body, $status);
    }
}
