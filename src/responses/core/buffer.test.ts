import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearBuffer, type EditorBuffer, pullIntoBuffer } from './buffer.ts';

const OLD = ['The first line of the answer.', '', 'The second line of the answer.', '', 'Its third line.'];
const NEW = [...OLD, '', 'And a fourth line that came later.'];
const OLD_PULL = { turnId: 't1', lines: OLD };
const NEW_PULL = { turnId: 't1', lines: NEW };

/** `>` marks a line as a response line. */
function bufferOf(...texts: readonly string[]): EditorBuffer {
  const lines = texts.map((text) =>
    text.startsWith('>') ? { text: text.slice(1), mark: 'response' as const } : { text },
  );
  return { lines, pulls: [OLD_PULL] };
}

/** The buffer after the editor applies the edits. */
function applied(
  { lines }: EditorBuffer,
  edits: ReturnType<typeof clearBuffer>['edits'],
  rows: readonly string[],
) {
  const texts = lines.map(({ text }) => text);
  for (const { at, remove, quotes, from, to } of edits.toReversed())
    texts.splice(at, remove, ...quotes, ...rows.slice(from, to));
  return texts;
}

const pulledAgain = (buffer: EditorBuffer, below = 0) =>
  applied(buffer, pullIntoBuffer(buffer, { pull: NEW_PULL, below, newest: false }).edits, NEW);

const marked = (texts: readonly string[]) => texts.map((text) => `>${text}`);

describe('a pull again', () => {
  it('replaces the old lines, blank ones too, and keeps each note under its line', () => {
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = marked(OLD);
    const buffer = bufferOf('on top', first, 'to the first', second, third, fourth, fifth, 'to the third');
    expect(pulledAgain(buffer)).toEqual([
      'on top',
      NEW[0],
      'to the first',
      ...NEW.slice(1, 5),
      'to the third',
      ...NEW.slice(5),
    ]);
  });

  it('finds the old lines without any mark; keeps a blank one beside a note', () => {
    const buffer = bufferOf('on top', ...OLD.slice(0, 1), 'to the first', ...OLD.slice(1));
    expect(pulledAgain(buffer)).toEqual(['on top', NEW[0], 'to the first', '', ...NEW.slice(1)]);
  });

  it('does not treat a blank line of the user as a line of the answer', () => {
    const buffer = bufferOf(...marked(OLD), '', 'a note', '', 'another note');
    expect(pulledAgain(buffer).slice(5)).toEqual(['', 'a note', '', 'another note', ...NEW.slice(5)]);
  });

  it('keeps an edited line', () => {
    const [first = '', , third = ''] = marked(OLD);
    expect(pulledAgain(bufferOf(first, `${third} Is it so?`))).toContain(`${OLD[2]} Is it so?`);
  });

  it('puts an edited line at the end below its original line, with the notes under it', () => {
    const [first = '', , third = ''] = marked(OLD);
    const edited = `${third.slice(1)} Is it so?`;
    expect(pulledAgain(bufferOf(first, edited, 'to the edited one'))).toEqual([
      ...NEW.slice(0, 3),
      edited,
      'to the edited one',
      ...NEW.slice(3),
    ]);
  });

  it('goes below the cursor if nothing of the turn is left', () => {
    const buffer = { lines: [{ text: 'a' }, { text: 'b' }], pulls: [] };
    expect(pullIntoBuffer(buffer, { pull: NEW_PULL, below: 0, newest: false })).toEqual({
      edits: [{ at: 1, remove: 0, quotes: [], from: 0, to: NEW.length }],
      kept: [],
    });
    expect(
      pullIntoBuffer({ lines: [], pulls: [] }, { pull: NEW_PULL, below: 7, newest: true }).edits,
    ).toEqual([{ at: 0, remove: 0, quotes: [], from: 0, to: NEW.length }]);
  });

  it('names the remaining lines of other turns, with their rows', () => {
    const buffer = { lines: OLD.map((text) => ({ text })), pulls: [OLD_PULL] };
    const { kept } = pullIntoBuffer(buffer, {
      pull: { turnId: 't2', lines: ['Something else.'] },
      below: 4,
      newest: false,
    });
    expect(kept.filter(({ line }) => OLD[line] !== '')).toEqual(
      [0, 2, 4].map((row) => ({ line: row, turnId: 't1', row })),
    );
  });
});

describe('a pull of a newer response', () => {
  it('makes room for it, and quotes the lines to which the remaining notes refer', () => {
    const lines = [...OLD.slice(0, 3), 'my note', ...OLD.slice(3)].map((text) => ({ text }));
    const pull = { turnId: 't2', lines: ['Newer.'] };
    const { edits, kept } = pullIntoBuffer({ lines, pulls: [OLD_PULL] }, { pull, below: 0, newest: true });
    expect(applied({ lines, pulls: [] }, edits, pull.lines)).toEqual([
      expect.stringMatching(/^> /),
      'my note',
      '',
      'Newer.',
    ]);
    expect(kept).toEqual([]);
  });
});

describe('clear', () => {
  it('changes response lines only', () => {
    const [first = '', second = '', third = ''] = marked(OLD);
    const buffer = bufferOf('on top', first, 'a note', '', 'goes on', second, third, '', 'below');
    expect(applied(buffer, clearBuffer(buffer).edits, [])).toEqual([
      'on top',
      'a note',
      '',
      'goes on',
      '',
      'below',
    ]);
  });
});

describe('no text of the user is lost', () => {
  const note = fc.constantFrom('why?', 'no', 'ask the others about this', '', '  ', '漢字');
  const row = fc.nat(OLD.length - 1).map((at) => ({ text: OLD[at] ?? '', mark: 'response' as const }));
  const line = fc.oneof(
    row,
    note.map((text) => ({ text })),
    note.map((text) => ({ text, mark: 'response' as const })),
  );

  it('by pulling again, clearing, or drifted marks', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.nat(12), (lines, below) => {
        const words = (texts: readonly string[]) =>
          texts.map((text) => text.trim()).filter((text) => text !== '' && !NEW.includes(text));
        const before = words(lines.map(({ text }) => text));
        const buffer = { lines, pulls: [OLD_PULL] };
        expect(words(pulledAgain(buffer, below))).toEqual(before);
        expect(words(applied(buffer, clearBuffer(buffer).edits, []))).toEqual(before);
      }),
      { seed: 20_311, numRuns: 500 },
    );
  });
});
