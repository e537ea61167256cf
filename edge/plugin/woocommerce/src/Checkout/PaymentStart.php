<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use Closure;
use SvcGateway\Gateway\FailureKind;
use SvcGateway\Gateway\GatewayClient;
use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Gateway\InvoiceRecord;
use SvcGateway\Gateway\InvoiceRequest;
use SvcGateway\Log;
use SvcGateway\Money\Sompi;
use SvcGateway\Order\InvoiceSync;
use SvcGateway\Order\OrderBusy;
use SvcGateway\Order\OrderInvoice;
use SvcGateway\Order\OrderLock;
use SvcGateway\Order\OrderUpdate;
use SvcGateway\Order\Reconciliation;
use SvcGateway\Order\UpdateFailure;
use SvcGateway\Settings;
use WC_Order;

/**
 * Start of a payment: from an order to the page where its invoice is paid.
 *
 * An order has one invoice at a time. It gets a new one, as a new attempt, only when nothing was paid of the last one and that has
 * expired, is unknown to the gateway, or is for another total. An attempt whose answer was lost is repeated with the same bytes and
 * the same idempotency key, so that it makes no second invoice.
 */
final class PaymentStart
{
    /** Attempts in one go: a repeated one may give an invoice that has expired since, or a key that was used before. */
    private const TRIES = 3;

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(
        private readonly InvoiceSync $sync,
        private readonly GatewayClient $client,
        private readonly OrderLock $lock,
        private readonly Closure $now,
    ) {
    }

    /**
     * The page to send the customer to.
     *
     * @param string $returnUrl Page of the shop to which the checkout leads back.
     *
     * @throws StartFailure
     */
    public function start(WC_Order $order, string $returnUrl): string
    {
        $settings = Settings::load();
        if (!$settings->isEnabled()) {
            throw $this->failure();
        }
        $id = $order->get_id();
        try {
            [$page, $isPaid] = $this->lock->with($id, fn (): array => $this->pageOf($order, $settings, $returnUrl));
        } catch (OrderBusy) {
            throw new StartFailure(__('Your order is being processed. Please try again in a moment.', 'svc-gateway'));
        } catch (GatewayFailure | UpdateFailure $failure) {
            Log::warning("order $id: no payment: {$failure->getMessage()}");
            throw $this->failure();
        }
        Reconciliation::ensure(($this->now)());
        if ($isPaid) {
            $this->tell($id);
        }

        return $page;
    }

    /** Brings an order up to date whose invoice was paid while nobody told; the webhook or the hourly job does it else. */
    private function tell(int $order): void
    {
        try {
            $this->sync->sync($order);
        } catch (GatewayFailure | OrderBusy | UpdateFailure $failure) {
            Log::warning("order $order: {$failure->getMessage()}");
        }
    }

    /**
     * The page, and whether something was paid already.
     *
     * @return array{string, bool}
     */
    private function pageOf(WC_Order $order, Settings $settings, string $returnUrl): array
    {
        $order->read_meta_data(true);
        $invoice = new OrderInvoice($order);
        $record = $this->payableInvoice($invoice);
        if ($record === null) {
            return [$this->pageOfNewInvoice($invoice, $settings, $returnUrl), false];
        }
        $isDone = $record->isFinal() || $record->status === 'paid';

        return [$isDone ? $returnUrl : $this->checked($record), $record->hasPayment()];
    }

    /** The invoice that the order has already, as it is now; null where the order is to get a new one. */
    private function payableInvoice(OrderInvoice $invoice): ?InvoiceRecord
    {
        if ($invoice->id() === '') {
            return null;
        }
        try {
            $record = $this->client->readInvoice($invoice->id());
        } catch (GatewayFailure $failure) {
            return $failure->kind === FailureKind::Missing ? null : throw $failure;
        }
        $isOver = $record->expired || $invoice->price() !== OrderUpdate::priceOf($invoice->order);

        return $isOver && !$record->hasPayment() ? null : $record;
    }

    private function pageOfNewInvoice(OrderInvoice $invoice, Settings $settings, string $returnUrl): string
    {
        $price = OrderUpdate::priceOf($invoice->order);
        for ($try = 1; $try <= self::TRIES; $try += 1) {
            if (!$this->mayRepeat($invoice, $price)) {
                $this->begin($invoice, $settings, $price, $returnUrl);
            }
            $record = $this->attempted($invoice);
            if ($record !== null) {
                $page = $this->checked($record);
                $this->take($invoice, $record, $price);

                return $page;
            }
            $invoice->endAttempt();
            $invoice->order->save();
        }
        throw new GatewayFailure(FailureKind::Unexpected, 'the gateway gave no invoice that can be paid');
    }

    /** Whether the last attempt is to be repeated: what came of it is not known, and an invoice of it could still be paid. */
    private function mayRepeat(OrderInvoice $invoice, string $price): bool
    {
        $isFresh = ($this->now)() < $invoice->requestedAt() + InvoiceRequest::EXPIRES_IN_S;

        return $invoice->request() !== '' && $invoice->requestPrice() === $price && $isFresh;
    }

    /** Writes an attempt down before the gateway hears of it. */
    private function begin(OrderInvoice $invoice, Settings $settings, string $price, string $returnUrl): void
    {
        $body = InvoiceRequest::bodyFor($invoice->order, $settings, $returnUrl)
            ?? throw new GatewayFailure(FailureKind::Refused, "the total $price is no amount at this rate");
        $invoice->beginAttempt($body, $price, ($this->now)());
        $invoice->order->save();
    }

    /** The invoice of the attempt that was begun; null where a further attempt is to be made. */
    private function attempted(OrderInvoice $invoice): ?InvoiceRecord
    {
        $body = $invoice->request();
        $order = $invoice->order;
        try {
            $record = $this->client->createInvoice($body, InvoiceRequest::invoiceKey($order->get_id(), $invoice->attempt()));
        } catch (GatewayFailure $failure) {
            if ($failure->kind === FailureKind::Conflict) {
                return null;
            }
            if ($failure->kind === FailureKind::Refused) {
                $invoice->endAttempt();
                $order->save();
            }
            throw $failure;
        }
        $asked = json_decode($body, true);
        if ($record->orderId !== (string) $order->get_id() || $record->amountSompi !== ($asked['amountSompi'] ?? null)) {
            throw new GatewayFailure(FailureKind::Unexpected, 'the invoice is of another order or amount');
        }

        return $record->expired && !$record->hasPayment() ? null : $record;
    }

    private function take(OrderInvoice $invoice, InvoiceRecord $record, string $price): void
    {
        $order = $invoice->order;
        // A repeated attempt has the rate of its first try.
        $asked = json_decode($invoice->request(), true);
        $invoice->take($record, $price, (string) ($asked['metadata']['rate'] ?? ''));
        $order->save();
        $note = sprintf(
            /* translators: 1: invoice id, 2: amount in coins */
            __('Invoice %1$s was made over %2$s coins.', 'svc-gateway'),
            $record->id,
            Sompi::inCoins($record->amountSompi),
        );
        if ($order->has_status(['failed', 'cancelled'])) {
            $order->update_status('pending', $note);
        } else {
            $order->add_order_note($note);
        }
    }

    /** The payment page of a record, if it is one to which a customer may be sent. */
    private function checked(InvoiceRecord $record): string
    {
        if (Settings::load()->gatewayUrl()?->owns($record->checkoutUrl) !== true) {
            throw new GatewayFailure(FailureKind::Unexpected, 'the payment page is not at the gateway');
        }

        return $record->checkoutUrl;
    }

    private function failure(): StartFailure
    {
        return new StartFailure(__('The payment could not be started. Please try again, or choose another method.', 'svc-gateway'));
    }
}
