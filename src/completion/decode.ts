/** Decodes one line from a client. Wrong types and bad JSON become an error reply, never an exception. */

import type * as z from 'zod';
import { parseRecord } from '../lib/parse-json.ts';
import {
  actionMessageSchema,
  type CompletionError,
  type CompletionRequest,
  completionRequestSchema,
  MAX_CANDIDATES,
  MAX_DELAY_MS,
  MAX_INPUT_CHARS,
  type TypedMessage,
  typedMessageSchema,
} from '../protocol/completion.ts';
import { indexOfOffset, type OffsetUnit } from './core/position.ts';
import type { Query } from './core/suggestion.ts';

export interface DecodedRequest {
  readonly requestId: number;
  readonly query: Query;
  readonly unit: OffsetUnit;
  readonly delayMs: number;
  readonly separated: boolean;
  readonly explain: boolean;
  /** A model should write the command that the line describes. */
  readonly toCommand: boolean;
}

export type Message =
  | { readonly kind: 'complete'; readonly request: DecodedRequest }
  | { readonly kind: 'typed'; readonly message: TypedMessage }
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'invalid'; readonly requestId: number; readonly error: CompletionError };

/** Reads one line of the wire. */
export function decodeLine(line: string): Message {
  const value = parseRecord(line);
  // The parser's own message quotes the user's command line.
  if (value === null) return invalid(0, 'not a JSON object');
  if ('action' in value) {
    const parsed = actionMessageSchema.safeParse(value);
    return parsed.success
      ? { kind: 'action', action: parsed.data.action }
      : invalid(0, firstIssue(parsed.error));
  }
  if ('type' in value) {
    const parsed = typedMessageSchema.safeParse(value);
    return parsed.success ? { kind: 'typed', message: parsed.data } : invalid(0, firstIssue(parsed.error));
  }
  const parsed = completionRequestSchema.safeParse(value);
  if (parsed.success) return { kind: 'complete', request: decodeRequest(parsed.data) };
  const id = 'request_id' in value ? value.request_id : 0;
  return invalid(Number.isSafeInteger(id) ? Number(id) : 0, firstIssue(parsed.error));
}

function invalid(requestId: number, message: string): Message {
  return { kind: 'invalid', requestId, error: { code: 'invalid_request', message } };
}

/** The place and kind of the error, without the value, which may be a command line. */
function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'not a request';
  const where = issue.path.join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

function decodeRequest(request: CompletionRequest): DecodedRequest {
  // The original client adds a newline to its input that is not the user's, and counts characters.
  const first = request.cursor_unit === undefined && request.input.endsWith('\n');
  const unit = request.cursor_unit ?? (first ? 'char' : 'byte');
  const line = first ? request.input.slice(0, -1) : request.input;
  const usable = line.length <= MAX_INPUT_CHARS;
  return {
    requestId: request.request_id,
    unit,
    delayMs: Math.min(MAX_DELAY_MS, request.delay_ms ?? 0),
    separated: request.format === 'sep1',
    explain: request.explain ?? false,
    toCommand: request.to_command ?? false,
    query: {
      // A blank line has no candidates; an overlong one is answered in the same way.
      line: usable ? line : ' ',
      cursor: usable ? indexOfOffset(line, request.cursor_pos ?? Number.POSITIVE_INFINITY, unit) : 1,
      cwd: request.cwd.endsWith('\n') ? request.cwd.slice(0, -1) : request.cwd,
      session: request.session_id,
      limit: Math.min(MAX_CANDIDATES, Math.max(1, request.max_candidates)),
      // A user who asks for reasons is not typing.
      isPatient: request.explain ?? false,
      isRepair: request.repair ?? false,
    },
  };
}
