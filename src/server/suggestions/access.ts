/** Checks a request's claimed origin and target: a web page can make a browser send requests without a token. Pure. */

import { isIP } from 'node:net';
import { wordList } from '../../lib/word-list.ts';

export interface Refusal {
  readonly status: number;
  readonly error: string;
  /** The connection ends with the answer: the rest of the request would cost too much to read. */
  readonly isCutOff?: true;
}

export interface RequestFacts {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** The host that the server listens on, as configured. */
export type BoundHost = string;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: BoundHost): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Null if the request may proceed; otherwise the reason why not. */
export function refuseForeign({ host, origin }: RequestFacts, bound: BoundHost): Refusal | null {
  const name = hostName(host);
  if (name === null || !isOurs(name, bound)) {
    return { status: 421, error: 'The Host header names another server. Use 127.0.0.1 or localhost.' };
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, error: `Requests from ${printableOrigin(origin)} are refused.` };
  }
  return null;
}

/** `localhost:4097` → `localhost`; null if it is not a host with an optional port. */
function hostName(host: string | undefined): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase() ?? null;
}

/** DNS rebinding needs a name: on a server that is open to the network, any address is accepted. */
function isOurs(name: string, bound: BoundHost): boolean {
  if (LOOPBACK.has(name) || name === bound.toLowerCase()) return true;
  return !isLoopback(bound) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

const printableOrigin = (origin: string): string => JSON.stringify(origin.slice(0, 200));

/** Headers that a proxy adds to a request. */
const PROXY_HEADERS = wordList('forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip via');

/** Whether a proxy forwarded the request: then its sender is elsewhere, however it arrived. */
export const isForwarded = (headers: Readonly<Record<string, unknown>>): boolean =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined);

/** Whether a body may be read as JSON: types that a web page can post without a preflight may not. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType?.trim() ?? '');
}

/** The token of an `Authorization: Bearer` header; null for none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
