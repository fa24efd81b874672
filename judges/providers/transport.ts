// What all services have in common: bounded answers, and errors that say who has to act.

import { ModelCallError, type TokenUsage } from "../model.ts";
import { redact } from "./redact.ts";
import type { Target } from "./resolve.ts";

/** Most bytes of an answer: a verdict is small, and a broken service may send without end. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Most characters of what a service says that are shown. */
const MAX_SHOWN = 300;

/** Milliseconds for one call where the judge has no limit of its own. */
export const CALL_TIMEOUT_MS = 60 * 60 * 1000;

class BodyTooLargeError extends Error {}

/** `fetch` that reads no more than a bounded answer, and takes a key to no other host. */
export async function boundedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  if (response.body === null || isShort(response)) return response;
  let left = MAX_BODY_BYTES;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) throw new BodyTooLargeError();
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** An announced length is never exceeded; but packed, it can unpack to any. */
function isShort({ headers }: Response): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= MAX_BODY_BYTES && !headers.has("content-encoding");
}

/** The parts of an SDK's error that all SDKs have. */
interface SdkError {
  name: string;
  message: string;
  status?: number;
  headers?: { get(name: string): string | null };
  error?: unknown;
  cause?: unknown;
}

/** What went wrong in a call, in our words and without any key. */
export function callError(
  error: unknown,
  target: Target,
  secrets: readonly string[],
): ModelCallError {
  if (error instanceof ModelCallError) return error;
  const { status, headers, message, cause } = error as SdkError;
  const where = `${target.judge} (${target.service})`;
  const said = (text: string) => shorten(redact(text, secrets));
  if (typeof status === "number") {
    return new ModelCallError(`${where} answered ${status}: ${said(detailOf(error as SdkError))}`, {
      kind: kindOf(status, headers),
      status,
      ...hintFor(status, target),
      ...retryAfterOf(headers),
    });
  }
  const inner = innermost(error);
  if (inner instanceof BodyTooLargeError) {
    return new ModelCallError(
      `${where} sent an answer of more than ${MAX_BODY_BYTES / 1024 / 1024} MiB`,
      { kind: "unavailable" },
    );
  }
  if (error instanceof SyntaxError) {
    return new ModelCallError(`${where} sent an answer that is no JSON`, { kind: "unavailable" });
  }
  const reason = cause === undefined ? message : inner.message;
  return new ModelCallError(`${where} cannot be reached: ${said(reason)}`, {
    kind: "unavailable",
    hint: `Check the address (${redact(target.baseUrl, secrets)}) and the network`,
  });
}

/** An answer that is not what the API promises: some proxy's page, say. */
export function strangeAnswer(
  target: Target,
  secrets: readonly string[],
  answer: unknown,
  usage: TokenUsage,
): ModelCallError {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer) ?? "nothing";
  return new ModelCallError(
    `${target.judge} (${target.service}) sent an answer that is none of this API: ` +
      shorten(redact(text, secrets)),
    {
      kind: "unavailable",
      hint: `Check the address: ${redact(target.baseUrl, secrets)}`,
      ...(usage.input + usage.output > 0 && { usage }),
    },
  );
}

function kindOf(status: number, headers: SdkError["headers"]): ModelCallError["kind"] {
  const mayRetry = headers?.get("x-should-retry");
  if (mayRetry === "false") return "rejected";
  if (status === 429 || status === 529) return "throttled";
  if (status === 503 && headers?.get("retry-after")) return "throttled";
  if (status === 408 || status === 409 || status >= 500 || mayRetry === "true") {
    return "unavailable";
  }
  return "rejected";
}

function hintFor(status: number, { keyVariables, model, judge }: Target): { hint?: string } {
  if (status === 401 || status === 403) {
    return { hint: `Check the key: ${keyVariables[0] ?? "the service asks for one"}` };
  }
  if (status === 404) return { hint: `Check the name of the model ("${model}") and the address` };
  if (status === 413) return { hint: "Show the judge fewer or smaller files" };
  if (status >= 300 && status < 400) return { hint: "Give the address that it leads to" };
  if (status === 400) return { hint: `Check that "${judge}" can be used as a judge` };
  return {};
}

function detailOf({ error, message, status }: SdkError): string {
  const inner = (error as { error?: unknown } | undefined)?.error ?? error;
  const text = (inner as { message?: unknown } | undefined)?.message;
  if (typeof text === "string" && text !== "") return text;
  return message.replace(`${status} `, "");
}

/** Longest wait that a service can ask for, in seconds. */
const MAX_RETRY_AFTER_SEC = 24 * 60 * 60;

function retryAfterOf(headers: SdkError["headers"]): { retryAfterSec?: number } {
  const milliseconds = Number(headers?.get("retry-after-ms") ?? NaN);
  if (Number.isFinite(milliseconds)) return seconds(milliseconds / 1000);
  const value = headers?.get("retry-after") ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return seconds(Number(value));
  const date = Date.parse(value);
  return Number.isNaN(date) ? {} : seconds((date - Date.now()) / 1000);
}

function seconds(wait: number): { retryAfterSec?: number } {
  return { retryAfterSec: Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_SEC) };
}

function innermost(error: unknown): Error {
  let inner = error;
  for (
    let depth = 0;
    depth < 10 && inner instanceof Error && inner.cause instanceof Error;
    depth++
  ) {
    inner = inner.cause;
  }
  return inner instanceof Error ? inner : new Error(String(inner));
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
