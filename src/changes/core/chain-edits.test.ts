import { describe, expect, it } from 'vitest';
import { chainEdits } from './chain-edits.ts';
import { exactText, normalisedText } from './file-text.ts';
import type { TurnEdit } from './turn-edits.ts';

let order = 0;
function edit(
  path: string,
  before: string | null,
  after: string | null,
  more: Partial<TurnEdit> = {},
): TurnEdit {
  order += 1;
  return {
    path,
    kind: before === null ? 'add' : after === null ? 'delete' : 'edit',
    ...(before === null ? {} : { before: exactText(before) }),
    ...(after === null ? {} : { after: exactText(after) }),
    order,
    at: null,
    outcome: 'applied',
    source: 'tool',
    by: 'tool',
    lineEnds: 'exact',
    ...more,
  };
}

describe('the edits of each file in sequence', () => {
  it('give the first text before and the last after', () => {
    const [chain] = chainEdits([edit('/p/a', 'one\n', 'two\n'), edit('/p/a', 'two\n', 'three\n')]);
    expect(chain).toMatchObject({ kind: 'edit', before: exactText('one\n'), after: exactText('three\n') });
    expect(chain?.breaks).toEqual([]);
  });

  it('report where somebody else changed the file', () => {
    const [chain] = chainEdits([edit('/p/a', 'one\n', 'two\n'), edit('/p/a', 'TWO\n', 'three\n')]);
    expect(chain?.breaks).toEqual([{ order, why: 'changed' }]);
  });

  it('leave out refused and failed ones', () => {
    const refused = edit('/p/a', 'one\n', 'two\n', { outcome: 'refused' });
    expect(chainEdits([refused, edit('/p/b', 'x\n', 'y\n', { outcome: 'failed' })])).toEqual([]);
  });

  it('continue under the new name after a rename', () => {
    const moved = edit('/p/b', 'one\n', 'one\n', { kind: 'rename', movedFrom: '/p/a' });
    const [chain, ...rest] = chainEdits([moved, edit('/p/b', 'one\n', 'two\n')]);
    expect(rest).toEqual([]);
    expect(chain).toMatchObject({ path: '/p/b', movedFrom: '/p/a', kind: 'rename' });
  });

  it('give nothing for a file that was added and deleted again', () => {
    expect(chainEdits([edit('/p/a', null, 'x\n'), edit('/p/a', 'x\n', null)])[0]?.kind).toBeNull();
  });

  it('count a deleted file that was written again as edited', () => {
    const [chain] = chainEdits([edit('/p/a', 'x\n', null), edit('/p/a', null, 'y\n')]);
    expect(chain).toMatchObject({
      kind: 'edit',
      before: exactText('x\n'),
      after: exactText('y\n'),
      breaks: [],
    });
  });

  it('match a text that lost its line ends with one that has them', () => {
    const crlf = edit('/p/a', 'one\r\n', 'two\r\n');
    const [chain] = chainEdits([crlf, edit('/p/a', 'x', 'y', { before: normalisedText('two\n') })]);
    expect(chain?.breaks).toEqual([]);
  });

  it('report an unknown text in between', () => {
    const { after: _, ...lost } = edit('/p/a', 'one\n', 'two\n', { lost: 'too-large' });
    const [chain] = chainEdits([lost, edit('/p/a', 'two\n', 'three\n')]);
    expect(chain?.breaks).toEqual([{ order, why: 'unknown' }]);
  });
});
