<?php

/** Stub of WordPress' database, for the statements that the plugin makes, and of what must not be called at all. */

declare(strict_types=1);

use SvcGateway\Tests\Shop;

/** Documented: wpdb, with the table name `options` among its properties. */
class wpdb
{
    public string $options = 'wp_options';

    /** Documented: wpdb::prepare( string $query, mixed ...$args ): string */
    public function prepare(string $query, mixed ...$args): string
    {
        return vsprintf(str_replace('%s', "'%s'", $query), array_map('addslashes', $args));
    }

    /** Documented: wpdb::esc_like( string $text ): string */
    public function esc_like(string $text): string
    {
        return addcslashes($text, '_%\\');
    }

    /** Documented: wpdb::query( string $query ): int|bool, the number of changed rows. */
    public function query(string $query): int|bool
    {
        preg_match_all("/'((?:[^'\\\\]|\\\\.)*)'/", $query, $found);
        $values = array_map('stripslashes', $found[1]);

        return match (strtok($query, ' ')) {
            'INSERT' => $this->insert($values[0], $values[1]),
            'UPDATE' => $this->update($values[0], $values[1], $values[2]),
            'DELETE' => str_contains($query, 'LIKE') ? $this->deleteLike($values[0]) : $this->delete($values[0], $values[1]),
        };
    }

    /** Documented: wpdb::get_var( string|null $query = null, int $x = 0, int $y = 0 ): string|null */
    public function get_var(?string $query = null, int $x = 0, int $y = 0): ?string
    {
        preg_match("/= '([^']*)'/", (string) $query, $found);

        return Shop::$options[$found[1]] ?? null;
    }

    private function insert(string $name, string $value): int
    {
        if (isset(Shop::$options[$name])) {
            return 0;
        }
        Shop::$options[$name] = $value;

        return 1;
    }

    private function update(string $value, string $name, string $held): int
    {
        if ((Shop::$options[$name] ?? null) !== $held) {
            return 0;
        }
        Shop::$options[$name] = $value;

        return 1;
    }

    private function delete(string $name, string $held): int
    {
        if ((Shop::$options[$name] ?? null) !== $held) {
            return 0;
        }
        unset(Shop::$options[$name]);

        return 1;
    }

    private function deleteLike(string $pattern): int
    {
        $prefix = stripslashes(rtrim($pattern, '%'));
        $names = array_filter(array_keys(Shop::$options), static fn (string $name): bool => str_starts_with($name, $prefix));
        foreach ($names as $name) {
            unset(Shop::$options[$name]);
        }

        return count($names);
    }
}

$GLOBALS['wpdb'] = new wpdb();

/** Documented: get_post_meta( int $post_id, string $key = '', bool $single = false ): mixed. Orders may be no posts, so nothing may call it. */
function get_post_meta(int $post_id, string $key = '', bool $single = false): mixed
{
    throw new LogicException('meta data of an order was read past the order');
}

/** Documented: update_post_meta( int $post_id, string $meta_key, mixed $meta_value, mixed $prev_value = '' ): int|bool. See get_post_meta. */
function update_post_meta(int $post_id, string $meta_key, mixed $meta_value, mixed $prev_value = ''): int|bool
{
    throw new LogicException('meta data of an order was written past the order');
}
