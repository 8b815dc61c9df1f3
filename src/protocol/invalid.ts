/** Describes bad input in one sentence that names the field. */
import type * as z from 'zod';
import type { Failure } from '../lib/result.ts';

/** How many unknown fields to name, and how much of each name. */
const NAMED_MAX = 5;
const NAME_MAX_LENGTH = 100;

/** A failure that describes the first problem of `what` and counts the others. */
export function invalidInput(what: string, error: z.ZodError): Failure {
  const [first, ...more] = error.issues;
  if (first === undefined) return { code: 'invalid', message: `${what}: bad input.` };
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { code: 'invalid', message: `${what}: ${describeIssue(first)}${others}.` };
}

/** `"pane.paneId": Invalid string`, or the unknown fields by name. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const named = issue.keys.slice(0, NAMED_MAX).map((key) => {
      const name = key.length > NAME_MAX_LENGTH ? `${key.slice(0, NAME_MAX_LENGTH)}…` : key;
      return `"${field === '' ? name : `${field}.${name}`}"`;
    });
    const more = issue.keys.length - named.length;
    return `unknown field ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
    return `"${field}" must not be empty`;
  return field === '' ? issue.message : `"${field}": ${issue.message}`;
}
