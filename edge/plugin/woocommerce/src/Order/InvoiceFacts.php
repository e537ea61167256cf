<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use SvcGateway\Gateway\InvoiceRecord;
use SvcGateway\Money\Sompi;

/** The part of an invoice that an order keeps: what was applied to it last, and what its page in the admin shows. */
final class InvoiceFacts
{
    /** @param list<string> $transactions */
    private function __construct(
        public readonly string $status,
        public readonly ?int $version,
        public readonly string $paidSompi,
        public readonly string $overpaidSompi,
        public readonly bool $reorged,
        public readonly bool $expired,
        public readonly int $expiresAt,
        /** Unix seconds of the last change that was seen. */
        public readonly int $changedAt,
        public readonly array $transactions,
    ) {
    }

    public static function of(InvoiceRecord $record, int $now): self
    {
        return new self(
            $record->status,
            $record->version,
            $record->paidSompi,
            $record->overpaidSompi,
            $record->reorged,
            $record->expired,
            $record->expiresAt,
            $now,
            $record->transactions,
        );
    }

    /** @return array<string, mixed> */
    public function toStored(): array
    {
        return get_object_vars($this);
    }

    /** Reads what `toStored` gave; null for anything else. */
    public static function fromStored(mixed $stored): ?self
    {
        if (!is_array($stored) || !in_array($stored['status'] ?? null, InvoiceRecord::STATUSES, true)) {
            return null;
        }
        $amount = static fn (string $key): string => Sompi::isText($stored[$key] ?? null) ? $stored[$key] : '0';
        $transactions = $stored['transactions'] ?? [];

        return new self(
            $stored['status'],
            is_int($stored['version'] ?? null) ? $stored['version'] : null,
            $amount('paidSompi'),
            $amount('overpaidSompi'),
            ($stored['reorged'] ?? false) === true,
            ($stored['expired'] ?? false) === true,
            (int) ($stored['expiresAt'] ?? 0),
            (int) ($stored['changedAt'] ?? 0),
            is_array($transactions) ? array_values(array_filter($transactions, 'is_string')) : [],
        );
    }

    /** Whether a record is older than these facts. */
    public function isNewerThan(InvoiceRecord $record): bool
    {
        return $this->version !== null && $record->version !== null && $record->version < $this->version;
    }

    /** Whether a record says the same, so that there is nothing to do. */
    public function says(InvoiceRecord $record): bool
    {
        return $this->status === $record->status && $this->paidSompi === $record->paidSompi
            && $this->reorged === $record->reorged && $this->expired === $record->expired;
    }
}
