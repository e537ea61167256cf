/** Breaches of the page's content security policy, as the browser tells of them. */

/** A breach: the directive, and the address or kind of what was held back. */
export type PolicyBreach = { readonly directive: string; readonly blocked: string };

const noted: SecurityPolicyViolationEvent[] = [];

// First of all listeners, so that a breach is noted before anybody else hears of it.
document.addEventListener("securitypolicyviolation", (event) => noted.push(event), true);

/**
 * All breaches since the last call. The browser tells of them later and in order, so the last of them is one of this function's own.
 * Throws where the policy lets that one pass.
 */
export async function policyBreaches(): Promise<readonly PolicyBreach[]> {
  const last = document.createElement("i");
  last.hidden = true;
  document.body.append(last);
  const told = new Promise<void>((resolve) => {
    last.addEventListener("securitypolicyviolation", () => resolve(), { once: true });
  });
  last.setAttribute("style", "color: red");
  if (last.style.length > 0) throw new Error("the page has no policy");
  await told;
  last.remove();
  return noted
    .splice(0)
    .filter(({ target }) => target !== last)
    .map(({ effectiveDirective, blockedURI }) => ({
      directive: effectiveDirective,
      blocked: blockedURI,
    }));
}
