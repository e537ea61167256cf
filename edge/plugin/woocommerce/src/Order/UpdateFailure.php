<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use RuntimeException;

/** WooCommerce did not take a change of an order. Nothing was noted as done, so the change is tried again. */
final class UpdateFailure extends RuntimeException
{
}
