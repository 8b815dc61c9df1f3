/** One answer to a request over any transport: its HTTP status and its body. */
import type * as z from 'zod';
import type { Failure, FailureCode, Result } from '../../lib/result.ts';

/** A refusal by the server itself, for lack of rights. */
export interface Forbidden {
  readonly ok: false;
  readonly error: Omit<Failure, 'code'> & { readonly code: 'forbidden' };
}
export type Outcome<T> = Result<T> | Forbidden;

export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  /** If not `ok`: `success: false`, `error`, `code`, and `hint` if there is a next step. */
  readonly body: Readonly<Record<string, unknown>>;
}

export function forbidden(message: string): Forbidden {
  return { ok: false, error: { code: 'forbidden', message } };
}

const STATUS: Readonly<Record<FailureCode | 'forbidden', number>> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  refused: 409,
  limit: 429,
  staged: 500,
  unconfirmed: 500,
  internal: 500,
};

/** The answer to a failed request: the sentence, its code for programs, and the next step. */
export function failed({ error }: Extract<Outcome<never>, { readonly ok: false }>): Answer {
  const { code, message, hint } = error;
  const body = { success: false, error: message, code, ...(hint === undefined ? {} : { hint }) };
  return { ok: false, status: STATUS[code], body };
}

const ORS = new Intl.ListFormat('en', { type: 'disjunction' });

/** Names the missing fields, or the first wrong one. The issues must have their input. */
export function describeProblem(error: z.ZodError): string {
  const name = (issue: z.core.$ZodIssue) => issue.path.map(String).join('.');
  const missing = error.issues.filter(isMissing);
  if (missing.length > 0) return `Missing required fields: ${missing.map(name).join(', ')}`;
  const [issue] = error.issues;
  if (issue === undefined) return 'Bad request';
  if (issue.code === 'invalid_value') {
    return `Invalid ${name(issue)}. Must be: ${ORS.format(issue.values.map(String))}`;
  }
  return `Invalid ${name(issue)}: ${issue.message}`;
}

/** An empty text counts as missing, as in the original protocol. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_small') return issue.origin === 'string';
  return (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;
}
