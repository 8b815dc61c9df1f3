/** Bad input, said in one sentence that names the field. */
import type * as z from 'zod';
import type { Failure } from '../lib/result.ts';

/** The first thing that is wrong with `what`; further ones are counted. */
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
    const names = issue.keys.map((key) => `"${field === '' ? key : `${field}.${key}`}"`).join(', ');
    return `unknown field ${names}`;
  }
  return field === '' ? issue.message : `"${field}": ${issue.message}`;
}
