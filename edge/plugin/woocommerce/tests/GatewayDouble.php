<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use RuntimeException;

/** The gateway double as tests hold it: a server of PHP on a free port of this machine, and what can be told to it. */
final class GatewayDouble
{
    public readonly string $url;

    /** @var resource */
    private $process;

    /** @var resource */
    private $log;

    private readonly string $state;

    public function __construct()
    {
        $this->state = (string) tempnam(sys_get_temp_dir(), 'svc-double');
        $command = [PHP_BINARY, '-n', '-S', '127.0.0.1:0', __DIR__ . '/double/router.php'];
        $pipes = [];
        $environment = getenv() + ['SVC_DOUBLE_STATE' => $this->state];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['pipe', 'w']], $pipes, null, $environment);
        $line = is_resource($process) ? (string) fgets($pipes[2]) : '';
        if (preg_match('#\((http://127\.0\.0\.1:[1-9]\d*)\)#', $line, $found) !== 1) {
            throw new RuntimeException("the gateway double did not start: $line");
        }
        stream_set_blocking($pipes[2], false);
        $this->log = $pipes[2];
        $this->process = $process;
        $this->url = $found[1];
        register_shutdown_function([$this, 'stop']);
    }

    public function stop(): void
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process);
            proc_close($this->process);
            @unlink($this->state);
        }
    }

    public function reset(): void
    {
        $this->control('reset', ['now' => Shop::START]);
    }

    /**
     * Changes an invoice, with the next version unless another is among the fields.
     *
     * @param array<string, mixed> $fields
     *
     * @return array<string, mixed> The invoice as it is now.
     */
    public function change(string $id, array $fields): array
    {
        return $this->control('change', ['id' => $id, 'fields' => $fields])['invoices'][$id];
    }

    /** Lets requests fail after some that do not: with a status, having done what they ask or not. */
    public function fail(
        int $status,
        int $times = 1,
        bool $done = false,
        array $headers = [],
        string $body = '{"error":"x"}',
        int $after = 0,
    ): void {
        $this->control('fault', compact('status', 'times', 'done', 'headers', 'body', 'after'));
    }

    /** Lets payment pages be at another address. */
    public function setForeign(string $url): void
    {
        $this->control('foreign', ['url' => $url]);
    }

    /** Lets it know no invoice any more. */
    public function forget(): void
    {
        $this->control('forget');
    }

    /** @return list<array<string, mixed>> Requests of the API since the last reset. */
    public function requests(): array
    {
        return $this->control('state')['requests'];
    }

    /** @return array<string, array<string, mixed>> */
    public function invoices(): array
    {
        return $this->control('state')['invoices'];
    }

    /** @return array<string, array<string, mixed>> */
    public function refunds(): array
    {
        return $this->control('state')['refunds'];
    }

    private function control(string $what, mixed $given = null): array
    {
        $context = stream_context_create(['http' => ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => json_encode($given)]]);
        // It would wait for a reader when the pipe is full.
        stream_get_contents($this->log);
        $answer = file_get_contents("{$this->url}/control/$what", false, $context);

        return json_decode((string) $answer, true);
    }
}
