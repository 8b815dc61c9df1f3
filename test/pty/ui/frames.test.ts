import { describe, expect, it } from 'vitest';
import { openScreen } from '../../helpers/frames.ts';
import { fakeUi, testTurn, testView } from '../../helpers/ui-fakes.ts';
import { galleryEntries } from '../../helpers/ui-gallery.ts';

const SIZES = [
  [40, 12],
  [80, 24],
  [200, 50],
] as const;

const FRAMES = galleryEntries().flatMap((entry) =>
  SIZES.map(([columns, rows]) => ({ name: `${entry.name}-${columns}x${rows}`, columns, rows, entry })),
);

/** The gallery as a terminal shows it: text and style runs of every line. */
describe.concurrent('frames', () => {
  it.for(FRAMES)('$name', async ({ name, columns, rows, entry }, { expect }) => {
    const screen = await openScreen(columns, rows, entry.make());
    try {
      if (entry.keys !== undefined) screen.type(entry.keys);
      const lines = await screen.styled();
      const { x, y, visible } = await screen.cursor();
      const cursor = visible ? `cursor ${x},${y}` : 'no cursor';
      await expect(`${lines.join('\n')}\n${cursor}\n`).toMatchFileSnapshot(`frames/${name}.txt`);
    } finally {
      await screen.close();
    }
  });
});

describe('drawing that bypasses Ink', () => {
  it('matches the planned frame after any keys and sizes', async () => {
    const turns = Array.from({ length: 40 }, (_, index) =>
      testTurn(`t${index}`, {
        response: Array.from({ length: index * 3 + 1 }, (_, line) => `${index}: line ${line}`).join('\n'),
      }),
    );
    const screen = await openScreen(80, 24, fakeUi({ view: testView({ turns }) }));
    const steps: readonly (string | readonly [number, number])[] = [
      'jjjj',
      'G',
      'gg',
      '\r',
      '\u0004\u0004',
      'jjjjjj',
      'kkk',
      [60, 40],
      'G',
      '\u001b[5~',
      [40, 12],
      'p',
      'ohello\rworld',
      '\u001b[27u',
      [120, 30],
      'kkko',
      'x\u001b[27u',
      '?',
      'q',
      '\t',
      'jjjj',
      't',
      'q',
      [31, 9],
      [80, 24],
      '2',
      '1',
      ':',
      '\u001b[27u',
    ];
    for (const step of steps) {
      if (typeof step === 'string') screen.type(step);
      else await screen.resize(step[0], step[1]);
      const planned = screen.planned();
      expect(await screen.text(), `after ${JSON.stringify(step)}`).toEqual(planned);
    }
    await screen.close();
  });
});
