import { describe, expect, it } from 'vitest';
import { dialogOptions, dialogQuestion } from './dialog.ts';

describe('dialogOptions', () => {
  it.each([
    ['Run it?\n❯ 1. Yes\n  2. No', ['1 Yes', '2 No']],
    ['Steps:\n1. build\n2. test\n\nGo on?\n 1) Yes\n 2) No', ['1 Yes', '2 No']],
    ['Overwrite? (y/n)', ['y Yes', 'n No']],
    ['Press any key', []],
    ['3. not a start\n5. nor this', []],
  ])('%j', (dialog, expected) => {
    expect(dialogOptions(dialog).map(({ key, label }) => `${key} ${label}`)).toEqual(expected);
  });

  it('leaves the question, which says what is agreed to', () => {
    expect(dialogQuestion('Run this?\n\n  rm -rf build\n\n❯ 1. Yes\n  2. No')).toBe(
      'Run this?\n\n  rm -rf build',
    );
    expect(dialogQuestion('Press any key')).toBe('Press any key');
  });
});
