<?php

declare(strict_types=1);

namespace SvcGateway\Checkout;

use RuntimeException;

/** A payment could not be started. The message is for the customer, in the language of the shop. */
final class StartFailure extends RuntimeException
{
}
