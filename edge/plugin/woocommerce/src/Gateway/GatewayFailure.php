<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

use RuntimeException;

/** A call to the gateway that came to nothing. Its message is for the log and holds no secret. */
final class GatewayFailure extends RuntimeException
{
    public function __construct(public readonly FailureKind $kind, string $message)
    {
        parent::__construct($message);
    }
}
