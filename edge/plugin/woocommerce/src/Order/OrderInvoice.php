<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use SvcGateway\Gateway\InvoiceRecord;
use SvcGateway\Plugin;
use WC_Order;

/**
 * What an order knows of its invoices, in its own meta data. It is read and written by the order object alone, so that it is where
 * WooCommerce keeps the order. Whoever changes something saves the order.
 */
final class OrderInvoice
{
    private const ID = '_svc_invoice_id';
    private const AMOUNT = '_svc_invoice_amount';
    private const RATE = '_svc_invoice_rate';
    private const PRICE = '_svc_invoice_price';
    private const CHECKOUT = '_svc_invoice_checkout';
    private const EXPIRES = '_svc_invoice_expires';
    private const FACTS = '_svc_invoice_facts';
    private const REQUEST = '_svc_request';
    private const REQUEST_PRICE = '_svc_request_price';
    private const REQUEST_AT = '_svc_request_at';
    private const EARLIER = '_svc_invoices_earlier';
    private const EVENTS = '_svc_events';
    private const REFUNDS = '_svc_refunds';
    private const FULFILLED = '_svc_fulfilled';
    private const CANCELLED = '_svc_cancelled';
    private const STOPPED = '_svc_stopped';

    /** Number of the last attempt to pay: every order that ever had one has it. */
    public const ATTEMPT = '_svc_attempt';

    /** Marks an order that the reconciliation looks after; its value is `1`. */
    public const OPEN = '_svc_open';

    /** Everything above, for whoever removes it. */
    public const ALL = [
        self::ID, self::AMOUNT, self::RATE, self::PRICE, self::CHECKOUT, self::EXPIRES, self::FACTS, self::ATTEMPT, self::REQUEST,
        self::REQUEST_PRICE, self::REQUEST_AT, self::EARLIER, self::EVENTS, self::REFUNDS, self::FULFILLED, self::CANCELLED, self::STOPPED, self::OPEN,
    ];

    /** Ids of events that an order remembers: more than are on their way at once. */
    private const MAX_EVENTS = 50;

    /** Invoices of earlier attempts that an order remembers. */
    private const MAX_EARLIER = 10;

    public function __construct(public readonly WC_Order $order)
    {
    }

    /** Id of the invoice that the order waits for; empty before there is one. */
    public function id(): string
    {
        return $this->text(self::ID);
    }

    public function amount(): string
    {
        return $this->text(self::AMOUNT);
    }

    /** Coins for one unit of the currency, as they were when the invoice was made. */
    public function rate(): string
    {
        return $this->text(self::RATE);
    }

    /** Total and currency that the invoice is for, to be compared with `priceOf`. */
    public function price(): string
    {
        return $this->text(self::PRICE);
    }

    public function checkoutUrl(): string
    {
        return $this->text(self::CHECKOUT);
    }

    /** Unix seconds at which the invoice expires, as its last record says. */
    public function expiresAt(): int
    {
        return $this->facts()?->expiresAt ?? (int) $this->text(self::EXPIRES);
    }

    /** Takes a new invoice as the order's own. The one before is remembered: it may still be paid. */
    public function take(InvoiceRecord $record, string $price, string $rate): void
    {
        if ($this->id() !== '' && $this->id() !== $record->id) {
            $earlier = [$this->id() => '0'] + $this->earlier();
            $this->set(self::EARLIER, array_slice($earlier, 0, self::MAX_EARLIER, true));
        }
        $this->set(self::ID, $record->id);
        $this->set(self::AMOUNT, $record->amountSompi);
        $this->set(self::PRICE, $price);
        $this->set(self::RATE, $rate);
        $this->set(self::CHECKOUT, $record->checkoutUrl);
        $this->set(self::EXPIRES, (string) $record->expiresAt);
        $this->order->delete_meta_data(self::FACTS);
        $this->endAttempt();
        $this->order->delete_meta_data(self::CANCELLED);
        $this->order->delete_meta_data(self::STOPPED);
        $this->order->delete_meta_data(self::FULFILLED);
        $this->setOpen(true);
    }

    /** Number of the last attempt to pay; 0 before the first. */
    public function attempt(): int
    {
        return (int) $this->text(self::ATTEMPT);
    }

    /** The request of that attempt, byte for byte, while it is not known what came of it; empty otherwise. */
    public function request(): string
    {
        return $this->text(self::REQUEST);
    }

    /** Total and currency that this request is for. */
    public function requestPrice(): string
    {
        return $this->text(self::REQUEST_PRICE);
    }

    /** Unix seconds at which this request was made. */
    public function requestedAt(): int
    {
        return (int) $this->text(self::REQUEST_AT);
    }

    /** Begins an attempt at a time; its request is kept so that a repetition sends the same bytes. */
    public function beginAttempt(string $body, string $price, int $now): void
    {
        $this->set(self::ATTEMPT, (string) ($this->attempt() + 1));
        // In texts of their own: WordPress takes backslashes out of texts in arrays.
        $this->set(self::REQUEST, $body);
        $this->set(self::REQUEST_PRICE, $price);
        $this->set(self::REQUEST_AT, (string) $now);
    }

    /** Forgets the request of the last attempt: what came of it is known. */
    public function endAttempt(): void
    {
        $this->order->delete_meta_data(self::REQUEST);
        $this->order->delete_meta_data(self::REQUEST_PRICE);
        $this->order->delete_meta_data(self::REQUEST_AT);
    }

    /** Facts of the invoice as they were applied last; null before that. */
    public function facts(): ?InvoiceFacts
    {
        return InvoiceFacts::fromStored($this->order->get_meta(self::FACTS));
    }

    public function setFacts(InvoiceFacts $facts): void
    {
        $this->set(self::FACTS, $facts->toStored());
    }

    /**
     * Invoices of earlier attempts with what was paid of each, in sompi, newest first.
     *
     * @return array<string, string>
     */
    public function earlier(): array
    {
        $earlier = $this->order->get_meta(self::EARLIER);

        return is_array($earlier) ? array_filter($earlier, 'is_string') : [];
    }

    public function setEarlierPaid(string $id, string $paid): void
    {
        $this->set(self::EARLIER, [$id => $paid] + $this->earlier());
    }

    public function hasEvent(string $event): bool
    {
        return in_array($event, $this->events(), true);
    }

    public function rememberEvent(string $event): void
    {
        $this->set(self::EVENTS, array_slice([...$this->events(), $event], -self::MAX_EVENTS));
    }

    /** Whether the plugin has marked the order as paid for its invoice, and no reorganisation took that back. */
    public function isFulfilled(): bool
    {
        return $this->text(self::FULFILLED) === 'yes';
    }

    /** Whether it had, and a reorganisation did. */
    public function wasTakenBack(): bool
    {
        return $this->text(self::FULFILLED) === 'reorged';
    }

    public function setFulfilled(bool $isFulfilled): void
    {
        $this->set(self::FULFILLED, $isFulfilled ? 'yes' : 'reorged');
    }

    /** Whether the plugin cancelled the order because its invoice expired. */
    public function isCancelledByExpiry(): bool
    {
        return $this->text(self::CANCELLED) === 'expired';
    }

    public function setCancelledByExpiry(bool $isCancelled): void
    {
        $isCancelled ? $this->set(self::CANCELLED, 'expired') : $this->order->delete_meta_data(self::CANCELLED);
    }

    /** Whether somebody had cancelled the order before money came for it: it is not marked as paid by itself then. */
    public function isStopped(): bool
    {
        return $this->text(self::STOPPED) === 'yes';
    }

    public function setStopped(): void
    {
        $this->set(self::STOPPED, 'yes');
    }

    public function isOpen(): bool
    {
        return $this->text(self::OPEN) === '1';
    }

    public function setOpen(bool $isOpen): void
    {
        $isOpen ? $this->set(self::OPEN, '1') : $this->order->delete_meta_data(self::OPEN);
    }

    /**
     * Refund claims of the order, oldest first.
     *
     * @return list<array{id: string, url: string, amount: string, kind: string}>
     */
    public function refunds(): array
    {
        $refunds = $this->order->get_meta(self::REFUNDS);

        return is_array($refunds) ? array_values($refunds) : [];
    }

    /** @param array{id: string, url: string, amount: string, kind: string} $refund */
    public function addRefund(array $refund): void
    {
        $this->set(self::REFUNDS, [...$this->refunds(), $refund]);
    }

    /** Whether the order is to be paid by this plugin. */
    public function isOurs(): bool
    {
        return $this->order->get_payment_method() === Plugin::METHOD;
    }

    /** @return list<string> */
    private function events(): array
    {
        $events = $this->order->get_meta(self::EVENTS);

        return is_array($events) ? array_values(array_filter($events, 'is_string')) : [];
    }

    private function text(string $key): string
    {
        $value = $this->order->get_meta($key);

        return is_scalar($value) ? (string) $value : '';
    }

    /** @param string|array<int|string, mixed> $value */
    private function set(string $key, string|array $value): void
    {
        $this->order->update_meta_data($key, $value);
    }
}
