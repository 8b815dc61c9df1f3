/** Resolves an id prefix to the full id, wherever a command takes an id. */
import { firstFew } from '../lib/count.ts';
import { projectNames } from '../lib/project-names.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { Client } from '../protocol/client.ts';
import type { SuggestionSummary } from '../protocol/review.ts';

/** How many matching ids an error message lists. */
const NAMED_MAX = 5;

/** Finds the item whose id is `given` or starts with it. `what`: its kind; `name`: its id; `list`: the command. */
export function idFrom<T extends { readonly id: string }>(
  given: string,
  all: readonly T[],
  { what, name, list }: { readonly what: string; readonly name: (one: T) => string; readonly list: string },
): Result<string> {
  if (all.some(({ id }) => id === given)) return ok(given);
  const found = given === '' ? [] : all.filter(({ id }) => id.startsWith(given));
  const [only] = found;
  if (only === undefined)
    return fail('not_found', `${what} not found: ${given}`, `Run "copane ${list}" to see them.`);
  if (found.length === 1) return ok(only.id);
  const named = found.slice(0, NAMED_MAX).map((one) => `${one.id}  ${name(one)}`);
  const more = found.length > named.length ? [`… and ${found.length - named.length} more`] : [];
  const hint = ['Type more of the id:', ...named, ...more].join('\n  ');
  return fail('invalid', `${given} is the beginning of ${found.length} ids.`, hint);
}

/** Resolves the id of a suggestion, open or ended. */
export async function suggestionId(client: Client, given: string): Promise<Result<string>> {
  const listed = await client.request('review/list', { target: null, ended: true });
  if (!listed.ok) return listed;
  const projectOf = projectNames(listed.value.map(({ target }) => target));
  const name = ({ target, files, description }: SuggestionSummary) =>
    [projectOf(target), firstFew(files, 1), description.split('\n')[0] || '(no description)']
      .map(oneLine)
      .join('  ');
  return idFrom(given, listed.value, { what: 'Suggestion', name, list: 'suggestions --everywhere' });
}

/** Resolves the ids of a suggestion and a hunk; passes `all` and `every` through. */
export async function hunkIds(
  client: Client,
  given: { readonly suggestion: string; readonly hunk: string },
): Promise<Result<{ readonly suggestion: string; readonly hunk: string }>> {
  const id = await suggestionId(client, given.suggestion);
  if (!id.ok) return id;
  const suggestion = id.value;
  if (given.hunk === 'all' || given.hunk === 'every') return ok({ suggestion, hunk: given.hunk });
  const shown = await client.request('review/show', { suggestion, maxDiffBytes: 0 });
  if (!shown.ok) return shown;
  // A split hunk keeps its old id as an alias.
  const { hunks } = shown.value;
  const parents = hunks.flatMap(({ parent, file }) => (parent === null ? [] : [{ id: parent, file }]));
  const all = [...new Map([...hunks, ...parents].map((one) => [one.id, one])).values()];
  const hunk = idFrom(given.hunk, all, {
    what: 'Hunk',
    name: ({ file }) => file,
    list: `show ${suggestion}`,
  });
  return hunk.ok ? ok({ suggestion, hunk: hunk.value }) : hunk;
}
