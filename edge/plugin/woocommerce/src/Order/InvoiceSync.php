<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use SvcGateway\Gateway\FailureKind;
use SvcGateway\Gateway\GatewayClient;
use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Gateway\InvoiceRecord;
use SvcGateway\Log;
use WC_Order;

/**
 * Brings an order to what its invoice says. Whoever asks for it only gives a hint: the invoice is read from the gateway each time,
 * and that record alone decides.
 */
final class InvoiceSync
{
    public function __construct(
        private readonly GatewayClient $client,
        private readonly OrderUpdate $update,
        private readonly OrderLock $lock,
    ) {
    }

    /**
     * Reads an invoice of an order and applies it.
     *
     * @param string|null $invoice The invoice meant; the order's own when null.
     * @param string|null $event   Id of the event that asks; it is processed once.
     * @param int|null    $version Version that the event told of: an older record is not taken.
     *
     * @throws GatewayFailure Where the gateway cannot be asked.
     * @throws OrderBusy
     * @throws UpdateFailure
     */
    public function sync(int $order, ?string $invoice = null, ?string $event = null, ?int $version = null): SyncResult
    {
        return $this->lock->with($order, fn (): SyncResult => $this->syncAlone($order, $invoice, $event, $version));
    }

    private function syncAlone(int $id, ?string $wanted, ?string $event, ?int $version): SyncResult
    {
        $order = wc_get_order($id);
        if (!$order instanceof WC_Order) {
            return SyncResult::Unknown;
        }
        // Another process may have changed it between our first look and the lock.
        $order->read_meta_data(true);
        $invoice = new OrderInvoice($order);
        $wanted ??= $invoice->id();
        $isOwn = $wanted !== '' && $wanted === $invoice->id();
        if (!$isOwn && !isset($invoice->earlier()[$wanted])) {
            return SyncResult::Unknown;
        }
        if ($event !== null && $invoice->hasEvent($event)) {
            return SyncResult::Duplicate;
        }
        $record = $this->client->readInvoice($wanted);
        if ($version !== null && $record->version !== null && $record->version < $version) {
            throw new GatewayFailure(FailureKind::Unreachable, "the gateway answers with version {$record->version}, not $version");
        }
        $result = $this->applied($invoice, $record, $wanted, $isOwn);
        if ($event !== null) {
            $invoice->rememberEvent($event);
        }
        $order->save();

        return $result;
    }

    private function applied(OrderInvoice $invoice, InvoiceRecord $record, string $wanted, bool $isOwn): SyncResult
    {
        if ($isOwn && $this->fits($invoice, $record, $wanted, $isOwn) && $this->update->mayAcceptLate($invoice, $record)) {
            $record = $this->accepted($record);
        }
        if (!$this->fits($invoice, $record, $wanted, $isOwn)) {
            Log::warning("order {$invoice->order->get_id()}: the gateway's record of $wanted has another id, order or amount");
            $this->update->reportMismatch($invoice);

            return SyncResult::Mismatch;
        }
        $isOwn ? $this->update->apply($invoice, $record) : $this->update->applyEarlier($invoice, $record);

        return SyncResult::Applied;
    }

    private function fits(OrderInvoice $invoice, InvoiceRecord $record, string $wanted, bool $isOwn): bool
    {
        return $record->id === $wanted && $record->orderId === (string) $invoice->order->get_id()
            && (!$isOwn || $record->amountSompi === $invoice->amount());
    }

    /** The record after the gateway was told to let it count as settled; as it was where the gateway will not. */
    private function accepted(InvoiceRecord $record): InvoiceRecord
    {
        $body = (string) wp_json_encode(['as' => 'settled', 'reason' => 'The shop takes late payments.']);
        try {
            return $this->client->markInvoice($record->id, $body);
        } catch (GatewayFailure $failure) {
            if ($failure->kind === FailureKind::Unreachable) {
                throw $failure;
            }
            Log::warning("a late payment was not accepted: {$failure->getMessage()}");

            return $record;
        }
    }
}
