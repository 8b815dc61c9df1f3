import { expect, it } from 'vitest';
import type { SeenSide, SeenStep } from './attribute.ts';
import { withOurSteps } from './our-steps.ts';

const side = (text: string): SeenSide => ({ mode: 0o100644, bytes: new TextEncoder().encode(text) });
/** `A>B`: a look, `A=B`: a write of ours. */
function steps(...all: readonly string[]): SeenStep[] {
  return all.map((text, at) => ({
    before: side(text[0] ?? ''),
    after: side(text[2] ?? ''),
    changedAt: at,
    since: at - 1,
    seenAt: at,
    ...(text[1] === '=' ? { isOurs: true } : {}),
  }));
}
const shown = (all: readonly SeenStep[]) =>
  all.map(({ before, after, isOurs, changedAt }) => {
    const text = (one: SeenSide) => new TextDecoder().decode(one?.bytes ?? new Uint8Array());
    return `${text(before)}${isOurs ? '=' : changedAt === null ? '?' : '>'}${text(after)}`;
  });

it.each([
  ['a look that saw only our write', ['A>B', 'B=A', 'B>A'], ['A>B', 'B=A']],
  ['a look that saw more after our write', ['A>B', 'B=A', 'B>C'], ['A>B', 'B=A', 'A>C']],
  ['a change before our write that no look saw', ['A>B', 'C=D', 'B>D'], ['A>B', 'B?C', 'C=D']],
  ['changes on both sides', ['A>B', 'C=D', 'B>E'], ['A>B', 'B?C', 'C=D', 'D>E']],
  ['a look stored before our write', ['A>B', 'B>A', 'B=A'], ['A>B', 'B=A']],
  ['a write that no look has seen yet', ['A>B', 'B=A'], ['A>B', 'B=A']],
  ['several writes', ['A>B', 'B=A', 'A=B', 'B>C'], ['A>B', 'B=A', 'A=B', 'B>C']],
  ['a write that was undone before the next look', ['A>B', 'B=A', 'A=B'], ['A>B', 'B=A', 'A=B']],
  ['a file that only we wrote', ['A=B'], []],
  ['no write of ours', ['A>B', 'B>C'], ['A>B', 'B>C']],
])('removes what copane wrote: %s', (_, given, wanted) => {
  expect(shown(withOurSteps(steps(...given)))).toEqual(wanted);
});
