<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

use PhpToken;
use ReflectionClass;
use ReflectionFunction;

require_once __DIR__ . '/../Translations.php';

/** @return list<PhpToken> */
function tokensOf(string $file): array
{
    $isCode = static fn (PhpToken $token): bool => !$token->is([T_WHITESPACE, T_COMMENT, T_DOC_COMMENT]);

    return array_values(array_filter(PhpToken::tokenize((string) file_get_contents($file)), $isCode));
}

/** @return array<string, true> Functions that a file calls by name, methods left out. */
function calledIn(string $file): array
{
    $called = [];
    $tokens = tokensOf($file);
    foreach ($tokens as $at => $token) {
        $isName = $token->is([T_STRING, T_NAME_FULLY_QUALIFIED]) && ($tokens[$at + 1]->text ?? '') === '(';
        $before = $tokens[$at - 1] ?? null;
        $isMethod = $before?->is([T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON, T_FUNCTION, T_NEW, T_CLASS]) === true;
        if ($isName && !$isMethod) {
            $called[ltrim($token->text, '\\')] = true;
        }
    }

    return $called;
}

test('code: every function of WordPress and WooCommerce that the plugin calls is a stub with its documented signature', function (): void {
    $seen = 0;
    foreach (Translations::sources() as $file) {
        foreach (array_keys(calledIn($file)) as $name) {
            Check::same(true, function_exists($name), "$name in $file");
            $function = new ReflectionFunction($name);
            if ($function->isInternal()) {
                continue;
            }
            $seen += 1;
            Check::holds(' Documented: ' . $name . '(', (string) $function->getDocComment());
        }
    }
    Check::same(true, $seen > 40, "$seen calls");
});

test('code: every stub names what is documented', function (): void {
    $stubs = dirname(__DIR__) . '/stubs/';
    $functions = 0;
    foreach (get_defined_functions()['user'] as $name) {
        $function = new ReflectionFunction($name);
        if (str_starts_with((string) $function->getFileName(), $stubs)) {
            $functions += 1;
            Check::holds('Documented: ', (string) $function->getDocComment());
        }
    }
    Check::same(true, $functions > 40, "$functions functions");
    foreach (get_declared_classes() as $class) {
        $reflected = new ReflectionClass($class);
        if (!str_starts_with((string) $reflected->getFileName(), $stubs)) {
            continue;
        }
        Check::holds('Documented: ', (string) $reflected->getDocComment());
        foreach ($reflected->getMethods() as $method) {
            if ($method->isPublic() && $method->getName() !== '__construct' && $method->getDeclaringClass()->getName() === $class) {
                Check::holds('Documented: ', (string) $method->getDocComment());
            }
        }
    }
});

test('code: files are strict, short, and hold one class each, named after its file', function (): void {
    foreach (Translations::sources() as $file) {
        $text = (string) file_get_contents($file);
        Check::holds('declare(strict_types=1);', $text);
        Check::same(true, substr_count($text, "\n") <= 500, "lines of $file");
        $kinds = '/^(?:final |abstract )*(?:class|enum|interface|trait) (\w+)/m';
        $count = preg_match_all($kinds, $text, $found);
        if (str_contains($file, '/src/')) {
            Check::same([basename($file, '.php')], $found[1], $file);
            Check::same(1, preg_match('#\*/\n(?:final |abstract )*(?:class|enum)#', $text), "comment of $file");
        } else {
            Check::same(0, $count, $file);
        }
    }
});

test('code: functions are at most 60 lines long', function (): void {
    foreach (Translations::sources() as $file) {
        preg_match_all('/^( *)(?:[a-z]+ )*function \w+\(.*?^\1\}$/ms', (string) file_get_contents($file), $found);
        foreach ($found[0] as $function) {
            Check::same(true, substr_count($function, "\n") < 60, strtok($function, "\n") . " in $file");
        }
    }
});

test('code: money is no float, and nothing of an order is read past it', function (): void {
    foreach (Translations::sources() as $file) {
        $called = calledIn($file);
        foreach (['floatval', 'round', 'ceil', 'floor', 'bcmul', 'gmp_mul', 'get_post_meta', 'update_post_meta', 'add_post_meta', 'delete_post_meta', 'get_posts'] as $name) {
            Check::same(false, isset($called[$name]), "$name in $file");
        }
        foreach (tokensOf($file) as $token) {
            Check::same(false, $token->is([T_DOUBLE_CAST, T_DNUMBER]), "{$token->text} in $file");
        }
    }
});

test('code: the file with all texts is that of the sources', function (): void {
    Check::same(Translations::template(), (string) file_get_contents(Translations::path('', 'pot')));
});

foreach (Translations::LANGUAGES as $language) {
    test("code: $language has all texts, with the same places for values", function () use ($language): void {
        $translations = Translations::read($language);
        Check::same(array_keys(Translations::texts()), array_keys($translations));
        foreach ($translations as $text => $translated) {
            Check::same(true, $translated !== '', $text);
            preg_match_all('/%(?:\d\$)?[sd]/', (string) $text, $asked);
            preg_match_all('/%(?:\d\$)?[sd]/', $translated, $given);
            sort($asked[0]);
            sort($given[0]);
            Check::same($asked[0], $given[0], (string) $text);
        }
        Check::same(Translations::file($language, $translations), (string) file_get_contents(Translations::path($language, 'po')));
        Check::same(Translations::php($language), (string) file_get_contents(Translations::path($language, 'l10n.php')));
    });
}

test('code: what customers read is in the language of the shop', function (): void {
    Shop::$locale = 'de_DE';
    $world = new World();
    $world->gateway->fail(500);
    $world->pay();
    Check::same('Die Zahlung konnte nicht begonnen werden. Bitte noch einmal versuchen oder eine andere Zahlungsart wählen.', Shop::$notices[0][0]);
    Check::same('woocommerce/languages', Shop::$options['stub_textdomain_svc-gateway']);
});

test('code: the head of the plugin says what WordPress asks for, and its version is the same everywhere', function (): void {
    $root = dirname(__DIR__, 2);
    $head = (string) file_get_contents("$root/svc-gateway.php");
    foreach (['Plugin Name:', 'Requires PHP:      8.1', 'License:           MIT', 'Text Domain:       svc-gateway', 'Domain Path:       /languages'] as $line) {
        Check::holds($line, $head);
    }
    Check::holds('Version:           ' . \SvcGateway\Plugin::VERSION, $head);
    Check::holds('Stable tag: ' . \SvcGateway\Plugin::VERSION, (string) file_get_contents("$root/readme.txt"));
});
