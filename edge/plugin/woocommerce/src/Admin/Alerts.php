<?php

declare(strict_types=1);

namespace SvcGateway\Admin;

use Closure;
use WC_Order;

/** Notices in the admin about orders that a merchant has to look at. They stay until somebody dismisses them. */
final class Alerts
{
    public const OPTION = 'svc_gateway_alerts';

    public const DISMISS = 'svc_gateway_dismiss';

    /** Alerts that are kept: the newest. All of them are notes of their orders too. */
    private const MAX = 50;

    private const CAPABILITY = 'edit_shop_orders';

    /** @param Closure(): int $now Unix seconds. */
    public function __construct(private readonly Closure $now)
    {
    }

    public function register(): void
    {
        add_action('admin_notices', [$this, 'show']);
        add_action('admin_post_' . self::DISMISS, [$this, 'dismiss']);
    }

    /** Adds an alert; one that is there already is not doubled. */
    public function add(int $order, AlertKind $kind): void
    {
        $alerts = $this->all();
        $alerts["$order-{$kind->value}"] = ['order' => $order, 'kind' => $kind->value, 'at' => ($this->now)()];
        update_option(self::OPTION, array_slice($alerts, -self::MAX, null, true), false);
    }

    public function show(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            return;
        }
        foreach ($this->all() as $key => $alert) {
            $kind = AlertKind::tryFrom($alert['kind']);
            if ($kind === null) {
                continue;
            }
            $order = wc_get_order($alert['order']);
            $link = $order instanceof WC_Order ? $order->get_edit_order_url() : '';
            $dismiss = wp_nonce_url(
                admin_url('admin-post.php?action=' . self::DISMISS . '&alert=' . rawurlencode((string) $key)),
                self::DISMISS,
            );
            printf(
                '<div class="notice notice-warning"><p><a href="%s">%s</a>: %s <a href="%s">%s</a></p></div>',
                esc_url($link),
                /* translators: %d: number of the order */
                esc_html(sprintf(__('Order %d', 'svc-gateway'), $alert['order'])),
                esc_html($kind->text()),
                esc_url($dismiss),
                esc_html(__('Dismiss', 'svc-gateway')),
            );
        }
    }

    /** Answers the link that removes an alert. */
    public function dismiss(): void
    {
        check_admin_referer(self::DISMISS);
        if (!current_user_can(self::CAPABILITY)) {
            wp_die(esc_html(__('You may not do this.', 'svc-gateway')), '', ['response' => 403]);
        }
        $key = isset($_GET['alert']) && is_string($_GET['alert']) ? sanitize_text_field(wp_unslash($_GET['alert'])) : '';
        $alerts = $this->all();
        unset($alerts[$key]);
        update_option(self::OPTION, $alerts, false);
        wp_safe_redirect(wp_get_referer() ?: admin_url());
        exit;
    }

    /** @return array<string, array{order: int, kind: string, at: int}> */
    public function all(): array
    {
        $alerts = get_option(self::OPTION, []);

        return is_array($alerts) ? $alerts : [];
    }
}
