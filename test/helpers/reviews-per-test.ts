/** Reviews and temporary folders for the tests of a file, new for each test. */
import { afterEach, beforeEach } from 'vitest';
import type { CommandParams } from '../../src/protocol/command.ts';
import { makeFolder } from './git-fixture.ts';
import { removeTree } from './remove-tree.ts';
import { openTestReviews, type TestReviews } from './review-service.ts';
import { must } from './review-subject.ts';

export function reviewsPerTest() {
  let folders: string[] = [];
  let reviews: TestReviews;
  /** The same folder, removed after the test. */
  const tracked = (folder: string) => {
    folders.push(folder);
    return folder;
  };
  beforeEach(() => {
    reviews = openTestReviews(tracked(makeFolder()));
  });
  afterEach(() => {
    reviews.close();
    for (const folder of folders) removeTree(folder);
    folders = [];
  });
  return {
    tracked,
    reviews: () => reviews,
    publish: async (target: string, source: CommandParams<'review/publish'>['source']) =>
      must(await reviews.publishFrom({ target, source })),
    decide: async (suggestion: string, hunk: string, action: 'accept' | 'reject') =>
      must(await reviews.decide({ suggestion, hunk, action })),
  };
}
