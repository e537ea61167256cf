/**
 * User-agent filter: which programs an operator accepts as peers (specification network 1.2): `allow;regex:RE`,
 * `reject;regex:RE`, `allow;ver:NAME>=1.2.3`, `reject;ver:NAME<1.2.3`.
 */
import satisfies from "semver/functions/satisfies.js";
import valid from "semver/functions/valid.js";

type Rule = { readonly isAllow: boolean; readonly holds: (agent: string) => boolean };

const RULE = /^(?<verb>allow|reject);(?<kind>regex|ver):(?<text>.+)$/;
const VERSION_RULE = /^(?<name>[^<>=]+)(?<sign><=|>=|==|<|>)(?<version>.+)$/;

/** Compiles rules into one predicate over user agents. Returns the first text that is no rule instead. */
export function readAgentRules(
  texts: readonly string[],
): { readonly takes: (agent: string) => boolean } | { readonly wrong: string } {
  const rules: Rule[] = [];
  for (const text of texts) {
    const rule = readRule(text);
    if (rule === null) return { wrong: text };
    rules.push(rule);
  }
  const allowing = rules.filter(({ isAllow }) => isAllow);
  const rejecting = rules.filter(({ isAllow }) => !isAllow);
  const takes = (agent: string): boolean =>
    (allowing.length === 0 || allowing.some(({ holds }) => holds(agent))) &&
    !rejecting.some(({ holds }) => holds(agent));
  return { takes };
}

function readRule(text: string): Rule | null {
  const { verb, kind, text: rest } = RULE.exec(text)?.groups ?? {};
  if (rest === undefined) return null;
  const holds = kind === "regex" ? regexRule(rest) : versionRule(rest);
  return holds === null ? null : { isAllow: verb === "allow", holds };
}

function regexRule(text: string): Rule["holds"] | null {
  try {
    const regex = new RegExp(text, "u");
    return (agent) => regex.test(agent);
  } catch {
    return null;
  }
}

function versionRule(text: string): Rule["holds"] | null {
  const { name, sign, version } = VERSION_RULE.exec(text)?.groups ?? {};
  if (name === undefined || version === undefined || valid(version) === null) return null;
  const range = `${sign === "==" ? "=" : sign}${version}`;
  return (agent) => {
    const versions = agent.split("/").map((part) => /^([^:]+):([^(]+)/.exec(part));
    return versions.some(
      (found) =>
        found?.[1] === name && satisfies(found[2] ?? "", range, { includePrerelease: true }),
    );
  };
}
