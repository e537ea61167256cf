<?php

declare(strict_types=1);

namespace SvcGateway;

use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use Automattic\WooCommerce\Utilities\FeaturesUtil;
use Closure;
use SvcGateway\Admin\Alerts;
use SvcGateway\Admin\OrderActions;
use SvcGateway\Admin\OrderBox;
use SvcGateway\Checkout\BlockPaymentMethod;
use SvcGateway\Checkout\CustomerPages;
use SvcGateway\Checkout\PaymentMethod;
use SvcGateway\Checkout\PaymentStart;
use SvcGateway\Gateway\GatewayClient;
use SvcGateway\Order\InvoiceSync;
use SvcGateway\Order\OrderLock;
use SvcGateway\Order\OrderUpdate;
use SvcGateway\Order\Reconciliation;
use SvcGateway\Order\RefundClaims;
use SvcGateway\Webhook\WebhookReceiver;

/** Wiring of the plugin: makes its parts and hangs them on the hooks of WordPress and WooCommerce. */
final class Plugin
{
    /** Id of the payment method, also in the name of its option and of the block's data. */
    public const METHOD = 'svc_gateway';

    public const VERSION = '0.1.0';

    private ?PaymentMethod $method = null;

    /**
     * @param string         $file The plugin's main file.
     * @param Closure(): int $now  Unix seconds.
     */
    public function __construct(private readonly string $file, private readonly Closure $now)
    {
    }

    /** Hangs the plugin on its hooks. Nothing else happens before WooCommerce is there. */
    public function register(): void
    {
        add_action('before_woocommerce_init', [$this, 'declareCompatibility']);
        add_action('init', [$this, 'loadTranslations']);
        add_action('plugins_loaded', [$this, 'start']);
        register_deactivation_hook($this->file, [Reconciliation::class, 'stop']);
    }

    /** Says that the plugin works with order tables (HPOS) and with the blocks of cart and checkout. */
    public function declareCompatibility(): void
    {
        if (!class_exists(FeaturesUtil::class)) {
            return;
        }
        FeaturesUtil::declare_compatibility('custom_order_tables', $this->file, true);
        FeaturesUtil::declare_compatibility('cart_checkout_blocks', $this->file, true);
    }

    public function loadTranslations(): void
    {
        load_plugin_textdomain('svc-gateway', false, dirname(plugin_basename($this->file)) . '/languages');
    }

    /** Makes the parts, once WooCommerce is loaded; without it the plugin does nothing. */
    public function start(): void
    {
        if (!class_exists('WC_Payment_Gateway')) {
            return;
        }
        add_filter('pre_update_option_' . Settings::OPTION, [Settings::class, 'refuseIncomplete']);
        add_filter('woocommerce_payment_gateways', [$this, 'addMethod']);
        add_action('woocommerce_blocks_payment_method_type_registration', [$this, 'addBlockMethod']);
        add_action('rest_api_init', fn () => $this->webhooks()->register());
        add_action(Reconciliation::HOOK, fn () => $this->reconciliation()->run());
        add_action('action_scheduler_init', fn () => is_admin() && Reconciliation::ensure(($this->now)()));
        (new CustomerPages($this->now))->register();
        if (is_admin()) {
            (new Alerts($this->now))->register();
            (new OrderBox())->register();
            (new OrderActions($this->sync(), $this->refunds()))->register();
        }
    }

    /**
     * @param array<int, mixed> $methods
     *
     * @return array<int, mixed>
     */
    public function addMethod(array $methods): array
    {
        $methods[] = $this->method();

        return $methods;
    }

    public function addBlockMethod(PaymentMethodRegistry $registry): void
    {
        $registry->register(new BlockPaymentMethod($this->file));
    }

    /** The payment method; one object for all that asks for it. */
    public function method(): PaymentMethod
    {
        return $this->method ??= new PaymentMethod(
            new PaymentStart($this->sync(), $this->client(), new OrderLock($this->now), $this->now),
            $this->refunds(),
        );
    }

    public function webhooks(): WebhookReceiver
    {
        return new WebhookReceiver($this->sync(), $this->now);
    }

    public function reconciliation(): Reconciliation
    {
        return new Reconciliation($this->sync(), $this->now);
    }

    public function sync(): InvoiceSync
    {
        $update = new OrderUpdate(new Alerts($this->now), $this->now);

        return new InvoiceSync($this->client(), $update, new OrderLock($this->now));
    }

    public function refunds(): RefundClaims
    {
        return new RefundClaims($this->client(), new OrderLock($this->now));
    }

    private function client(): GatewayClient
    {
        return new GatewayClient();
    }
}
