<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

use SvcGateway\Money\Sompi;

/** An invoice as the gateway's API tells it. */
final class InvoiceRecord
{
    public const STATUSES = ['new', 'partial', 'paid', 'confirmed', 'overpaid', 'expired', 'paidLate'];

    /** Transactions of which the plugin keeps the ids. */
    private const MAX_TRANSACTIONS = 20;

    /** @param list<string> $transactions Ids of transactions on the chain that paid it, 64 hex digits each. */
    private function __construct(
        public readonly string $id,
        public readonly string $orderId,
        public readonly string $amountSompi,
        public readonly string $paidSompi,
        public readonly string $overpaidSompi,
        public readonly string $status,
        public readonly string $checkoutUrl,
        /** Unix seconds. */
        public readonly int $expiresAt,
        /** Grows with each change; null from a gateway that does not count them. */
        public readonly ?int $version,
        /** Enough is paid and as deep as asked, late payments counted. */
        public readonly bool $settled,
        /** Somebody said by hand what it counts as. */
        public readonly bool $marked,
        /** A reorganisation took a confirmation back, and it has not come again. */
        public readonly bool $reorged,
        /** The time to pay is over, and the amount did not come in it. */
        public readonly bool $expired,
        public readonly array $transactions,
    ) {
    }

    public static function isId(mixed $id): bool
    {
        return is_string($id) && preg_match('/^inv_[A-Za-z0-9_-]{1,128}$/D', $id) === 1;
    }

    /** Reads the JSON of an answer; null for anything that is no invoice, also for a status that is not known here. */
    public static function parse(mixed $json): ?self
    {
        if (!is_array($json)) {
            return null;
        }
        $id = $json['id'] ?? null;
        $orderId = $json['orderId'] ?? null;
        $status = $json['status'] ?? null;
        $amount = $json['amountSompi'] ?? null;
        $paid = $json['paidSompi'] ?? '0';
        $overpaid = $json['overpaidSompi'] ?? '0';
        $checkout = $json['checkoutUrl'] ?? null;
        $expires = $json['expiresAt'] ?? 0;
        $version = $json['version'] ?? null;
        $isRight = self::isId($id) && is_string($orderId) && is_string($checkout)
            && in_array($status, self::STATUSES, true)
            && Sompi::isText($amount) && Sompi::isText($paid) && Sompi::isText($overpaid)
            && is_int($expires) && ($version === null || (is_int($version) && $version >= 0));
        if (!$isRight) {
            return null;
        }

        return new self(
            $id,
            $orderId,
            $amount,
            $paid,
            $overpaid,
            $status,
            $checkout,
            $expires,
            $version,
            ($json['settled'] ?? false) === true,
            ($json['marked'] ?? null) !== null,
            ($json['reorged'] ?? false) === true,
            $status === 'expired' || ($json['expired'] ?? false) === true,
            self::transactionsIn($json['payments'] ?? []),
        );
    }

    /** Whether an order may be fulfilled for it. */
    public function isFinal(): bool
    {
        return $this->status === 'confirmed' || $this->status === 'overpaid';
    }

    public function hasPayment(): bool
    {
        return $this->paidSompi !== '0';
    }

    /** @return list<string> */
    private static function transactionsIn(mixed $payments): array
    {
        $found = [];
        foreach (is_array($payments) ? $payments : [] as $payment) {
            $id = is_array($payment) ? $payment['txid'] ?? $payment['transactionId'] ?? null : null;
            $isOnChain = ($payment['state'] ?? 'mined') === 'mined';
            if ($isOnChain && is_string($id) && preg_match('/^[0-9a-f]{64}$/D', $id) === 1) {
                $found[$id] = true;
            }
            if (count($found) === self::MAX_TRANSACTIONS) {
                break;
            }
        }

        return array_map('strval', array_keys($found));
    }
}
