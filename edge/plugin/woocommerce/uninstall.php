<?php
/**
 * Runs when the plugin is deleted: removes its settings, alerts, locks and scheduled jobs. What orders know of their payments is the
 * shop's bookkeeping and stays, unless the shop asked WooCommerce to remove all data (`WC_REMOVE_ALL_DATA`).
 */

declare(strict_types=1);

use SvcGateway\Uninstall;

defined('WP_UNINSTALL_PLUGIN') || exit;

require_once __DIR__ . '/src/Plugin.php';
require_once __DIR__ . '/src/Settings.php';
require_once __DIR__ . '/src/Admin/Alerts.php';
require_once __DIR__ . '/src/Order/OrderInvoice.php';
require_once __DIR__ . '/src/Order/OrderLock.php';
require_once __DIR__ . '/src/Order/Reconciliation.php';
require_once __DIR__ . '/src/Uninstall.php';

Uninstall::run(defined('WC_REMOVE_ALL_DATA') && WC_REMOVE_ALL_DATA === true);
