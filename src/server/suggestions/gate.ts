/** Checks every request first: is it for this server, from this machine, and from whom? */
import type { IncomingMessage } from 'node:http';
import { bearerOf, isForwarded, type Refusal, refuseForeign } from './access.ts';
import type { Tokens } from './tokens.ts';
import { REVIEWER, type Who } from './who.ts';

export interface GateOptions {
  /** `none`: anyone who can reach the TCP port is the reviewer. */
  readonly auth: 'token' | 'none';
  /** The host that the TCP port listens on. */
  readonly bound: string;
  readonly tokens: Tokens;
  /** It arrived over the Unix socket, which only its owner can open. */
  readonly isLocal: (request: IncomingMessage) => boolean;
}

export interface Caller {
  readonly who: Who;
  /** Its token; null over the Unix socket or without authentication. */
  readonly token: string | null;
  /** A process of this machine's user, who may read the files that it names. */
  readonly isLocal: boolean;
  /** A client of the original protocol, which reads that dialect. */
  readonly isOriginal: boolean;
}

export type Admission =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: Refusal };

/** Checks origin and target, for open routes, too. */
export function checkOrigin(request: IncomingMessage, { bound }: GateOptions): Refusal | null {
  const [host, ...others] = request.headersDistinct.host ?? [];
  // Two Host headers are two names, and another program on the way may have used the second.
  return refuseForeign({ host: others.length > 0 ? undefined : host, origin: request.headers.origin }, bound);
}

/** Identifies the caller. A token counts over the Unix socket, too. A request through a proxy always needs one. */
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
  // The original clients send no token and no dialect: `"auth": "none"` exists for them.
  const isOriginal = dialect === null ? !isLocal : dialect === 'original';
  return { ok: true, caller: { who: REVIEWER, token: null, isLocal, isOriginal } };
}

const NO_TOKEN: Refusal = {
  status: 401,
  error: 'A token is needed: "Authorization: Bearer TOKEN". "copane token" prints it.',
};
const WRONG_TOKEN: Refusal = { status: 401, error: 'The token is not valid. "copane token" prints it.' };
