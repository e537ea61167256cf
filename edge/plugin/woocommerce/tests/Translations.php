<?php

declare(strict_types=1);

namespace SvcGateway\Tests;

/** The files of translations: what of them is made of the sources, and what people translate. */
final class Translations
{
    public const LANGUAGES = ['de_DE', 'es_ES'];

    private const DOMAIN = 'svc-gateway';

    /** @return array<string, string> Each text in the sources, with the comment for translators or an empty text. */
    public static function texts(): array
    {
        $texts = [];
        foreach (self::sources() as $file) {
            $comment = '';
            $tokens = array_values(array_filter(
                \PhpToken::tokenize((string) file_get_contents($file)),
                static fn (\PhpToken $token): bool => !$token->is(T_WHITESPACE),
            ));
            foreach ($tokens as $at => $token) {
                if ($token->is(T_COMMENT) && preg_match('#^/\* translators: (.*) \*/$#', $token->text, $found) === 1) {
                    $comment = $found[1];
                }
                if ($token->is(T_STRING) && $token->text === '__' && $tokens[$at + 1]->text === '(') {
                    $texts[self::valueOf($tokens[$at + 2])] ??= $comment;
                    $comment = '';
                    Check::same("'" . self::DOMAIN . "'", $tokens[$at + 4]->text, "text domain in $file");
                }
            }
        }

        return $texts;
    }

    public static function path(string $language, string $ending): string
    {
        return dirname(__DIR__) . '/languages/' . self::DOMAIN . ($language === '' ? '' : "-$language") . ".$ending";
    }

    /** @return array<string, string> Translations of a language by their texts. */
    public static function read(string $language): array
    {
        $text = (string) file_get_contents(self::path($language, 'po'));
        preg_match_all('/^msgid (".*")\nmsgstr (".*")$/m', $text, $found, PREG_SET_ORDER);
        $read = [];
        foreach ($found as [, $id, $translated]) {
            $read[json_decode($id)] = json_decode($translated);
        }
        unset($read['']);

        return $read;
    }

    /** The file with all texts and no translation. */
    public static function template(): string
    {
        return self::file('', array_fill_keys(array_keys(self::texts()), ''));
    }

    /** @param array<string, string> $translations */
    public static function file(string $language, array $translations): string
    {
        $file = "# MIT\nmsgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: svc-gateway\\n\"\n"
            . "\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Language: $language\\n\"\n";
        foreach (self::texts() as $text => $comment) {
            $file .= "\n" . ($comment === '' ? '' : "#. translators: $comment\n") . (str_contains($text, '%') ? "#, php-format\n" : '')
                . 'msgid ' . self::quoted($text) . "\nmsgstr " . self::quoted($translations[$text] ?? '') . "\n";
        }

        return $file;
    }

    /** The file that WordPress 6.5 and later read. */
    public static function php(string $language): string
    {
        $lines = "<?php\nreturn [\n    'domain' => 'svc-gateway',\n    'language' => '$language',\n    'messages' => [\n";
        foreach (self::read($language) as $text => $translated) {
            $lines .= '        ' . var_export($text, true) . ' => ' . var_export($translated, true) . ",\n";
        }

        return "$lines    ],\n];\n";
    }

    /** Writes everything that is made of the sources and of the translated texts. */
    public static function write(): void
    {
        file_put_contents(self::path('', 'pot'), self::template());
        foreach (self::LANGUAGES as $language) {
            file_put_contents(self::path($language, 'po'), self::file($language, self::read($language)));
            file_put_contents(self::path($language, 'l10n.php'), self::php($language));
        }
    }

    /** @return list<string> The plugin's own files. */
    public static function sources(): array
    {
        $root = dirname(__DIR__);
        $files = [];
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator("$root/src", \FilesystemIterator::SKIP_DOTS)) as $file) {
            $files[] = $file->getPathname();
        }
        sort($files);

        return ["$root/svc-gateway.php", "$root/uninstall.php", ...$files];
    }

    private static function valueOf(\PhpToken $token): string
    {
        Check::same(true, $token->is(T_CONSTANT_ENCAPSED_STRING) && $token->text[0] === "'", "literal {$token->text}");

        return str_replace(["\\'", '\\\\'], ["'", '\\'], substr($token->text, 1, -1));
    }

    private static function quoted(string $text): string
    {
        return (string) json_encode($text, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    }
}
