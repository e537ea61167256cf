<?php

declare(strict_types=1);

namespace SvcGateway;

use SvcGateway\Gateway\GatewayUrl;
use SvcGateway\Money\Decimal;

/** The settings of the payment method, read from its option. Each has a safe value where the option lacks it. */
final class Settings
{
    public const OPTION = 'woocommerce_' . Plugin::METHOD . '_settings';

    /** Languages that the checkout page speaks. */
    public const LANGUAGES = ['en', 'de', 'es'];

    public const DEFAULT_BLUE_SCORE = '10';

    /** @param array<string, mixed> $values */
    public function __construct(private readonly array $values)
    {
    }

    public static function load(): self
    {
        $values = get_option(self::OPTION, []);

        return new self(is_array($values) ? $values : []);
    }

    /**
     * Keeps the method from being switched on while something is missing, whoever writes the option: the settings page, the list of
     * payment methods, the REST API or a program.
     */
    public static function refuseIncomplete(mixed $values): mixed
    {
        if (is_array($values) && (new self($values))->problems() !== []) {
            $values['enabled'] = 'no';
        }

        return $values;
    }

    /**
     * What keeps the method from being used, in the shop's language, each by the setting that it is about.
     *
     * @return array<string, string>
     */
    public function problems(): array
    {
        $rate = Decimal::parse($this->rate());
        $score = $this->text('blue_score', self::DEFAULT_BLUE_SCORE);

        return array_filter([
            'gateway_url' => GatewayUrl::parse($this->text('gateway_url')) !== null ? '' : __(
                'The gateway URL is missing, or it is no https address (http is taken for this machine alone).',
                'svc-gateway',
            ),
            'api_key' => preg_match('/^[\x21-\x7e]{1,512}$/D', $this->apiKey()) === 1 ? '' : __(
                'The API key is missing, or it has spaces or other characters that no key has.',
                'svc-gateway',
            ),
            'webhook_secret' => $this->webhookSecret() !== '' ? '' : __(
                'The webhook secret is missing: without it anybody could report a payment.',
                'svc-gateway',
            ),
            'rate' => $rate !== null && $rate->isPositive() ? '' : __(
                'The conversion rate is no positive decimal number, such as 0.25.',
                'svc-gateway',
            ),
            'blue_score' => preg_match('/^[1-9]\d{0,4}$/D', $score) === 1 && (int) $score <= 10_000 ? '' : __(
                'The required blue score is no whole number from 1 to 10000.',
                'svc-gateway',
            ),
        ], static fn (string $text): bool => $text !== '');
    }

    public function isEnabled(): bool
    {
        return $this->text('enabled') === 'yes' && $this->problems() === [];
    }

    public function title(): string
    {
        $title = $this->text('title');

        return $title === '' ? __('Shielded payment', 'svc-gateway') : $title;
    }

    public function description(): string
    {
        return $this->text('description');
    }

    public function gatewayUrl(): ?GatewayUrl
    {
        return GatewayUrl::parse($this->text('gateway_url'));
    }

    public function apiKey(): string
    {
        return $this->text('api_key');
    }

    public function webhookSecret(): string
    {
        return $this->text('webhook_secret');
    }

    /** Coins for one unit of the shop's currency, a decimal text. */
    public function rate(): string
    {
        return $this->text('rate');
    }

    public function requiredBlueScore(): int
    {
        return (int) $this->text('blue_score', self::DEFAULT_BLUE_SCORE);
    }

    /** Language of the checkout page; null leaves it to the customer's browser. */
    public function checkoutLanguage(): ?string
    {
        $language = $this->text('language', 'browser');
        if ($language === 'shop') {
            $language = substr(get_locale(), 0, 2);
        }

        return in_array($language, self::LANGUAGES, true) ? $language : null;
    }

    /** Whether a full payment that came late is taken as if it had come in time. */
    public function acceptsLatePayments(): bool
    {
        return $this->text('late_payments', 'hold') === 'accept';
    }

    public function writesDebugLog(): bool
    {
        return $this->text('debug') === 'yes';
    }

    private function text(string $key, string $default = ''): string
    {
        $value = $this->values[$key] ?? $default;

        return is_scalar($value) ? trim((string) $value) : $default;
    }
}
