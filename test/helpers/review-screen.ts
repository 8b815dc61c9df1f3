/** The Review screen on three open hunks, by keys. */
import { type FakeReviewOptions, fakeReview, testHunk, testSuggestion } from './review-fakes.ts';
import { driveUi, type UiDriver } from './ui-driver.ts';
import { fakeUi } from './ui-fakes.ts';

/** Three open hunks in two files. */
export function threeHunks() {
  return testSuggestion({
    hunks: [
      testHunk('a1', { file: 'a.ts' }),
      testHunk('a2', { file: 'a.ts', diff: '@@ -90 +92 @@\n-was\n+is\n' }),
      testHunk('b1', { file: 'b.ts', diff: '@@ -1,2 +1,2 @@\n keep\n-find me\n+found\n' }),
    ],
    revision: 7,
  });
}

/** Opens the screen; `edit` stands for the editor. */
export async function openReviewScreen(
  options: FakeReviewOptions = {},
  edit?: (text: string, line: number, name?: string) => string,
  keys?: Readonly<Record<string, string>>,
) {
  const review = fakeReview({ suggestions: [threeHunks()], isRead: true, ...options });
  const fake = fakeUi({
    review,
    ...(edit === undefined
      ? {}
      : { edit: (text, line, name) => ({ ok: true, value: edit(text, line, name) }) }),
  });
  const ui = await driveUi(fake, keys === undefined ? {} : { keys });
  await ui.type('2');
  return { ui, review, fake };
}

/** The hunk under the cursor. */
export const cursorOf = (ui: UiDriver) => ui.state().review.cursor?.hunk;
