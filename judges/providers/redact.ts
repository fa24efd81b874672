// Keeps keys out of everything that is written or printed.

import type { Environment } from "./resolve.ts";

/** Variables with keys of services, those that judges cannot name included. */
const SECRET_REGEXP = new RegExp(
  "(?:_API_KEY|_AUTH_TOKEN|_OAUTH_TOKEN|_CUSTOM_HEADERS|_ACCESS_KEY|_SESSION_TOKEN|" +
    "_BEARER_TOKEN_BEDROCK)$",
  "i",
);

/** Holds a login as JSON, whose texts are the secrets. */
const LOGIN_REGEXP = /_AUTH_JSON$/i;

/** Shorter values are no keys, and would be found in ordinary text. */
const MIN_SECRET = 8;

/**
 * The values that must not be shown: those of variables named like a secret, and passwords inside
 * of addresses.
 */
export function secretsOf(environment: Environment): string[] {
  const secrets = Object.entries(environment).flatMap(([name, value]) => [
    ...(SECRET_REGEXP.test(name) ? [value, value.trim()] : []),
    ...(LOGIN_REGEXP.test(name) ? textsIn(value) : []),
    ...passwordsOf(value),
  ]).filter((secret) => secret.length >= MIN_SECRET);
  // The longest first: one may be a part of another.
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}

/** The longer texts in a JSON text; a short one is a name or a date. */
function textsIn(json: string): string[] {
  return [...json.matchAll(/"([^"\\\s]{16,})"/g)].map(([, text]) => text!);
}

function passwordsOf(value: string): string[] {
  const found = /^[a-z+]+:\/\/[^/@:]*:([^/@]+)@/i.exec(value)?.[1];
  if (found === undefined) return [];
  try {
    return [found, decodeURIComponent(found)];
  } catch {
    return [found];
  }
}

/** Puts `[redacted]` in place of every secret. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text);
}
