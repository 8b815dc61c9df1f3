/** jj 0.45's output and how it is parsed. */
import { describe, expect, test } from 'vitest';
import { checkJjVersion, jjFailure, parseChanges, parsePush, refusedFiles } from './jj.ts';

describe('the version', () => {
  test.each([
    ['jj 0.45.1\n', true],
    ['jj 0.25.0-8a7b5d4\n', true],
    ['jj 1.0.0\n', true],
    ['jj 0.24.9\n', false],
    ['jj: unknown\n', false],
    ['', false],
  ])('%j', (text, isNew) => {
    expect(checkJjVersion(text).ok).toBe(isNew);
  });
});

describe('changes', () => {
  test('one per line; a divergent one, one with a conflict, a root without parents', () => {
    const line = (...fields: string[]) => `${fields.join('\u001f')}\n`;
    const text =
      line('wynvqnrszovsqopltoxvkrzoootrpksx', 'aa', 'bb cc', 'divergent', '') +
      line('qmttmwrtqmttmwrtqmttmwrtqmttmwrt', 'dd', 'aa', '', 'conflict') +
      line('zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', '00', '', '', '');
    expect(parseChanges(text)).toEqual([
      {
        change: 'wynvqnrszovsqopltoxvkrzoootrpksx',
        commit: 'aa',
        parents: ['bb', 'cc'],
        isDivergent: true,
        hasConflict: false,
      },
      {
        change: 'qmttmwrtqmttmwrtqmttmwrtqmttmwrt',
        commit: 'dd',
        parents: ['aa'],
        isDivergent: false,
        hasConflict: true,
      },
      {
        change: 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
        commit: '00',
        parents: [],
        isDivergent: false,
        hasConflict: false,
      },
    ]);
  });

  test('nothing', () => {
    expect(parseChanges('')).toEqual([]);
  });
});

describe('failures', () => {
  test.each([
    [
      'a divergent change',
      `Concurrent modification detected, resolving automatically.
Error: Change ID \`wynvqnrszovsqopltoxvkrzoootrpksx\` is divergent
Hint: Use change offset to select single revision: wynvqnrszovsqopltoxvkrzoootrpksx/0
Hint: To abandon unneeded revisions, run \`jj abandon <commit_id>\`
`,
      /wynvqnrs.*divergent.*several commits/,
      /jj abandon/,
    ],
    [
      'no such revision',
      "Error: Revision `nope` doesn't exist\n",
      /^jj: Revision `nope` doesn't exist$/,
      null,
    ],
    [
      'a stale working copy',
      `Error: The working copy is stale (not updated since operation 37a6a5b2ff10).
Hint: Run \`jj workspace update-stale\` to update it.
`,
      /stale/,
      /update-stale/,
    ],
    ['silence', '', /^jj: exit 1$/, null],
  ])('%s', (_name, stderr, message, hint) => {
    const { error } = jjFailure(stderr, 'exit 1') as Extract<ReturnType<typeof jjFailure>, { ok: false }>;
    expect(error.message).toMatch(message);
    if (hint === null) expect(error.hint).toBeUndefined();
    else expect(error.hint).toMatch(hint);
  });
});

describe('pushing', () => {
  test.each([
    [
      'by 0.45',
      `Warning: Refusing to create new remote bookmark two@origin
Hint: Run \`jj bookmark track two@origin\` and try again.
Changes to push to origin:
  bookmark: feat [add to ed841c64a9f8]
`,
      'origin feat',
    ],
    [
      'by 0.25, several',
      `Changes to push to my fork:
  Add bookmark a to ed841c64a9f8
  Move forward bookmark b/c from cfa94eb6c0de to ed841c64a9f8
`,
      'my fork a b/c',
    ],
  ])('%s', (_name, stderr, where) => {
    expect(parsePush(stderr)).toEqual({ ok: true, value: where });
  });

  test.each([
    [
      'a new bookmark',
      `Warning: Refusing to create new remote bookmark two@origin
Hint: Run \`jj bookmark track two@origin\` and try again.
Nothing changed.
`,
      'jj pushed nothing: Refusing to create new remote bookmark two@origin.',
      'Run `jj bookmark track two@origin` and try again.',
    ],
    [
      'no bookmark',
      'Warning: No bookmarks/tags point to the specified revisions: @\nNothing changed.\n',
      'jj pushed nothing: No bookmarks/tags point to the specified revisions: @.',
      undefined,
    ],
    [
      'up to date',
      'Nothing changed.\n',
      'jj pushed nothing: no bookmark on the change is behind it.',
      undefined,
    ],
  ])('%s: nothing was pushed, and why', (_name, stderr, message, hint) => {
    const { error } = parsePush(stderr) as Extract<ReturnType<typeof parsePush>, { ok: false }>;
    expect([error.message, error.hint]).toEqual([message, hint]);
  });
});

test('names the files that jj refuses', () => {
  const stderr = `Warning: Refused to snapshot some files:
  big: 1.9MiB (2000000 bytes); the maximum size allowed is 1.0MiB (1048576 bytes)
  d/other file.bin: 3.0MiB (3145728 bytes); the maximum size allowed is 1.0MiB (1048576 bytes)
Hint: This is to prevent large files from being added by accident. To fix this:
  * Add the file(s) to \`.gitignore\`
`;
  expect(refusedFiles(stderr)).toEqual(['big', 'd/other file.bin']);
  expect(refusedFiles('')).toEqual([]);
});
