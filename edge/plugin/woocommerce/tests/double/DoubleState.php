<?php

declare(strict_types=1);

namespace SvcGateway\Tests\Double;

/** State of the gateway double: invoices, idempotency keys, requests that came, and the faults that a test asked for. */
final class DoubleState
{
    private const EMPTY = ['now' => 0, 'invoices' => [], 'keys' => [], 'requests' => [], 'refunds' => [], 'fault' => null, 'foreign' => null];

    /** @var array<string, mixed> */
    public array $data;

    public function __construct(private readonly string $file)
    {
        $this->data = json_decode((string) file_get_contents($file), true) ?? self::EMPTY;
    }

    public function save(): void
    {
        file_put_contents($this->file, json_encode($this->data));
    }

    /** What a test tells or asks: `reset`, `change` (fields of an invoice), `fault`, `foreign`, `forget`, `state`. */
    public function control(string $what, mixed $given): mixed
    {
        match ($what) {
            'reset' => $this->data = ['now' => $given['now']] + self::EMPTY,
            'change' => $this->change($given['id'], $given['fields']),
            'fault' => $this->data['fault'] = $given,
            'foreign' => $this->data['foreign'] = $given['url'],
            'forget' => $this->data['invoices'] = [],
            'state' => null,
        };
        $this->save();

        return $this->data;
    }

    /** @param array<string, mixed> $fields */
    private function change(string $id, array $fields): void
    {
        $before = $this->data['invoices'][$id];
        $this->data['invoices'][$id] = $fields + ['version' => $before['version'] + 1] + $before;
    }
}
