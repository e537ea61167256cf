<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use SvcGateway\Gateway\FailureKind;
use SvcGateway\Gateway\GatewayClient;
use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Gateway\InvoiceRequest;
use SvcGateway\Gateway\RefundClaim;
use SvcGateway\Log;
use SvcGateway\Money\Digits;
use SvcGateway\Money\Sompi;
use SvcGateway\Settings;
use WC_Order;

/**
 * Refund claims: the chain does not tell who paid, so the payer names an address on a page of the gateway, and the merchant approves
 * the refund there. The plugin opens the claim and hands its link on.
 */
final class RefundClaims
{
    /** Characters of a reason. */
    private const MAX_REASON = 200;

    public function __construct(private readonly GatewayClient $client, private readonly OrderLock $lock)
    {
    }

    /**
     * Opens a claim over an amount in the shop's currency, at the rate of the order's invoice.
     *
     * @throws RefundFailure
     */
    public function openForPrice(WC_Order $order, string $price, string $reason): void
    {
        $this->open($order, 'price', static function (OrderInvoice $invoice) use ($price): string {
            return Sompi::ofPrice($price, $invoice->rate())
                ?? throw new RefundFailure(__('This is no amount that can be refunded.', 'svc-gateway'));
        }, $reason);
    }

    /**
     * Opens a claim over what was paid beyond the invoice's amount.
     *
     * @throws RefundFailure
     */
    public function openForExcess(WC_Order $order): void
    {
        $reason = __('Paid too much', 'svc-gateway');
        $this->open($order, 'excess', static fn (OrderInvoice $invoice): string => self::excess($invoice), $reason);
    }

    /**
     * Opens a claim over all that was paid and is not claimed yet.
     *
     * @throws RefundFailure
     */
    public function openForRest(WC_Order $order): void
    {
        $reason = __('Refund of the payment', 'svc-gateway');
        $this->open($order, 'rest', static fn (OrderInvoice $invoice): string => self::left($invoice), $reason);
    }

    /** What was paid of the order's invoice and is in no claim, in sompi. */
    public static function left(OrderInvoice $invoice): string
    {
        $left = $invoice->facts()?->paidSompi ?? '0';
        foreach ($invoice->refunds() as $refund) {
            $left = Digits::difference($left, $refund['amount']);
        }

        return $left;
    }

    /** What was paid beyond the amount and was not claimed as such, in sompi. */
    public static function excess(OrderInvoice $invoice): string
    {
        $excess = $invoice->facts()?->overpaidSompi ?? '0';
        foreach ($invoice->refunds() as $refund) {
            $excess = $refund['kind'] === 'excess' ? Digits::difference($excess, $refund['amount']) : $excess;
        }

        return $excess;
    }

    /** @param callable(OrderInvoice): string $amountOf */
    private function open(WC_Order $order, string $kind, callable $amountOf, string $reason): void
    {
        try {
            $this->lock->with($order->get_id(), function () use ($order, $kind, $amountOf, $reason): void {
                $order->read_meta_data(true);
                $invoice = new OrderInvoice($order);
                $this->openAlone($invoice, $kind, $amountOf($invoice), $reason);
            });
        } catch (OrderBusy) {
            throw new RefundFailure(__('The order is being worked on. Try again in a moment.', 'svc-gateway'));
        } catch (GatewayFailure $failure) {
            Log::warning("order {$order->get_id()}: no refund claim: {$failure->getMessage()}");
            throw new RefundFailure(__('The gateway did not open a refund claim. The log says why.', 'svc-gateway'));
        }
    }

    private function openAlone(OrderInvoice $invoice, string $kind, string $amount, string $reason): void
    {
        $left = self::left($invoice);
        if ($amount === '0' || Digits::compare($amount, $left) > 0) {
            throw new RefundFailure(sprintf(
                /* translators: %s: amount in coins */
                __('At most %s coins of this order can be refunded.', 'svc-gateway'),
                Sompi::inCoins($left),
            ));
        }
        $asked = $kind === 'excess' ? ['amount' => 'overpaid'] : ['amount' => 'custom', 'amountSompi' => $amount];
        $reason = self::printable($reason);
        $body = (string) wp_json_encode($reason === '' ? $asked : $asked + ['reason' => $reason]);
        $claim = $this->claim($invoice, $body);
        if (Settings::load()->gatewayUrl()?->owns($claim->url) !== true) {
            throw new GatewayFailure(FailureKind::Unexpected, 'the claim is on a foreign page');
        }
        $invoice->addRefund(['id' => $claim->id, 'url' => $claim->url, 'amount' => $claim->amountSompi, 'kind' => $kind]);
        $invoice->order->save();
        $invoice->order->add_order_note(sprintf(
            /* translators: 1: amount in coins, 2: link */
            __('%1$s coins are refunded to you. Name the address that they go to: %2$s', 'svc-gateway'),
            Sompi::inCoins($claim->amountSompi),
            $claim->url,
        ), 1);
    }

    /** A reason as the gateway takes it: in one line, and not too long. */
    private static function printable(string $reason): string
    {
        $line = trim((string) preg_replace('/[\p{C}\p{Zl}\p{Zp}]+/u', ' ', $reason));

        return preg_match('/^.{0,' . self::MAX_REASON . '}/us', $line, $part) === 1 ? $part[0] : '';
    }

    /** A claim whose answer was lost has the same number when it is tried again; another amount makes it the next number. */
    private function claim(OrderInvoice $invoice, string $body): RefundClaim
    {
        $order = $invoice->order->get_id();
        $number = count($invoice->refunds()) + 1;
        try {
            return $this->client->createRefund($invoice->id(), $body, InvoiceRequest::refundKey($order, $number));
        } catch (GatewayFailure $failure) {
            if ($failure->kind !== FailureKind::Conflict) {
                throw $failure;
            }
            $key = InvoiceRequest::refundKey($order, $number) . '-' . substr(hash('sha256', $body), 0, 8);

            return $this->client->createRefund($invoice->id(), $body, $key);
        }
    }
}
