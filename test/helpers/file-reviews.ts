/** Reviews of a file of twenty lines, new for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { makeFolder, putTree } from './git-fixture.ts';
import { removeTree } from './remove-tree.ts';
import { openTestReviews } from './review-service.ts';
import { must, testDiff } from './review-subject.ts';

export const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`);
export const base = lines.join('');
export const want = base.replace('line 3\n', 'three\n').replace('line 15\n', 'fifteen\nand more\n');

class FileReviews {
  readonly root = makeFolder();
  readonly state = makeFolder();
  reviews = openTestReviews(this.state);

  /** Another process would see the same. */
  restart(): void {
    this.reviews.close();
    this.reviews = openTestReviews(this.state);
  }

  /** Makes the base the target and publishes the suggestion; hunks by number. */
  async start(patch = testDiff(base, want)) {
    putTree(this.root, { f: base });
    const { id, hunks } = must(await this.reviews.publish(this.root, patch));
    const ref = (at: number) => ({ suggestion: id, hunk: hunks[at]?.id ?? '' });
    return { id, ref, hunks };
  }

  async statuses(id: string) {
    const { hunks } = must(await this.reviews.service.show({ suggestion: id, file: null }));
    return hunks.map((hunk) => hunk.status);
  }

  close(): void {
    this.reviews.close();
    for (const folder of [this.root, this.state]) removeTree(folder);
  }
}

/** Returns the reviews of the running test. */
export function fileReviewsPerTest(): () => FileReviews {
  let reviews: FileReviews;
  beforeEach(() => {
    reviews = new FileReviews();
  });
  afterEach(() => reviews.close());
  return () => reviews;
}
