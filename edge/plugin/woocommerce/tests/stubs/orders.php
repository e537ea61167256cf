<?php

/** Stubs of WooCommerce's orders. They are stored when they are saved, and not before. Each names the documented signature. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: WC_Order extends WC_Abstract_Order extends WC_Abstract_Legacy_Order extends WC_Data. */
class WC_Order
{
    /** @var array<string, mixed> */
    private array $row;

    /** @var array{string, string, string}|null From, to and note of a change of status that is not saved. */
    private ?array $transition = null;

    public function __construct(private readonly int $id)
    {
        $this->row = Shop::$orders[$id];
        if (Shop::$cache !== null) {
            $this->row['meta'] = Shop::$cache[$id] ??= $this->row['meta'];
        }
    }

    /** Documented: WC_Data::get_id(): int */
    public function get_id(): int
    {
        return $this->id;
    }

    /** Documented: WC_Order::get_total( string $context = 'view' ): float by its comment, a decimal text as it is stored */
    public function get_total(string $context = 'view'): string|float
    {
        return $this->row['total'];
    }

    /** Documented: WC_Abstract_Order::get_currency( string $context = 'view' ): string */
    public function get_currency(string $context = 'view'): string
    {
        return $this->row['currency'];
    }

    /** Documented: WC_Order::get_payment_method( string $context = 'view' ): string */
    public function get_payment_method(string $context = 'view'): string
    {
        return $this->row['payment_method'];
    }

    /** Documented: WC_Order::get_transaction_id( string $context = 'view' ): string */
    public function get_transaction_id(string $context = 'view'): string
    {
        return $this->row['transaction_id'];
    }

    /** Documented: WC_Abstract_Order::get_status( string $context = 'view' ): string */
    public function get_status(string $context = 'view'): string
    {
        return $this->row['status'];
    }

    /** Documented: WC_Abstract_Order::has_status( string|array $status ): bool */
    public function has_status(string|array $status): bool
    {
        return in_array($this->row['status'], (array) $status, true);
    }

    /** Documented: WC_Order::is_paid(): bool, true for `wc_get_is_paid_statuses()`, which are processing and completed */
    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    /** Documented: WC_Order::get_edit_order_url(): string */
    public function get_edit_order_url(): string
    {
        return Shop::$url . "/wp-admin/admin.php?page=wc-orders&action=edit&id={$this->id}";
    }

    /** Documented: WC_Order::get_checkout_order_received_url(): string */
    public function get_checkout_order_received_url(): string
    {
        return Shop::$url . "/checkout/order-received/{$this->id}/?key=wc_order_{$this->id}";
    }

    /** Documented: WC_Data::get_meta( string $key = '', bool $single = true, string $context = 'view' ): mixed, `''` where there is none */
    public function get_meta(string $key = '', bool $single = true, string $context = 'view'): mixed
    {
        return $this->row['meta'][$key] ?? '';
    }

    /**
     * Documented: WC_Data::update_meta_data( string $key, string|array $value, int $meta_id = 0 ). Where orders are posts, WordPress takes
     * backslashes out of texts in arrays; this does so always.
     */
    public function update_meta_data(string $key, string|array $value, int $meta_id = 0): void
    {
        if (is_array($value)) {
            array_walk_recursive($value, static function (mixed &$one): void {
                $one = is_string($one) ? stripslashes($one) : $one;
            });
        }
        $this->row['meta'][$key] = $value;
    }

    /** Documented: WC_Data::delete_meta_data( string $key ) */
    public function delete_meta_data(string $key): void
    {
        unset($this->row['meta'][$key]);
    }

    /** Documented: WC_Data::read_meta_data( bool $force_read = false ); past the cache where it is forced */
    public function read_meta_data(bool $force_read = false): void
    {
        $this->row['meta'] = Shop::$orders[$this->id]['meta'];
    }

    /** Documented: WC_Order::add_order_note( string $note, int $is_customer_note = 0, bool $added_by_user = false ): int; stored at once */
    public function add_order_note(string $note, int $is_customer_note = 0, bool $added_by_user = false): int
    {
        Shop::$orders[$this->id]['notes'][] = [$note, $is_customer_note === 1];

        return count(Shop::$orders[$this->id]['notes']);
    }

    /** Documented: WC_Order::save(): int; then the hooks of a change of status run */
    public function save(): int
    {
        $stored = Shop::$orders[$this->id];
        Shop::$orders[$this->id] = ['notes' => $stored['notes'], 'stock_reduced' => $stored['stock_reduced']] + $this->row;
        $transition = $this->transition;
        $this->transition = null;
        if ($transition !== null) {
            [$from, $to, $note] = $transition;
            do_action("woocommerce_order_status_$to", $this->id, $this, ['from' => $from, 'to' => $to, 'note' => $note]);
            $this->add_order_note(trim("$note Order status changed from $from to $to."));
        }

        return $this->id;
    }

    /** Documented: WC_Order::update_status( string $new_status, string $note = '', bool $manual = false ): bool; saves */
    public function update_status(string $new_status, string $note = '', bool $manual = false): bool
    {
        if (Shop::$failsToSave) {
            return false;
        }
        $from = $this->row['status'];
        $this->row['status'] = $new_status;
        $this->transition = $from === $new_status ? null : [$from, $new_status, $note];
        $this->save();

        return true;
    }

    /**
     * Documented: WC_Order::payment_complete( string $transaction_id = '' ): bool. It changes orders that are on hold, pending, failed or
     * cancelled, and no others.
     */
    public function payment_complete(string $transaction_id = ''): bool
    {
        if (Shop::$failsToSave) {
            return false;
        }
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->row['transaction_id'] = $transaction_id;
            $this->row['paid_times'] = ($this->row['paid_times'] ?? 0) + 1;
            $this->update_status($this->row['downloadable'] ? 'completed' : 'processing');
        }

        return true;
    }
}

/** Documented: wc_get_order( mixed $the_order = false ): bool|WC_Order|WC_Order_Refund */
function wc_get_order(mixed $the_order = false): bool|WC_Order
{
    $id = is_numeric($the_order) ? (int) $the_order : 0;

    return isset(Shop::$orders[$id]) ? new WC_Order($id) : false;
}

/** Documented: wc_get_orders( array $args ): stdClass|WC_Order[], ids with `return` = `ids`; see WC_Order_Query for the arguments */
function wc_get_orders(array $args): array
{
    $found = array_filter(array_keys(Shop::$orders), static function (int $id) use ($args): bool {
        $value = Shop::$orders[$id]['meta'][$args['meta_key']] ?? null;

        return ($args['meta_compare'] ?? '=') === 'EXISTS' ? $value !== null : $value === $args['meta_value'];
    });
    sort($found);
    $page = array_slice($found, (($args['page'] ?? 1) - 1) * $args['limit'], $args['limit']);

    return ($args['return'] ?? 'objects') === 'ids' ? $page : array_map(static fn (int $id): WC_Order => new WC_Order($id), $page);
}

/** Documented: wc_maybe_increase_stock_levels( int $order_id ); does nothing where the stock is not reduced */
function wc_maybe_increase_stock_levels(int $order_id): void
{
    Shop::$orders[$order_id]['stock_reduced'] = false;
}

/** Documented: wc_get_price_decimals(): int */
function wc_get_price_decimals(): int
{
    return 2;
}
