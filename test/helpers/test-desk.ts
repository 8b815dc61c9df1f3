/** A reviewer's desk on a suggestion of three hunks in two files, anew for each test. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  type IntentPaint,
  type IntentParams,
  intentPaintSchema,
  intentSchema,
} from '../../src/protocol/intent.ts';
import type { DeskService } from '../../src/review/desk-service.ts';
import { openTestReviews, type TestReviews } from './review-service.ts';

export const PATCH = `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
 1
-2
+two
+two and a half
 3
@@ -20,3 +21,3 @@
 20
-21
+XXI
 22
--- a/b.txt
+++ b/b.txt
@@ -1,2 +1,2 @@
-1
+one
 2
`;
export const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('');

interface Stage {
  target: string;
  reviews: TestReviews;
  desk: DeskService;
  suggestion: string;
  ids: readonly string[];
}

/** Registers the hooks; call it once in a test file. */
export function testDesk() {
  let root: string;
  const stage = {} as Stage;
  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'copane-desk-'));
    const target = path.join(root, 'target');
    mkdirSync(target);
    writeFileSync(path.join(target, 'a.txt'), numbers(30));
    writeFileSync(path.join(target, 'b.txt'), numbers(3));
    const reviews = openTestReviews(path.join(root, 'state'));
    const published = await reviews.publish(target, PATCH);
    if (!published.ok) throw new Error(published.error.message);
    const { id: suggestion, hunks } = published.value;
    Object.assign(stage, {
      target,
      reviews,
      desk: reviews.desk(),
      suggestion,
      ids: hunks.map(({ id }) => id),
    });
  });
  afterEach(() => {
    stage.reviews.close();
    rmSync(root, { recursive: true, force: true });
  });
  const shown = async () => {
    const { reviews, suggestion } = stage;
    return reviews.service.show({ suggestion, file: null });
  };
  return Object.assign(stage, {
    file: (name: string) => readFileSync(path.join(stage.target, name), 'utf8'),
    async intend(
      params: IntentParams,
      confirmed: number | null = null,
      client = 'me',
      name: string | null = null,
    ) {
      const paints: IntentPaint[] = [];
      const onEarly = (paint: unknown) => void paints.push(intentPaintSchema.parse(paint));
      const { desk, suggestion } = stage;
      const request = { suggestion, intent: intentSchema.parse(params), confirmed };
      const result = await desk.intend(request, { client, once: name, onEarly });
      if (!result.ok) throw new Error(result.error.message);
      return { ...result.value, paints };
    },
    async shownIds(): Promise<readonly string[]> {
      const found = await shown();
      return found.ok ? found.value.hunks.map(({ id }) => id) : [];
    },
    async statuses(): Promise<readonly string[]> {
      const found = await shown();
      return found.ok ? found.value.hunks.map(({ status }) => status) : [found.error.message];
    },
  });
}
