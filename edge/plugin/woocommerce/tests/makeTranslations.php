<?php

/** Writes the files in `languages` anew, after a text in the sources or a translation in a `.po` file was changed. */

declare(strict_types=1);

require __DIR__ . '/Check.php';
require __DIR__ . '/Translations.php';

SvcGateway\Tests\Translations::write();
