<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use RuntimeException;

/** Another process is working on the order; the same is worth trying again in a moment. */
final class OrderBusy extends RuntimeException
{
}
