import { describe, expect, it } from 'vitest';
import type { SeenFile, SeenSide } from './attribute.ts';
import { seenChanges } from './seen-changes.ts';
import type { TurnCommand, TurnEdit } from './turn-edits.ts';

const side = (text: string | null): SeenSide =>
  text === null ? null : { mode: 0o100644, bytes: new TextEncoder().encode(text) };
const seen = (path: string, before: string | null, after: string | null): SeenFile => ({
  path,
  steps: [{ before: side(before), after: side(after), changedAt: 5_000, since: 0, seenAt: 6_000 }],
});
const rename: TurnEdit = {
  path: '/p/new',
  movedFrom: '/p/old',
  kind: 'rename',
  patch: [{ oldStart: 1, newStart: 1, lines: ['-one\n', '+ONE\n'] }],
  order: 0,
  at: 5_000,
  outcome: 'applied',
  source: 'tool',
  by: 'tool',
  lineEnds: 'exact',
};

const command: TurnCommand = {
  command: 'sed',
  cwd: null,
  at: 4_900,
  endedAt: 5_100,
  exit: 0,
  order: 0,
  outcome: 'applied',
};

/** Each file as `kind: old -> new`, with the authors of its hunks. */
function told(
  files: readonly SeenFile[],
  edits: readonly TurnEdit[] = [rename],
  commands: readonly TurnCommand[] = [],
) {
  const turn = { turnId: 't', edits, commands, interrupted: false, rewound: false };
  const { changes } = seenChanges([turn], { files, gap: null });
  return changes.files.map(
    ({ kind, movedFrom = '', path, hunks }) =>
      `${kind}: ${movedFrom} -> ${path} ${hunks.map(({ origin }) => origin).join()}`,
  );
}

describe('a file that a tool renamed and changed', () => {
  it('is one rename, with the changed lines', () => {
    expect(told([seen('/p/new', null, 'ONE\ntwo\n'), seen('/p/old', 'one\ntwo\n', null)])).toEqual([
      'rename: /p/old -> /p/new tool',
    ]);
  });

  it('is a rename without hunks if only its name differs', () => {
    expect(told([seen('/p/new', null, 'one\n'), seen('/p/old', 'one\n', null)])).toEqual([
      'rename: /p/old -> /p/new ',
    ]);
  });

  it('is no rename if the old name still exists, or another file had the new one', () => {
    expect(told([seen('/p/new', null, 'ONE\ntwo\n'), seen('/p/old', 'one\ntwo\n', 'x\n')])).toHaveLength(2);
    expect(told([seen('/p/new', 'y\n', 'ONE\n'), seen('/p/old', 'one\n', null)])).toHaveLength(2);
  });
});

it('pairs a new file with a deleted one of equal bytes, if there is no other', () => {
  const [old, other, updated] = [
    seen('/p/b', 'x\n', null),
    seen('/p/a', 'x\n', null),
    seen('/p/c', null, 'x\n'),
  ];
  expect(told([old, updated], [], [command])).toEqual(['rename: /p/b -> /p/c ']);
  expect(told([other, old, updated], [], [command]).map((one) => one.split(':')[0])).toEqual([
    'delete',
    'delete',
    'add',
  ]);
});

describe('changes by a command', () => {
  const file = seen('/p/a', 'one\n', 'ONE\nmine\n');
  // The previous look begins at 0.
  it.each([
    ['the previous look began after the prompt', 0, 'command'],
    ['you may have written before the prompt', 1, 'unknown'],
    ['the session has no clock', null, 'unknown'],
  ])('are separated from your lines if that can be known: %s', (_, startedAt, origin) => {
    const turn = {
      turnId: 't',
      startedAt,
      edits: [],
      commands: [command],
      interrupted: false,
      rewound: false,
    };
    const [change] = seenChanges([turn], { files: [file], gap: null }).changes.files;
    expect(change?.hunks.map((hunk) => hunk.origin)).toEqual([origin]);
  });
});

describe('an edit that may have been made', () => {
  const tried: TurnEdit = { ...rename, path: '/p/a', kind: 'edit', calledAt: 4_000, outcome: 'unknown' };
  const files = [seen('/p/a', 'one\n', 'ONE\nmine\n')];

  it('leaves the author of lines open that appeared meanwhile', () => {
    expect(told(files, [tried])).toEqual(['edit:  -> /p/a unknown']);
    expect(told(files, [{ ...tried, at: 4_000 }])).toEqual(['edit:  -> /p/a unknown']);
  });

  it('ignores earlier changes, and other files', () => {
    expect(told(files, [{ ...tried, calledAt: 5_500, at: 5_600 }])).toEqual([]);
    expect(told(files, [{ ...tried, path: '/p/b' }])).toEqual([]);
  });
});
