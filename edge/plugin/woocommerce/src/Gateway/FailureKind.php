<?php

declare(strict_types=1);

namespace SvcGateway\Gateway;

/** Why a call to the gateway came to nothing, by what its caller may do next. */
enum FailureKind
{
    /** Nobody answered, or the gateway is busy: the same call may be made again, and it is not known whether this one did anything. */
    case Unreachable;

    /** The gateway understood and will not do it: the same call fails again. */
    case Refused;

    /** The idempotency key was used for another request. */
    case Conflict;

    /** The gateway does not know the invoice. */
    case Missing;

    /** An answer that is not the gateway's: a proxy's page, a redirect, another program. */
    case Unexpected;
}
