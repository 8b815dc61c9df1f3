/** The messages if nothing of an answer can be reviewed: the reason, and where to see more. */
import { expect, it } from 'vitest';
import type { AttributedFile } from './core/attribute.ts';
import { type PatchOf, turnPatch } from './turn-source.ts';

const file = (path: string): AttributedFile => ({
  change: { path, kind: 'edit', hunks: [], exact: false, why: 'no text', binary: false },
  review: null,
});
const GIT = 'All changes since the last commit: copane review';

it.each([
  [[], {}, 'This answer changed no files: there is nothing to review.', GIT],
  [[], { who: 'These answers' }, 'These answers changed no files: there is nothing to review.', GIT],
  [[], { unknown: 'nobody looked' }, 'What this answer changed is not known: nobody looked.', GIT],
  [[], { isPlain: true }, 'This answer changed no files: there is nothing to review.', undefined],
  [
    [file('/elsewhere/a'), file('/p/b'), file('/p/c')],
    { unknown: 'nobody looked' },
    'What this answer changed cannot be reviewed here. /elsewhere/a: outside /p; not part of the review. ' +
      'b, c: no text; not part of the review. ' +
      'Some changes may be missing: nobody looked.',
    'The list of files: copane changes',
  ],
] as const)('%j %j', (files, of: PatchOf, message, hint) => {
  expect(turnPatch('/p', files, of)).toEqual({ ok: false, error: { code: 'invalid', message, hint } });
});
