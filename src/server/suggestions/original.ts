/**
 * The dialect of the original clients of the suggestion protocol, chosen once per client (`gate.ts`): every name in
 * both spellings, a payload both in `data` and beside it, and fields computed from a hunk's diff. Everything else uses
 * the protocol of `src/protocol`; input is accepted in either spelling from everyone.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { BareHunk, WireSuggestion } from '../../protocol/suggestion-wire.ts';

type Fields = Readonly<Record<string, unknown>>;

const camelOf = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A current message in the form that original clients read. */
export function toOriginal(message: Fields): Record<string, unknown> {
  const { data, suggestion, suggestions, hunks, ...rest } = message;
  const flat = isRecord(data) && message.type === 'response' ? toOriginal(data) : {};
  const id = typeof message.suggestion_id === 'string' ? message.suggestion_id : '';
  return {
    ...bothSpellings(rest),
    ...(Array.isArray(suggestions) ? { suggestions: suggestions.map(originalSuggestion) } : {}),
    ...(isRecord(suggestion) ? { suggestion: originalSuggestion(suggestion) } : {}),
    ...(Array.isArray(hunks) ? { hunks: hunks.map((hunk) => originalHunk(id, hunk as BareHunk)) } : {}),
    ...flat,
    ...(data === undefined ? {} : { data: Object.keys(flat).length > 0 ? flat : data }),
  };
}

function originalSuggestion(suggestion: Fields): Record<string, unknown> {
  const { id, hunks, ...brief } = suggestion as unknown as WireSuggestion;
  const plain = bothSpellings({ id, jj_change_id: '', ...brief });
  if (hunks === undefined) return plain;
  return {
    ...plain,
    notes: brief.notes ?? [],
    hunks: hunks.map((hunk) => originalHunk(id, hunk)),
    ...bothSpellings({ hunk_states: Object.fromEntries(hunks.map((hunk) => [hunk.id, stateOf(hunk)])) }),
  };
}

function originalHunk(suggestionId: string, hunk: BareHunk): Record<string, unknown> {
  const { diff = '', comments = [] } = hunk;
  const start = /^@@ -(\d+)/.exec(diff)?.[1];
  return bothSpellings({
    ...hunk,
    suggestion_id: suggestionId,
    reason: hunk.reason ?? null,
    comments: comments.map(({ text }) => text),
    original_lines: start === undefined ? [] : originalLines(diff),
    original_start_line: start === undefined ? null : Number(start),
  });
}

function originalLines(diff: string): string[] {
  return diff
    .split('\n')
    .slice(1)
    .flatMap((line) => (line.startsWith(' ') || line.startsWith('-') ? [line.slice(1)] : []));
}

function stateOf({ status, comments = [] }: BareHunk): Fields {
  const reviewed = status === 'accepted' || status === 'rejected' || status === 'modified';
  return {
    reviewed,
    status,
    ...(reviewed ? { action: status } : {}),
    ...(comments.length === 0 ? {} : { comment: comments.findLast(({ by }) => by === undefined)?.text }),
  };
}

/** The object with every name in both spellings. Shallow: nested names may be ids. */
function bothSpellings(value: Fields): Record<string, unknown> {
  const both: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    both[name] = field;
    if (name.includes('_')) both[camelOf(name)] = field;
  }
  return both;
}

/** The fields of a message as `snake_case`, from the top level and from `data`. Top level and `snake_case` win. */
export function readEitherSpelling(message: Fields): Record<string, unknown> {
  const { data, ...top } = message;
  const fields: Record<string, unknown> = Object.create(null);
  for (const level of [isRecord(data) ? data : {}, top]) {
    const entries = Object.entries(level);
    for (const [name, value] of entries) if (snakeOf(name) !== name) fields[snakeOf(name)] = value;
    for (const [name, value] of entries) if (snakeOf(name) === name) fields[name] = value;
  }
  return fields;
}
