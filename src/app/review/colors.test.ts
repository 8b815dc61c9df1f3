import { afterEach, describe, expect, it } from 'vitest';
import { Colors } from './colors.ts';

let open: Colors[] = [];
afterEach(async () => {
  for (const colors of open) await colors.close();
  open = [];
});

function start(): Colors {
  const colors = new Colors();
  open.push(colors);
  return colors;
}

const never = new AbortController().signal;

describe('Colors', () => {
  it('highlights texts one after the other in a worker thread', async () => {
    const colors = start();
    const wishes = ['let a', 'return 1'].map((text) =>
      colors.color({ file: 'a.ts', texts: [text, ''] }, never),
    );
    const [one, two] = await Promise.all(wishes);
    expect(one).toMatchObject({ ok: true, value: [[[[0, 3, 'keyword']]], [[]]] });
    expect(two).toMatchObject({
      ok: true,
      value: [
        [
          [
            [0, 6, 'keyword'],
            [7, 8, 'number'],
          ],
        ],
        [[]],
      ],
    });
  });

  it('reports an unknown language and continues', async () => {
    const colors = start();
    expect(await colors.color({ file: 'LICENSE', texts: ['x'] }, never)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await colors.color({ file: 'a.ts', texts: ['let'] }, never)).toMatchObject({ ok: true });
  });

  it('starts no aborted request, and none after it is closed', async () => {
    const colors = start();
    const given = new AbortController();
    given.abort();
    expect(await colors.color({ file: 'a.ts', texts: ['let'] }, given.signal)).toMatchObject({ ok: false });
    await colors.close();
    expect(await colors.color({ file: 'a.ts', texts: ['let'] }, never)).toMatchObject({ ok: false });
  });
});
