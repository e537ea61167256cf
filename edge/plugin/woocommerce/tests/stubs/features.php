<?php

/** Stub of WooCommerce's list of features. It names the documented signature. */

declare(strict_types=1);

namespace Automattic\WooCommerce\Utilities;

use SvcGateway\Tests\Shop;

/** Documented: class FeaturesUtil */
class FeaturesUtil
{
    /** Documented: FeaturesUtil::declare_compatibility( string $feature_id, string $plugin_file, bool $positive_compatibility = true ): bool */
    public static function declare_compatibility(string $feature_id, string $plugin_file, bool $positive_compatibility = true): bool
    {
        Shop::$features[$feature_id] = $positive_compatibility;

        return true;
    }
}
