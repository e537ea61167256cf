<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use RuntimeException;

/** Stands for the end of a request in WordPress: a redirect, `wp_die`, a wrong nonce. */
final class Ended extends RuntimeException
{
}
