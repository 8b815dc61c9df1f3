/**
 * Replies as text. JSON lines are the contract; `sep1` is the same reply in separators, which zsh splits
 * without a parser (a JSON decoder in zsh costs 3 ms a reply, splitting 0.04 ms).
 *
 * sep1, one line: records joined by RS (0x1e), fields by US (0x1f), a newline inside a field as GS (0x1d).
 * Record 1: `sep1`, request id, number of candidates, code and message of an error or a notice.
 * One record per candidate: completion, cursor offset or empty, confidence, source, kind, `1` if partial, risk,
 * description of the last word, reason.
 * The rest: name, url, file, folder and checksum of a missing model.
 *
 * A line `more`, US, request id may follow a reply: slow sources have new results, which another request gets.
 */
import { findHidden } from '../../lib/hidden-text.ts';
import { sanitize } from '../../lib/sanitize.ts';
import type { CompletionError, CompletionReply } from '../../protocol/completion.ts';

const FIELD = '\u001f';
const RECORD = '\u001e';
const NEWLINE_MARK = '\u001d';

/** Rounds confidence to a precision that a user could notice. */
const CONFIDENCE_DIGITS = 3;

export const formatJsonReply = (reply: CompletionReply): string => `${JSON.stringify(reply)}\n`;

/** A candidate must contain neither a separator of the reply nor a character that is invisible in the line. */
export const isTransmissible = (line: string): boolean => findHidden(line).length === 0;

const field = (text: string): string => text.replace(/[\u001c-\u001f]/g, ' ').replaceAll('\n', NEWLINE_MARK);

/** A sentence about a candidate: zsh shows zero-width characters unchanged where it may combine them. */
const sentence = (text: string): string => field(sanitize(text));

/** Announces that a request would now get a better answer. */
export const formatMore = (requestId: number): string => `${['more', requestId].join(FIELD)}\n`;

/** The reply in separators, ended by one newline. `about`: the subject of a notice in a reply with candidates. */
export function formatSeparatedReply(reply: CompletionReply, about: CompletionError | null = null): string {
  const error = reply.error ?? about;
  const head = [
    'sep1',
    String(reply.request_id),
    String(reply.candidates.length),
    error?.code ?? '',
    sentence(error?.message ?? reply.notice ?? ''),
  ];
  const records = reply.candidates.map((candidate) => [
    field(candidate.completion),
    candidate.cursor_pos === undefined ? '' : String(candidate.cursor_pos),
    candidate.confidence.toFixed(CONFIDENCE_DIGITS),
    candidate.source ?? '',
    candidate.kind ?? '',
    candidate.partial ? '1' : '',
    candidate.risk ?? '',
    sentence(candidate.description ?? ''),
    sentence(candidate.why?.[0] ?? ''),
  ]);
  const models = (error?.models ?? []).map(({ name, url, file, dir, sha256 }) =>
    [name, url, file, dir, sha256 ?? ''].map(field),
  );
  return `${[head, ...records, ...models].map((record) => record.join(FIELD)).join(RECORD)}\n`;
}
