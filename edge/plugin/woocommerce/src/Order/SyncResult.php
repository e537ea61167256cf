<?php

declare(strict_types=1);

namespace SvcGateway\Order;

/** What came of a look at an order's invoice. Its value is the word in the answer to a webhook. */
enum SyncResult: string
{
    /** The order is as the invoice says now. */
    case Applied = 'applied';

    /** The event was processed before. */
    case Duplicate = 'duplicate';

    /** There is no such order here, or the invoice is none of its own. */
    case Unknown = 'unknown';

    /** The gateway's record does not fit the order; somebody was told. */
    case Mismatch = 'mismatch';
}
