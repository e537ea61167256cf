<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use Closure;
use SvcGateway\Admin\AlertKind;
use SvcGateway\Admin\Alerts;
use SvcGateway\Gateway\InvoiceRecord;
use SvcGateway\Log;
use SvcGateway\Money\Sompi;
use SvcGateway\Settings;
use WC_Order;

/**
 * What an invoice's record does to its order. An order is fulfilled for `confirmed` and `overpaid` alone, and once. Each step can
 * be taken again: a process that dies in the middle does no harm. Whoever calls it holds the order's lock and saves the order.
 */
final class OrderUpdate
{
    /** Seconds after its last change for which an invoice is looked at again: as long as a gateway repeats its webhooks. */
    private const WATCH_S = 259_200;

    /** Orders that wait for their payment. */
    private const WAITING = ['pending', 'failed', 'on-hold', 'cancelled'];

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly Alerts $alerts, private readonly Closure $now)
    {
    }

    /** Applies a record of the order's own invoice. An older one than the last is ignored, and the same one changes nothing. */
    public function apply(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $before = $invoice->facts();
        if ($before?->isNewerThan($record) === true) {
            Log::debug("order {$invoice->order->get_id()}: version {$record->version} is older than {$before->version}");

            return;
        }
        if ($before?->says($record) !== true) {
            $this->change($invoice, $record, $before);
        }
        $changedAt = $before?->says($record) === true ? $before->changedAt : ($this->now)();
        $invoice->setFacts(InvoiceFacts::of($record, $changedAt));
        $invoice->setOpen($this->isWatched($record, $changedAt));
    }

    /** Whether a record is that of a full payment that came late, and the merchant's settings take such ones. */
    public function mayAcceptLate(OrderInvoice $invoice, InvoiceRecord $record): bool
    {
        return $record->status === 'paidLate' && $record->settled && !$record->marked && Settings::load()->acceptsLatePayments()
            && !$invoice->order->is_paid() && !$invoice->isFulfilled() && $this->obstacle($invoice) === null;
    }

    /** Applies a record of an invoice that a later attempt replaced: money that came for it is shown to the merchant. */
    public function applyEarlier(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        if (!$record->hasPayment() || ($invoice->earlier()[$record->id] ?? null) === $record->paidSompi) {
            return;
        }
        $note = sprintf(
            /* translators: 1: invoice id, 2: amount in coins */
            __('Invoice %1$s of an earlier attempt was paid: %2$s coins. Decide whether to fulfil the order or to refund it.', 'svc-gateway'),
            $record->id,
            Sompi::inCoins($record->paidSompi),
        );
        $this->hold($invoice, $note, AlertKind::EarlierPaid);
        $invoice->setEarlierPaid($record->id, $record->paidSompi);
    }

    /** Tells the merchant once that the gateway's record does not fit the order. */
    public function reportMismatch(OrderInvoice $invoice): void
    {
        $this->alerts->add($invoice->order->get_id(), AlertKind::Mismatch);
    }

    private function change(OrderInvoice $invoice, InvoiceRecord $record, ?InvoiceFacts $before): void
    {
        if ($record->reorged && $invoice->isFulfilled()) {
            $this->takeBack($invoice);

            return;
        }
        match ($record->status) {
            'new' => $this->waitAgain($invoice, $before),
            'partial' => $record->expired ? $this->failPartial($invoice, $record) : $this->holdPartial($invoice, $record),
            'paid' => $this->holdPaid($invoice),
            'confirmed', 'overpaid' => $this->fulfil($invoice, $record),
            'expired' => $this->cancel($invoice),
            'paidLate' => $this->holdLate($invoice, $record),
        };
    }

    private function waitAgain(OrderInvoice $invoice, ?InvoiceFacts $before): void
    {
        if ($before !== null && $before->status !== 'new') {
            $invoice->order->add_order_note(__('The payment is no longer on the chain. The invoice waits for it again.', 'svc-gateway'));
        }
    }

    private function holdPartial(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $this->hold($invoice, sprintf(
            /* translators: 1: paid amount, 2: asked amount, both in coins */
            __('Part of the payment has come: %1$s of %2$s coins.', 'svc-gateway'),
            Sompi::inCoins($record->paidSompi),
            Sompi::inCoins($record->amountSompi),
        ));
    }

    private function holdPaid(OrderInvoice $invoice): void
    {
        $this->hold($invoice, __('The payment has come and waits for its confirmation. Do not fulfil the order yet.', 'svc-gateway'));
    }

    private function holdLate(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $this->hold($invoice, sprintf(
            /* translators: 1: paid amount, 2: asked amount, both in coins */
            __('A payment came after the invoice had expired: %1$s of %2$s coins. Decide whether to fulfil the order or to refund it.', 'svc-gateway'),
            Sompi::inCoins($record->paidSompi),
            Sompi::inCoins($record->amountSompi),
        ), AlertKind::PaidLate);
    }

    /** Time is over, and nobody has paid. */
    private function cancel(OrderInvoice $invoice): void
    {
        $order = $invoice->order;
        $note = __('The invoice has expired without a payment.', 'svc-gateway');
        if ($invoice->wasTakenBack() || $invoice->isFulfilled()) {
            $this->hold($invoice, $note, AlertKind::Reorged);
        } elseif ($invoice->isOurs() && $order->has_status(['pending', 'on-hold'])) {
            // WooCommerce puts the stock back with this status.
            $this->setStatus($order, 'cancelled', $note);
            $invoice->setCancelledByExpiry(true);
        }
    }

    /** Time is over, and only a part was paid. */
    private function failPartial(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $order = $invoice->order;
        $note = sprintf(
            /* translators: 1: paid amount, 2: asked amount, both in coins */
            __('The invoice has expired with a part of it paid: %1$s of %2$s coins. The customer can still pay the rest on the payment page; else refund it.', 'svc-gateway'),
            Sompi::inCoins($record->paidSompi),
            Sompi::inCoins($record->amountSompi),
        );
        if ($invoice->wasTakenBack() || !$invoice->isOurs() || !$order->has_status(['pending', 'on-hold'])) {
            $this->hold($invoice, $note, AlertKind::PartialExpired);

            return;
        }
        $this->setStatus($order, 'failed', $note);
        // WooCommerce leaves the stock of a failed order reduced.
        wc_maybe_increase_stock_levels($order->get_id());
        $this->alerts->add($order->get_id(), AlertKind::PartialExpired);
    }

    /** The whole amount is there and confirmed. */
    private function fulfil(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $order = $invoice->order;
        if ($order->is_paid()) {
            $this->notePaidBefore($invoice, $record);
        } elseif ($this->mayComplete($invoice)) {
            if ($order->payment_complete($record->transactions[0] ?? $record->id) !== true) {
                throw new UpdateFailure("order {$order->get_id()}: WooCommerce did not take the payment");
            }
            $order->add_order_note(sprintf(
                /* translators: 1: amount in coins, 2: invoice id */
                __('Paid and confirmed: %1$s coins for invoice %2$s.', 'svc-gateway'),
                Sompi::inCoins($record->paidSompi),
                $record->id,
            ));
        }
        if ($order->is_paid() && $invoice->isOurs()) {
            $invoice->setFulfilled(true);
        }
        if ($record->status === 'overpaid') {
            $order->add_order_note(sprintf(
                /* translators: %s: amount in coins */
                __('The customer paid %s coins too much. They can be refunded by an order action.', 'svc-gateway'),
                Sompi::inCoins($record->overpaidSompi),
            ));
        }
    }

    /** An order that counts as paid already: by this payment in a process that died, by hand, or by another method. */
    private function notePaidBefore(OrderInvoice $invoice, InvoiceRecord $record): void
    {
        $order = $invoice->order;
        $transaction = $order->get_transaction_id();
        if ($invoice->isFulfilled() || in_array($transaction, [...$record->transactions, $record->id], true)) {
            return;
        }
        $order->add_order_note(__('The payment is confirmed. The order was marked as paid before.', 'svc-gateway'));
        if (!$invoice->isOurs()) {
            $this->alerts->add($order->get_id(), AlertKind::PaidAnotherWay);
        }
    }

    /** Whether the order may be fulfilled now; where it may not, the merchant is told why. */
    private function mayComplete(OrderInvoice $invoice): bool
    {
        // Somebody took a paid order out of its status by hand.
        if ($invoice->isFulfilled()) {
            return false;
        }
        $alert = $this->obstacle($invoice);
        if ($alert !== null) {
            $this->hold($invoice, $alert->text(), $alert);
        }

        return $alert === null;
    }

    /** Why the plugin does not mark an unpaid order as paid by itself; null where it does. */
    private function obstacle(OrderInvoice $invoice): ?AlertKind
    {
        $order = $invoice->order;
        $isStopped = $invoice->isStopped() || ($order->has_status('cancelled') && !$invoice->isCancelledByExpiry());

        return match (true) {
            !$invoice->isOurs() => AlertKind::PaidAnotherWay,
            $isStopped, !$order->has_status(self::WAITING) => AlertKind::PaidAfterCancel,
            $invoice->price() !== self::priceOf($order) => AlertKind::TotalChanged,
            default => null,
        };
    }

    /** A reorganisation took the confirmation back after the order was fulfilled. */
    private function takeBack(OrderInvoice $invoice): void
    {
        $order = $invoice->order;
        $note = __('The chain was reorganised and the payment is no longer confirmed. Do not ship until it is again.', 'svc-gateway');
        if ($order->is_paid()) {
            $this->setStatus($order, 'on-hold', $note);
        } else {
            $order->add_order_note($note);
        }
        $invoice->setFulfilled(false);
        $this->alerts->add($order->get_id(), AlertKind::Reorged);
    }

    /** Puts an unpaid order on hold; one that is paid or closed gets the note alone. */
    private function hold(OrderInvoice $invoice, string $note, ?AlertKind $alert = null): void
    {
        $order = $invoice->order;
        if ($order->has_status('cancelled') && !$invoice->isCancelledByExpiry()) {
            $invoice->setStopped();
        }
        if ($order->has_status(['pending', 'failed', 'cancelled'])) {
            $this->setStatus($order, 'on-hold', $note);
            $invoice->setCancelledByExpiry(false);
        } else {
            $order->add_order_note($note);
        }
        if ($alert !== null) {
            $this->alerts->add($order->get_id(), $alert);
        }
    }

    private function setStatus(WC_Order $order, string $status, string $note): void
    {
        if ($order->update_status($status, $note) !== true) {
            throw new UpdateFailure("order {$order->get_id()}: WooCommerce did not take the status $status");
        }
    }

    private function isWatched(InvoiceRecord $record, int $changedAt): bool
    {
        $isWaiting = !$record->isFinal() && !$record->expired && $record->status !== 'paidLate';

        return $isWaiting || ($this->now)() < max($changedAt, $record->expiresAt) + self::WATCH_S;
    }

    /** What an invoice of the order is for: its total and its currency. */
    public static function priceOf(WC_Order $order): string
    {
        return Sompi::totalOf($order) . ' ' . $order->get_currency();
    }
}
