<?php

declare(strict_types=1);

namespace SvcGateway\Admin;

/** Why a merchant has to look at an order. */
enum AlertKind: string
{
    case PaidLate = 'late';
    case PartialExpired = 'partial';
    case Reorged = 'reorged';
    case PaidAfterCancel = 'cancelled';
    case PaidAnotherWay = 'another';
    case TotalChanged = 'total';
    case EarlierPaid = 'earlier';
    case Mismatch = 'mismatch';

    /** What has happened and what to do, in the language of the shop. */
    public function text(): string
    {
        return match ($this) {
            self::PaidLate => __('A payment came after the invoice had expired. Decide whether to fulfil the order or to refund it.', 'svc-gateway'),
            self::PartialExpired => __('The invoice expired with only a part of it paid. Refund it, or wait for the rest.', 'svc-gateway'),
            self::Reorged => __('A confirmed payment is no longer on the chain. Do not ship until it is confirmed again.', 'svc-gateway'),
            self::PaidAfterCancel => __('The payment is confirmed, but the order had been cancelled or closed. Decide whether to fulfil the order or to refund it.', 'svc-gateway'),
            self::PaidAnotherWay => __('The payment is confirmed, but the order is paid or is to be paid by another method. One of them is to be refunded.', 'svc-gateway'),
            self::TotalChanged => __('The payment is confirmed, but the order has another total now than when its invoice was made. Check it.', 'svc-gateway'),
            self::EarlierPaid => __('An invoice of an earlier attempt was paid. Decide whether to fulfil the order or to refund it.', 'svc-gateway'),
            self::Mismatch => __('The gateway has another order or amount for the invoice of this order. Check the settings of both.', 'svc-gateway'),
        };
    }
}
