<?php

declare(strict_types=1);

namespace SvcGateway\Order;

use Closure;
use SvcGateway\Gateway\FailureKind;
use SvcGateway\Gateway\GatewayFailure;
use SvcGateway\Log;

/** The hourly job that reads open invoices again, so that no order hangs on a webhook that never came. */
final class Reconciliation
{
    public const HOOK = 'svc_gateway_reconcile';

    public const GROUP = 'svc-gateway';

    /** Page of the list of open orders that the next run takes. */
    public const PAGE = 'svc_gateway_reconcile_page';

    private const EVERY_S = 3_600;

    /** Orders of a run: some reads a second for a minute. */
    private const ORDERS = 100;

    /** Seconds until the next run where a run did not reach the end of the list. */
    private const SOON_S = 120;

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly InvoiceSync $sync, private readonly Closure $now)
    {
    }

    /** Puts the job on the schedule where it is not. */
    public static function ensure(int $now): void
    {
        if (function_exists('as_has_scheduled_action') && !as_has_scheduled_action(self::HOOK, null, self::GROUP)) {
            as_schedule_recurring_action($now + self::EVERY_S, self::EVERY_S, self::HOOK, [], self::GROUP, true);
        }
    }

    public static function stop(): void
    {
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK, [], self::GROUP);
        }
    }

    /** Reads the invoices of the next page of open orders. It ends early where the gateway is away. */
    public function run(): void
    {
        $page = max(1, (int) get_option(self::PAGE, 1));
        $ids = wc_get_orders([
            'limit' => self::ORDERS,
            'page' => $page,
            'orderby' => 'ID',
            'order' => 'ASC',
            'return' => 'ids',
            'type' => 'shop_order',
            'meta_key' => OrderInvoice::OPEN,
            'meta_value' => '1',
        ]);
        foreach ($ids as $id) {
            if (!$this->look((int) $id)) {
                return;
            }
        }
        $isFull = count($ids) === self::ORDERS;
        update_option(self::PAGE, $isFull ? $page + 1 : 1, false);
        if ($isFull) {
            as_schedule_single_action(($this->now)() + self::SOON_S, self::HOOK, [], self::GROUP);
        }
    }

    /** False where the gateway is away. */
    private function look(int $id): bool
    {
        try {
            $this->sync->sync($id);
        } catch (GatewayFailure $failure) {
            Log::warning("order $id was not reconciled: {$failure->getMessage()}");

            return $failure->kind !== FailureKind::Unreachable;
        } catch (OrderBusy | UpdateFailure $failure) {
            Log::warning("order $id was not reconciled: {$failure->getMessage()}");
        }

        return true;
    }
}
