import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { type BufferLine, extractNotes, type LineMark } from './notes.ts';

const RESPONSE = [
  'The cause is the missing flush in `end()`:',
  '',
  '1. `push` keeps an incomplete line until the next chunk arrives.',
  '2. `end` never emits it, so the last line is lost.',
  '',
  '```js',
  'if (this.rest !== "") this.emit(this.rest);',
  '```',
  'Yes.',
];
const [CAUSE, , PUSH, END, , FENCE, CODE, CLOSE, YES] = RESPONSE as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const PULLS = [{ turnId: 't1', lines: RESPONSE }];

/** `*` before a line: a response mark. `!` a firm note. */
function buffer(lines: readonly string[]): BufferLine[] {
  return lines.map((line) => {
    const mark: LineMark = line.startsWith('*') ? 'response' : line.startsWith('!') ? 'note' : 'unknown';
    return { text: mark === 'unknown' ? line : line.slice(1), mark };
  });
}

function check(lines: readonly string[], expected: readonly string[], marks?: 'firm'): void {
  const found = extractNotes(buffer(lines), PULLS, marks === undefined ? {} : { marks });
  expect(found.items.map((item) => `${item.kind}: ${item.text}`)).toEqual(expected);
}

const star = (line: string) => `*${line}`;
const without = (...gone: readonly string[]) => RESPONSE.filter((line) => !gone.includes(line));
/** `RESPONSE` with `added` below `line`. */
const below = (line: string, ...added: readonly string[]) =>
  RESPONSE.flatMap((each) => (each === line ? [each, ...added] : [each]));

describe('lines of the user', () => {
  it.each([
    ['right above a note', [`> ${PUSH}`, 'why?'], [`note: > ${PUSH}`, 'note: why?']],
    [
      'shortened',
      ['> `push` keeps an incomplete…', 'why?'],
      ['note: > `push` keeps an incomplete…', 'note: why?'],
    ],
    ['below another line', [PUSH, `> ${END}`, 'why?'], [`note: > ${END}`, 'note: why?']],
    ['without a note', [`> ${PUSH}`], [`changed: > ${PUSH}`]],
    ['above an empty line', [`> ${PUSH}`, '', 'why?'], [`changed: > ${PUSH}`, 'note: why?']],
    [
      'above another quote',
      [`> ${PUSH}`, `> ${END}`, 'why?'],
      [`changed: > ${PUSH}`, `note: > ${END}`, 'note: why?'],
    ],
    ['that was a line of the answer', [`*> ${PUSH}`, 'why?'], [`changed: > ${PUSH}`, 'note: why?']],
    ['above a line of the answer', [`> ${PUSH}`, END], [`changed: > ${PUSH}`]],
  ])('are sent with the quoted line %s', (_what, lines, expected) => {
    check(lines, expected);
  });

  it('do not take a quote that the AI wrote', () => {
    const pulls = [{ turnId: 't', lines: ['> as you said', 'Then do it.'] }];
    const kinds = (...lines: string[]) => extractNotes(buffer(lines), pulls).items.map(({ kind }) => kind);
    expect(kinds('> as you said', 'why?', 'Then do it.')).toEqual(['note']);
    expect(kinds('> as you said', 'Then do it.', '> as you said', 'why?')).toEqual(['ambiguous', 'note']);
  });

  it('are found between response lines without any mark', () => {
    check(below(PUSH, 'what about CRLF?'), ['note: what about CRLF?']);
  });

  it('are found when the response line above was deleted and its mark moved onto them', () => {
    const lines = below(PUSH, 'what about CRLF?').filter((line) => line !== PUSH);
    check(lines.map(star), ['note: what about CRLF?']);
  });

  it('are found when they are short words with which a deleted line begins', () => {
    check([...without(YES), '*Yes', 'go on'], ['ambiguous: Yes', 'note: go on']);
  });

  it('keep their blank lines, and only theirs', () => {
    check(below(PUSH, 'first', '', 'second', ''), ['note: first', 'note: ', 'note: second']);
  });

  it('are asked about when they equal a response line, never dropped', () => {
    check(below(PUSH, END), [`ambiguous: ${END}`]);
    check(below(PUSH, 'Yes.'), ['ambiguous: Yes.']);
  });

  it('equal to a response line are sent if the host marks them as notes', () => {
    check([...RESPONSE.map(star), '!Yes.'], ['note: Yes.'], 'firm');
  });

  it('that rewrite a marked response line are notes', () => {
    check(
      ['*please use a generator instead', ...without(PUSH).map(star)],
      ['note: please use a generator instead'],
    );
  });
});

describe('lines of the AI', () => {
  it.each<[string, readonly string[]]>([
    ['untouched', RESPONSE],
    ['moved below the next (ddp)', [CAUSE, '', END, PUSH, '', FENCE, CODE, CLOSE, YES]],
    ['sorted', [...RESPONSE].sort()],
    ['reversed', [...RESPONSE].reverse()],
    ['thinned out (:g/x/d)', RESPONSE.filter((line) => !line.includes('line'))],
    ['without blank lines', RESPONSE.filter((line) => line !== '')],
    ['indented', RESPONSE.map((line) => `    ${line}`)],
    ['trimmed and tabbed', RESPONSE.map((line) => line.replace(/ /g, '\t'))],
    ['joined', [`${CAUSE} ${PUSH}`, END, FENCE, CODE, CLOSE, YES]],
    ['joined over a deleted line', [`${CAUSE} ${END}`, FENCE, CODE, CLOSE, YES]],
    [
      'split inside a word',
      below('', '').flatMap((line) => (line === PUSH ? [PUSH.slice(0, 12), PUSH.slice(12)] : [line])),
    ],
    ['refilled to 30 columns', RESPONSE.join(' ').match(/\S.{0,29}(?=\s|$)/g) ?? []],
    ['joined to one line', [RESPONSE.join(' ')]],
  ])('are not sent and not asked about when %s', (_name, lines) => {
    check(lines, []);
    check(lines.map(star), []);
    check(
      lines.map((line, index) => (index === 0 ? star(line) : line)),
      [],
    );
  });

  it('are asked about when copied (yyp)', () => {
    check(below(CODE, CODE), [`ambiguous: ${CODE}`]);
  });

  it('are asked about when a piece of a copied line stands alone', () => {
    check(below(PUSH, 'keeps an incomplete line'), ['ambiguous: keeps an incomplete line']);
  });

  it('are asked about when half of a split line was deleted', () => {
    check([...without(PUSH), PUSH.slice(0, 13)], [`ambiguous: ${PUSH.slice(0, 13)}`]);
    check([...without(YES), 'Ye'], ['ambiguous: Ye']);
  });

  it('are asked about when copies of distant lines were joined', () => {
    check(below(YES, `${END} ${CAUSE}`), [`ambiguous: ${END} ${CAUSE}`]);
  });

  it('keep a split line with a note between its halves', () => {
    const [a, b] = [PUSH.slice(0, 13), PUSH.slice(13)];
    check([...without(PUSH), a, 'why?', b], ['note: why?']);
  });
});

describe('edited response lines', () => {
  it.each<[string, string]>([
    ['a word replaced', PUSH.replace('incomplete', 'unfinished')],
    ['a word replaced (:%s)', CAUSE.replace('flush', 'drain')],
    ['words added', `${YES} ${PUSH} but why`],
    ['a note joined to it', `${END} what about CRLF?`],
    [
      'a note with the beginning of the next line appended',
      `my note is about something else ${END.slice(0, 14)}`,
    ],
    ['code with another name', CODE.replace('emit', 'push')],
  ])('%s is shown, marked or not', (_name, edited) => {
    const gone = RESPONSE.find(
      (line) => line !== '' && (edited.includes(line.slice(0, 6)) || line.slice(0, 6) === edited.slice(0, 6)),
    );
    const lines = [...without(gone ?? ''), edited];
    check(lines, [`changed: ${edited}`]);
    check(lines.map(star), [`changed: ${edited}`]);
  });

  it('in a language without spaces are shown', () => {
    const pulls = [{ turnId: 't', lines: ['原因是缺少刷新操作。', '修复很简单。'] }];
    const found = extractNotes(
      [{ text: '原因是没有刷新操作。' }, { text: '修复很简单。' }, { text: '为什么？' }],
      pulls,
    );
    expect(found.kinds).toEqual(['changed', 'response', 'note']);
  });

  it('are changed if the host saw the edit, whatever is left of them', () => {
    const found = extractNotes([{ text: 'all new', mark: 'response', changed: true }], PULLS, {
      marks: 'firm',
    });
    expect(found.kinds).toEqual(['changed']);
  });

  it('with a firm tag but other content are shown, not hidden', () => {
    check(['*my own words entirely'], ['changed: my own words entirely'], 'firm');
  });
});

describe('anchors', () => {
  it('name the nearest response line above that is not blank', () => {
    const lines = ['top', ...below('', 'under a blank')];
    const { items } = extractNotes(buffer(lines), PULLS);
    expect(items.map((item) => [item.text, item.anchor?.row ?? null])).toEqual([
      ['top', null],
      ['under a blank', 0],
      ['under a blank', 3],
    ]);
    expect(items[1]?.anchor).toEqual({ turnId: 't1', row: 0, text: CAUSE });
  });

  it('survive a refill and an edit of the line', () => {
    const half = PUSH.length >> 1;
    const lines = [PUSH.slice(0, half), PUSH.slice(half), 'a', END.replace('never', 'always'), 'b'];
    const { items } = extractNotes(buffer(lines), PULLS);
    expect(items.map((item) => [item.kind, item.anchor?.row ?? null])).toEqual([
      ['note', 2],
      ['changed', 2],
      ['note', 3],
    ]);
  });

  it('tell two pulls apart', () => {
    const pulls = [
      { turnId: 'old', lines: ['one', 'two'] },
      { turnId: 'new', lines: ['three', 'four'] },
    ];
    const { items } = extractNotes(buffer(['three', 'x?', 'four', 'one', 'y?', 'two']), pulls);
    expect(items.map((item) => item.anchor)).toEqual([
      { turnId: 'new', row: 0, text: 'three' },
      { turnId: 'old', row: 0, text: 'one' },
    ]);
  });
});

describe('limits', () => {
  it('asks about every unequal line after the budget is used up, and loses none', () => {
    const { kinds } = extractNotes(buffer([...RESPONSE, 'first note of mine', 'the line of mine']), PULLS, {
      maxWork: -1,
    });
    expect(kinds.slice(-2)).toEqual(['ambiguous', 'ambiguous']);
  });

  const long = Array.from(
    { length: 20_000 },
    (_, row) => `row ${row} keeps the line until the next chunk ${row % 97}`,
  );
  it.each<[string, readonly string[], number]>([
    ['with notes', long.flatMap((line, row) => (row % 400 === 0 ? [line, `why ${row}?`] : [line])), 300],
    ['sorted', [...long].sort(), 300],
    ['filled anew', long.join(' ').match(/\S.{0,90}(?=\s|$)/g) ?? [], 1500],
    ['with every word reversed', long.map((line) => line.split(' ').reverse().join(' ')), 2500],
    ['of other text', long.map((_, row) => `note ${row}`), 2500],
  ])('20,000 lines %s take bounded time', (_name, lines, limitMs) => {
    const subject = buffer(lines);
    expect(cpuMsOf(() => extractNotes(subject, [{ turnId: 't', lines: long }]))).toBeLessThan(limitMs);
  });
});
