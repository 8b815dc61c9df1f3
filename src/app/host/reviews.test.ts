import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestReviews } from '../../../test/helpers/review-service.ts';

test('reports an error for a hunk that cannot be marked as seen', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'copane-desk-'));
  const target = path.join(root, 'target');
  mkdirSync(target);
  writeFileSync(path.join(target, 'a'), '1\n');
  const reviews = openTestReviews(path.join(root, 'state'));
  const published = await reviews.publish(target, '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n');
  const { id = '', hunks } = published.ok ? published.value : { hunks: [] };
  const view = (viewed: boolean) =>
    reviews
      .desk()
      .intend(
        { suggestion: id, intent: { kind: 'view', hunk: hunks[0]?.id ?? '', viewed }, confirmed: null },
        { client: 'me', once: null },
      );
  expect(await view(true)).toMatchObject({ ok: true });
  const next = openTestReviews(path.join(root, 'state'));
  expect(await view(false)).toMatchObject({ ok: false, error: { message: 'another leader' } });
  for (const one of [next, reviews]) one.close();
  rmSync(root, { recursive: true, force: true });
});
