import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { testTurn } from '../../../test/helpers/ui-fakes.ts';
import { fail, ok } from '../../lib/result.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { Client } from '../../protocol/client.ts';
import type { ResponsesView } from '../../ui/responses/port.ts';
import { TurnChanges } from './turn-changes.ts';

const SESSION = { cli: 'pi', path: '/s', sessionId: 's' } as const;

/** A client whose file snapshots are answered when `look` says so; `asked` has the name and time of each request. */
function slowLooks() {
  const asked: string[] = [];
  const looks: (() => void)[] = [];
  const request = async (name: string, { moment = '' }: { moment?: string }) => {
    asked.push(`${name} ${moment}`.trim());
    if (name === 'changes/mark') {
      await new Promise<void>((resolve) => void looks.push(resolve));
      return ok({ look: 1 });
    }
    return name === 'review/publish' ? ok({ id: 'r1' }) : fail('not_found', 'none');
  };
  const look = async () => {
    await setImmediate();
    looks.shift()?.();
    await setImmediate();
  };
  return { client: { request } as unknown as Client, asked, look };
}

it.each([
  ['goes on', 'streaming', ['changes/mark begin', 'changes/mark begin']],
  ['has just ended', 'complete', ['changes/mark begin', 'changes/mark end']],
] as const)('reviews a turn that %s after the snapshots of its files', async (_, progress, marks) => {
  const { client, asked, look } = slowLooks();
  const ignore = () => undefined;
  const changes = new TurnChanges({
    client,
    timers: systemTimers,
    session: () => SESSION,
    onChange: ignore,
    onProblem: ignore,
  });
  const see = (turn: Parameters<typeof testTurn>[1], state: string) =>
    changes.see(
      {
        status: { state },
        turns: [testTurn('t', turn)],
        markers: {},
        isLooking: false,
      } as unknown as ResponsesView,
      '/p',
    );
  see({ progress: 'streaming' }, 'working');
  see({ progress }, progress === 'streaming' ? 'working' : 'idle');
  const reviewed = changes.review(testTurn('t'), false, '/p');
  await look();
  expect(asked).not.toContain('review/publish');
  await look();
  expect(await reviewed).toEqual(ok('r1'));
  expect(asked.filter((one) => /mark (begin|end)|publish/.test(one))).toEqual([...marks, 'review/publish']);
  changes.close();
});

it.each<[string, string, readonly string[]]>([
  ['from a counted one', 't2', ['t2', 't3']],
  ['from an older one that is not counted', 't0', ['t0', 't1', 't2', 't3']],
  ['from one between them that is not counted', 't2b', ['t2b', 't3']],
  ['from the newest one, not counted yet', 't4', ['t4']],
])('marks every answer of a review onward as looked at, %s', async (_, from, names) => {
  const marked: unknown[] = [];
  const turns = ['t1', 't2', 't3'].map((turn) => ({ turn, files: 1, added: 1, removed: 0 }));
  const request = async (name: string, params: unknown) => {
    if (name === 'changes/list') return ok({ turns });
    if (name === 'review/mark-viewed') marked.push(params);
    return name === 'review/publish' ? ok({ id: 'r1' }) : ok({ hunks: [], look: 1 });
  };
  const changes = new TurnChanges({
    client: { request } as unknown as Client,
    timers: systemTimers,
    session: () => SESSION,
    onChange: () => undefined,
    onProblem: () => undefined,
  });
  const view = {
    status: { state: 'idle' },
    turns: ['t4', 't3', 't2b', 't2', 't1', 't0'].map((id) => testTurn(id)),
    markers: {},
    isLooking: false,
  };
  changes.see(view as unknown as ResponsesView, '/p');
  await changes.count();
  await changes.review(testTurn(from), true, '/p');
  await changes.review(testTurn(from), false, '/p');
  const marks = (...names: readonly string[]) => names.map((turn) => `turn pi:s ${turn}`);
  expect(marked).toEqual([
    { hunks: marks(...names), viewed: true },
    { hunks: marks(from), viewed: true },
  ]);
  changes.close();
});
