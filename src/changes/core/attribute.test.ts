import { describe, expect, it } from 'vitest';
import { attributed, command, edit, step, TEN, with_ } from '../../../test/helpers/attributed.ts';
import { ownAndRest } from '../recorded/port.ts';
import { attributeFile } from './attribute.ts';
import { exactText, normalisedText } from './file-text.ts';
import { ChangedLines } from './own-part.ts';
import type { TurnEdit } from './turn-edits.ts';

describe('the author of a change', () => {
  it('is the tool that recorded it', () => {
    const after = with_(TEN, [2, 'two']);
    expect(attributed([step(TEN, after, 5_000)], { edits: [edit(TEN, after, 5_000)] })).toEqual({
      hunks: ['tool: -2 +two'],
      from: TEN,
    });
  });

  it('is the command that ran when the file was written', () => {
    const after = with_(TEN, [2, 'two']);
    expect(attributed([step(TEN, after, 5_500)], { commands: [command(5_000, 6_000)] })?.hunks).toEqual([
      'command: -2 +two',
    ]);
  });

  it.each([
    [10_000, 'command'],
    [10_001, 'unknown'],
  ])('is unknown after a long command (%i ms), since you may have saved the file', (ms, origin) => {
    const after = with_(TEN, [2, 'two']);
    const commands = [command(5_000, 5_000 + ms)];
    expect(attributed([step(TEN, after, 6_000, 20_000)], { commands })?.hunks).toEqual([
      expect.stringContaining(origin),
    ]);
    const both = [...commands, command(5_500, 6_500)];
    expect(attributed([step(TEN, after, 6_000, 20_000)], { commands: both })?.hunks).toEqual([
      expect.stringContaining('command'),
    ]);
  });
  it('is unknown within a tick of the clock before and after a command', () => {
    const after = with_(TEN, [2, 'two']);
    const told_ = (changedAt: number) =>
      attributed([step(TEN, after, changedAt, 10_000, 9_000)], { commands: [command(5_000, 6_000)] })?.hunks;
    expect([4_995, 5_000, 6_000.9, 6_005].map(told_)).toEqual([
      ['unknown: -2 +two'],
      ['command: -2 +two'],
      ['command: -2 +two'],
      ['unknown: -2 +two'],
    ]);
  });

  it('is not you between two turns while a command of the first continues in the background', () => {
    const after = with_(TEN, [2, 'two']);
    const between = [{ ...step(TEN, after, 8_000), isBetween: true }];
    expect(attributed(between, { commands: [command(5_000, 6_000)] })).toBeNull();
    for (const one of [command(5_000, 6_000, 'watch &'), command(5_000, null)])
      expect(attributed(between, { commands: [one] })?.hunks).toEqual(['unknown: -2 +two']);
    expect(attributed(between, { commands: [command(9_000, 9_500, 'watch &')] })).toBeNull();
  });

  it('is you when the file was written while nothing of the AI ran', () => {
    const after = with_(TEN, [2, 'two']);
    const commands = [command(5_000, 6_000)];
    expect(attributed([step(TEN, after, 8_000, 10_000, 7_000)], { commands })).toBeNull();
    expect(attributed([step(TEN, after, 4_000)], { commands })).toBeNull();
  });

  it('is unknown if you wrote last what a command may also have written since the previous look', () => {
    const after = with_(TEN, [2, 'two'], [9, 'nine']);
    const commands = [command(5_000, 6_000)];
    const hunks = ['unknown: -2 +two -9 +nine'];
    expect(attributed([step(TEN, after, 8_000, 10_000, 4_000)], { commands })?.hunks).toEqual(hunks);
    expect(attributed([step(TEN, after, 8_000)], { commands })?.hunks).toEqual(hunks);
  });

  it('is unknown while a command may still run, or shortly after an edit, when a hook of the AI CLI may have run', () => {
    const after = with_(TEN, [2, 'two']);
    expect(attributed([step(TEN, after, 8_000)], { commands: [command(5_000, null)] })?.hunks).toEqual([
      'unknown: -2 +two',
    ]);
    const both = with_(TEN, [2, 'two'], [9, 'nine']);
    expect(
      attributed([step(TEN, both, 5_100)], { edits: [edit(TEN, with_(TEN, [9, 'nine']), 5_000)] })?.hunks,
    ).toEqual(['unknown: -2 +two', 'tool: -9 +nine']);
  });

  it('is unknown after a command that continues in the background', () => {
    const after = with_(TEN, [2, 'two']);
    const seen = (text: string) =>
      attributed([step(TEN, after, 8_000, 10_000, 7_000)], { commands: [command(5_000, 6_000, text)] })
        ?.hunks;
    for (const text of ['npm run watch &', '(sleep 1; sed -i s/2/two/ a) & echo ok', 'a & b'])
      expect(seen(text)).toEqual(['unknown: -2 +two']);
    for (const text of ['a && b', 'make 2>&1', 'make &> log', 'make >& log', 'a |& b'])
      expect(seen(text)).toBeUndefined();
  });

  it('separates your lines from the AI’s in one file: a review begins with yours in it', () => {
    const mine = with_(TEN, [2, 'two']);
    const both = with_(mine, [9, 'nine']);
    expect(attributed([step(TEN, both, 5_000)], { edits: [edit(mine, both, 5_000)] })).toEqual({
      hunks: ['tool: -9 +nine'],
      from: mine,
    });
    expect(
      attributed([step(TEN, both, 9_000)], { edits: [edit(TEN, with_(TEN, [9, 'nine']), 5_000)] }),
    ).toEqual({
      hunks: ['tool: -9 +nine'],
      from: mine,
    });
  });

  it('does not attribute yours to the tool when a look falls between an edit and its result', () => {
    const hunk = (old: string, put: string) => [
      { oldStart: 2, newStart: 2, lines: [`-${old}\n`, `+${put}\n`] },
    ];
    const patched = (old: string, put: string, at: number) => {
      const { before: _before, after: _after, ...rest } = edit(TEN, TEN, at, { patch: hunk(old, put) });
      return rest;
    };
    const one = with_(TEN, [2, 'A']);
    const two = with_(TEN, [2, 'B'], [3, 'mine']);
    const steps = [step(TEN, one, 5_000, 5_100), step(one, two, 9_000, 9_050, 5_100)];
    expect(attributed(steps, { edits: [patched('2', 'A', 5_050), patched('A', 'B', 9_200)] })?.hunks).toEqual(
      ['unknown: -2 -3 +B +mine'],
    );
  });

  it('is the tool whose result is recorded after the look that saw its text', () => {
    const one = with_(TEN, [2, 'A']);
    const two = with_(one, [3, 'mine']);
    const steps = [step(TEN, one, 5_000, 5_010), step(one, two, 15_000, 15_050, 5_010)];
    expect(attributed(steps, { edits: [edit(TEN, one, 5_300)] })).toEqual({
      hunks: ['tool: -2 +A'],
      from: with_(TEN, [3, 'mine']),
    });
  });

  it('is not you while a tool of the AI worked on the file, however late its result is recorded', () => {
    const one = with_(TEN, [2, 'A']);
    const mine = with_(one, [10, '10\nmine']);
    const two = with_(mine, [6, 'B']);
    const steps = [step(TEN, mine, 5_100, 5_150), step(mine, two, 12_000, 12_050, 5_150)];
    const edits = [edit(TEN, one, 9_500, { calledAt: 5_000 }), edit(mine, two, 12_010, { calledAt: 11_900 })];
    expect(attributed(steps, { edits })?.hunks).toEqual(['tool: -2 +A -6 +B', 'unknown: +mine']);
  });

  it('includes recorded edits after the last look', () => {
    const one = with_(TEN, [2, 'A']);
    const two = with_(one, [9, 'B']);
    const edits = [edit(TEN, one, 5_000), edit(one, two, 9_000)];
    const first = [step(TEN, one, 5_000, 5_010)];
    expect(attributed(first, { edits, until: 5_005 })?.hunks).toEqual(['tool: -2 +A -9 +B']);
    const back = [edit(TEN, one, 5_000), edit(one, TEN, 9_000)];
    expect(attributed(first, { edits: back, until: 5_005 })).toBeNull();
    expect(attributed([...first, step(one, TEN, 5_900, 5_910)], { edits, until: 5_905 })?.hunks).toHaveLength(
      1,
    );
  });

  it('does not claim to know if the record does not prove an edit after the last look', () => {
    const one = with_(TEN, [2, 'A']);
    const lost = { ...edit(one, TEN, 9_000), before: undefined, after: undefined, lost: 'too-large' };
    const found = attributeFile(
      { path: '/p/a', steps: [step(TEN, one, 5_000, 5_010)] },
      {
        edits: [edit(TEN, one, 5_000), lost as never],
        commands: [],
        editTimes: [5_000, 9_000],
        until: 5_005,
      },
    );
    expect(found).toMatchObject({ change: { exact: false, hunks: [] }, review: null });
  });

  // Commit times are whole seconds.
  it.each([5_005, 9_500])('is unknown for the rest of a commit after the last look (%i)', (until) => {
    const commit = (after: string) => {
      const { path, kind } = edit(TEN, after, 0);
      const whole = { path, kind, source: 'commit' as const, at: 9_999 };
      const sides = { before: exactText(TEN) as never, after: exactText(after) as never };
      return ownAndRest({ ...whole, ...sides }, () => [{ old: '2\n', put: 'X\n' }]).map(
        (one) => ({ ...edit(TEN, after, 9_999), before: undefined, ...one }) as TurnEdit,
      );
    };
    const seen = (after: string) =>
      attributed([step(TEN, TEN, 5_000, 5_010)], { edits: commit(after), until })?.hunks;
    expect(seen(with_(TEN, [2, 'X'], [9, 'H']))).toEqual(['tool: -2 +X', 'unknown: -9 +H']);
    expect(seen(with_(TEN, [9, 'H']))).toEqual(['unknown: -9 +H']);
  });

  it('is the tool’s when a look falls between two edits that a tree reports as one', () => {
    const [one, both] = [with_(TEN, [2, 'two']), with_(TEN, [2, 'two'], [9, 'nine'])];
    const asked = ['2 two', '9 nine'].map((words) => words.split(' ').map((word) => `${word}\n`));
    const tree = edit(TEN, both, 6_500, { asked: asked.map(([old = '', put = '']) => ({ old, put })) });
    const steps = [step(TEN, one, 5_000, 5_100), step(one, both, 6_000, 6_100, 5_100)];
    expect(attributed(steps, { edits: [tree] })?.hunks).toEqual(['tool: -2 +two -9 +nine']);
  });

  it('searches the changes once for all edits, and not endlessly', () => {
    const all = Array.from({ length: 50_000 }, (_, at) => `${at}\n`);
    const changed = new ChangedLines(['first\n', ...all]);
    const texts = [[[], ['first\n']]] as const;
    const ask = (from: (at: number) => readonly string[]) =>
      Array.from({ length: 60 }, (_, at) => changed.have(from(at), texts));
    expect(new Set(ask(() => all))).toEqual(new Set([true]));
    expect(ask((at) => all.slice(at + 1)).at(-1)).toBe(false);
  });

  it('keeps your line in its place beside those of the AI', () => {
    const one = with_(TEN, [2, 'A\nB']);
    const seen = (after: string) =>
      attributed([step(TEN, one, 5_000, 5_010), step(one, after, 15_000, 15_010, 5_010)], {
        edits: [edit(TEN, one, 5_000)],
      });
    expect(seen(with_(one, ['B', 'B\nmine']))).toEqual({
      hunks: ['tool: -2 +A +B'],
      from: with_(TEN, [2, '2\nmine']),
    });
    expect(seen(with_(one, ['A', 'mine\nA']))).toEqual({
      hunks: ['tool: -2 +A +B'],
      from: with_(TEN, [1, '1\nmine']),
    });
    expect(seen(with_(one, ['B', '2']))).toEqual({ hunks: ['tool: +A'], from: TEN });
  });

  it('is unknown for your line if a patch of the AI counts it and no look fell between', () => {
    const after = with_(TEN, [3, 'three'], [6, 'mine\n6'], [9, 'nine']);
    const patch = (at: number, start: number, all: readonly string[]) =>
      edit(null, '', at, {
        kind: 'edit',
        after: undefined,
        patch: [{ oldStart: start, newStart: start, lines: all.map((line) => `${line}\n`) }],
      } as Partial<TurnEdit>);
    const edits = [
      patch(3_000, 2, [' 2', '-3', '+three', ' 4']),
      patch(9_000, 9, [' 8', '-9', '+nine', ' 10']),
    ];
    for (const commands of [[], [command(2_000, 2_500)]]) {
      const { hunks } = attributed([step(TEN, after, 9_000)], { edits, commands }) ?? {};
      expect(hunks).toEqual(['tool: -3 +three', 'unknown: +mine', 'tool: -9 +nine']);
    }
  });

  it('is still the AI’s after copane took it back and restored it', () => {
    const shapes = [with_(TEN, [2, 'A'], [7, 'B']), with_(TEN, [2, '2\nA']), with_(TEN, [2, 'A\nB\nC'])];
    for (const wrote of [...shapes, TEN.replace('2\n3\n', ''), TEN.replace('2\n3\n', 'A\n')]) {
      const ours = { isOurs: true };
      const back = { ...step(wrote, TEN, 6_000, 6_010), ...ours };
      const again = { ...step(TEN, wrote, 7_000, 7_010), ...ours };
      const first = step(TEN, wrote, 5_000, 5_010);
      const turn = { edits: [edit(TEN, wrote, 5_000)], commands: [command(5_500, 9_000)] };
      const whole = attributed([first], turn);
      expect(attributed([first, back], turn)).toBeNull();
      expect(attributed([first, back, again], turn)).toEqual(whole);
      expect(attributed([first, back, again, back], turn)).toBeNull();
      const more = step(wrote, with_(wrote, [10, 'ten']), 8_000, 8_010);
      expect(attributed([first, back, again, more], turn)?.hunks).toEqual([
        ...(whole?.hunks ?? []),
        'command: -10 +ten',
      ]);
    }
  });

  it('leaves a formatter’s work on an edit with the edit', () => {
    const wrote = TEN.replace('5\n', '5\nf( a,b )\n');
    const formatted = TEN.replace('5\n', '5\nf(a, b)\n');
    const edits = [edit(TEN, wrote, 5_000)];
    expect(
      attributed([step(TEN, formatted, 6_000)], { edits, commands: [command(5_900, 6_100)] })?.hunks,
    ).toEqual(['tool: +f(a, b)']);
    const more = formatted.replace('9\n', 'nine\n');
    expect(attributed([step(TEN, more, 6_000)], { edits, commands: [command(5_900, 6_100)] })?.hunks).toEqual(
      ['tool: +f(a, b)', 'command: -9 +nine'],
    );
  });

  it('follows successive looks', () => {
    const one = with_(TEN, [2, 'two']);
    const two = with_(one, [9, 'nine']);
    expect(
      attributed([step(TEN, one, 3_000, 4_000), step(one, two, 5_500, 6_000)], {
        commands: [command(5_000, 5_800)],
      }),
    ).toEqual({ hunks: ['command: -9 +nine'], from: one });
  });

  it('reads a record without line ends against a file with CRLF', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    const after = with_(TEN, [2, 'two']);
    const recorded = edit(TEN, after, 5_000, {
      before: normalisedText(TEN) as never,
      after: normalisedText(after) as never,
      lineEnds: 'normalised',
    });
    expect(attributed([step(crlf(TEN), crlf(after), 5_000)], { edits: [recorded] })?.hunks).toEqual([
      'tool: -2\r +two\r',
    ]);
  });

  it('ignores a file that is unchanged, or that only you changed', () => {
    expect(attributed([step(TEN, 'x\n', 5_000), step('x\n', TEN, 6_000)], {})).toBeNull();
    expect(attributed([step(null, 'x\n', 5_000)], {})).toBeNull();
  });
});
