<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use RuntimeException;

/** A refund claim was not opened. The message is for the merchant, in the language of the shop. */
final class RefundFailure extends RuntimeException
{
}
