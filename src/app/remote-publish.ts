/** Publishes to another suggestion server. The patch is made here; the server reads none of our files. */
import { realpath } from 'node:fs/promises';
import { errorMessage, type FailureCode, fail, ok, type Result } from '../lib/result.ts';
import { readRegular } from '../platform/regular-file.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';
import type { LineRange } from '../review/core/line-filter.ts';
import { PATCH_MAX_BYTES } from '../review/core/patch-model.ts';
import { sandboxPatch } from '../review/sources/sandbox-source.ts';

export interface RemoteServer {
  readonly url: URL;
  /** An author's token, which may publish but not decide. */
  readonly token: string;
}

export interface RemoteOffer {
  /** The path on the server: absolute, or relative to the home folder of its user. */
  readonly target: string;
  readonly description: string;
  readonly patch: Uint8Array;
  readonly files: readonly string[];
  readonly exclude: readonly string[];
  readonly lines: readonly LineRange[];
  readonly notes: Readonly<Record<string, string>>;
  /** The full id of the suggestion that this one updates; null for a new one. */
  readonly updates: string | null;
}

export interface RemoteSuggestion {
  readonly id: string;
  readonly hunkCount: number;
  readonly files: readonly string[];
  /** The complete answer of the server. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The largest message the server accepts. */
const BODY_MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

const CODES: Readonly<Record<number, FailureCode>> = {
  400: 'invalid',
  404: 'not_found',
  413: 'invalid',
  429: 'limit',
};

export async function publishRemotely(
  { url, token }: RemoteServer,
  offer: RemoteOffer,
): Promise<Result<RemoteSuggestion>> {
  const body = JSON.stringify({
    working_directory: offer.target,
    description: offer.description,
    patch: Buffer.from(offer.patch).toString('base64'),
    patch_encoding: 'base64',
    files: offer.files,
    exclude_files: offer.exclude,
    line_ranges: offer.lines.map(({ file, first, last }) => ({ file, start_line: first, end_line: last })),
    hunk_descriptions: offer.notes,
    ...(offer.updates === null ? {} : { suggestion_id: offer.updates }),
  });
  if (Buffer.byteLength(body) > BODY_MAX_BYTES) {
    const megabytes = Math.ceil(Buffer.byteLength(body) / 1024 / 1024);
    return fail(
      'invalid',
      `The change is a message of ${megabytes} MiB; the server takes at most ${BODY_MAX_BYTES / 1024 / 1024}.`,
      'Publish it in parts, with --file and --exclude.',
    );
  }
  try {
    const answer = await fetch(new URL('/suggestions', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      // A redirect must not carry the token to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readAnswer(answer.status, await answer.text());
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    const cause = thrown.cause instanceof Error ? thrown.cause : thrown;
    return fail(
      'refused',
      `The suggestion server at ${url.origin} does not answer: ${errorMessage(cause)}`,
      'The user there starts one with "copane serve --tcp".',
    );
  }
}

function readAnswer(status: number, text: string): Result<RemoteSuggestion> {
  let answer: Record<string, unknown>;
  try {
    answer = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return fail('refused', `The server's answer (${status}) is not JSON; is it a suggestion server?`);
  }
  const { suggestion_id: id, suggestion, error } = answer;
  if (status >= 400) {
    const message = typeof error === 'string' ? error : `HTTP ${status}`;
    const hint = status === 401 ? '"copane token --author" prints the token there.' : undefined;
    return fail(CODES[status] ?? 'refused', `The server says: ${message}`, hint);
  }
  const whole = typeof suggestion === 'object' && suggestion !== null ? { ...suggestion } : {};
  const { hunk_count: hunkCount, files } = whole as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof hunkCount !== 'number' || !Array.isArray(files))
    return fail('refused', "The server's answer contains no suggestion.");
  return ok({ id, hunkCount, files: files.map(String), answer: whole });
}

/** Makes the patch locally. */
export async function changeOf(
  source: SuggestionSource,
  base: string | null,
): Promise<Result<{ patch: Uint8Array; notes: readonly string[] }>> {
  try {
    if (source.kind === 'patch') return ok({ patch: Buffer.from(source.patch, 'base64'), notes: [] });
    if (source.kind === 'patch_file')
      return ok({ patch: await readRegular(source.file, { maxBytes: PATCH_MAX_BYTES }), notes: [] });
    if (source.kind !== 'sandbox')
      return fail('invalid', 'Only a patch or a sandbox can be published to another server.');
    const taken = await sandboxChange(await realpath(source.folder), base);
    if (!taken.ok || taken.value.patch.length > 0) return taken;
    return fail('invalid', 'No changes to publish.');
  } catch (thrown) {
    return fail('invalid', `The source cannot be read: ${errorMessage(thrown)}.`);
  }
}

/** Candidates for the base of a clone: its upstream branch, then the origin's default, else its own commit. */
const LIKELY_BASES = ['@{upstream}', 'origin/HEAD'] as const;

async function sandboxChange(folder: string, base: string | null) {
  for (const name of base === null ? LIKELY_BASES : [base]) {
    const taken = await sandboxPatch(folder, null, { base: name });
    if (taken.ok || base !== null || taken.error.code !== 'not_found') return taken;
  }
  return sandboxPatch(folder, null);
}
