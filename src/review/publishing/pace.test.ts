import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestReviews, type TestReviews } from '../../../test/helpers/review-service.ts';
import { PUBLISH_MAX_PER_MINUTE } from './publisher.ts';

const NOON = Date.UTC(2030, 0, 1, 12);

let root: string;
let reviews: TestReviews;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  root = mkdtempSync(path.join(tmpdir(), 'copane-pace-'));
  mkdirSync(path.join(root, 'target'));
  reviews = openTestReviews(path.join(root, 'state'));
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
  vi.useRealTimers();
});

async function publish(words: string): Promise<string> {
  const patch = `--- /dev/null\n+++ b/${words}\n@@ -0,0 +1 @@\n+${words}\n`;
  const published = await reviews.publishFrom({
    target: path.join(root, 'target'),
    source: { kind: 'patch', patch: Buffer.from(patch).toString('base64') },
    author: 'ai',
  });
  return published.ok ? 'taken' : published.error.message;
}

it.each([
  ['a minute later', 60_000, 'taken'],
  ['an hour back', -3_600_000, 'taken'],
  ['a day on', 86_400_000, 'taken'],
  ['half a minute later', 30_000, expect.stringContaining('within a minute')],
])('accepts only so many per minute; %s', async (_, jumpMs, then) => {
  for (let n = 0; n < PUBLISH_MAX_PER_MINUTE; n += 1) expect(await publish(`f${n}`)).toBe('taken');
  expect(await publish('more')).toContain('within a minute');
  vi.setSystemTime(NOON + jumpMs);
  expect(await publish('then')).toEqual(then);
});

it('counts what comes from one sandbox, independently of others, and says how long to wait', async () => {
  for (const name of ['one', 'other']) {
    mkdirSync(path.join(root, name));
    writeFileSync(path.join(root, name, name), `${name}\n`);
  }
  const publishFrom = async (name: string) => {
    const source = { kind: 'sandbox', folder: path.join(root, name) } as const;
    const published = await reviews.publishFrom({ target: path.join(root, 'target'), source });
    return published.ok ? null : published.error;
  };
  for (let n = 0; n < PUBLISH_MAX_PER_MINUTE; n += 1) {
    writeFileSync(path.join(root, 'one/one'), `${n}\n`);
    expect(await publishFrom('one')).toBeNull();
  }
  expect(await publishFrom('one')).toMatchObject({
    code: 'limit',
    hint: expect.stringMatching(/Wait 60 s/),
  });
  expect(await publishFrom('other')).toBeNull();
});
