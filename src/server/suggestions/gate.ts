/** Every request passes here first: is it for this server, from this machine, and from whom? */
import type { IncomingMessage } from 'node:http';
import { bearerOf, isForwarded, type Refusal, refuseForeign } from './access.ts';
import type { Tokens } from './tokens.ts';
import { REVIEWER, type Who } from './who.ts';

export interface GateOptions {
  /** `none`: whoever reaches the TCP port is the reviewer. */
  readonly auth: 'token' | 'none';
  /** The host that the TCP port listens on. */
  readonly bound: string;
  readonly tokens: Tokens;
  /** Came in by the Unix socket, which only its owner can open. */
  readonly isLocal: (request: IncomingMessage) => boolean;
}

/** A caller who was admitted. */
export interface Caller {
  readonly who: Who;
  /** The token that it came with; null by the Unix socket or without authentication. */
  readonly token: string | null;
  /** A process of this machine's user: what it names is its own to read. */
  readonly isLocal: boolean;
  /** A client of the original protocol: it reads that one's dialect. */
  readonly isOriginal: boolean;
}

export type Admission =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: Refusal };

/** Where it comes from and goes to; counts for every route, the open ones too. */
export function checkOrigin(request: IncomingMessage, { bound }: GateOptions): Refusal | null {
  const [host, ...others] = request.headersDistinct.host ?? [];
  // Two of them are two names, and another program on the way may have gone by the second.
  return refuseForeign({ host: others.length > 0 ? undefined : host, origin: request.headers.origin }, bound);
}

/**
 * Who it is. A token counts by the Unix socket too: an author that comes in there stays one. What a proxy passes on
 * needs one in any case.
 */
export function admit(request: IncomingMessage, url: URL, options: GateOptions): Admission {
  const isPassedOn = isForwarded(request.headers);
  const isLocal = options.isLocal(request) && !isPassedOn;
  const needsToken = options.auth === 'token' || isPassedOn;
  const token = bearerOf(request.headers.authorization);
  const dialect = url.searchParams.get('dialect');
  if (token !== null) {
    const who = options.tokens.whoseIs(token);
    const isOriginal = dialect === 'original';
    if (who !== null) return { ok: true, caller: { who, token, isLocal, isOriginal } };
    if (needsToken) return { ok: false, refusal: WRONG_TOKEN };
  }
  if (needsToken && !isLocal) return { ok: false, refusal: NO_TOKEN };
  // The original clients know of no token and say nothing of a dialect: `"auth": "none"` is there for them.
  const isOriginal = dialect === null ? !isLocal : dialect === 'original';
  return { ok: true, caller: { who: REVIEWER, token: null, isLocal, isOriginal } };
}

const NO_TOKEN: Refusal = {
  status: 401,
  error: 'A token is needed: "Authorization: Bearer TOKEN". "copane token" prints it.',
};
const WRONG_TOKEN: Refusal = { status: 401, error: 'The token is not valid. "copane token" prints it.' };
