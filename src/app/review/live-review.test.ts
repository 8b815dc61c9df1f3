import { describe, expect, it } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { IntentPaint } from '../../protocol/intent.ts';
import type { Hunk, Suggestion } from '../../protocol/review.ts';
import type { ReviewRequest } from '../../ui/review/port.ts';
import { LiveReview } from './live-review.ts';

type Request = { readonly command: string; readonly params: Record<string, unknown> };

/** A host that answers with one suggestion and can hold its answers back. */
function scripted(initial: Suggestion) {
  let stored = initial;
  const seen = ['h2'];
  const requests: Request[] = [];
  const held: (() => void)[] = [];
  let isHolding = false;
  let listener: (event: { seq: number; ts: number; body: EventBody }) => void = () => undefined;
  const summary = () => {
    const { hunks: _hunks, notes: _notes, ...rest } = stored;
    return rest;
  };
  const answer = (command: string, params: Record<string, unknown>): Result<unknown> => {
    switch (command) {
      case 'review/list':
        return ok([summary()]);
      case 'review/show':
        if (params.file === undefined)
          return ok({ ...stored, hunks: stored.hunks.slice(0, Number(params.first ?? stored.hunks.length)) });
        return ok({
          ...stored,
          hunks: stored.hunks
            .filter(({ file }) => file === params.file)
            .map((hunk) => (params.maxDiffBytes === 0 ? { ...hunk, diff: '', diffComplete: false } : hunk)),
        });
      case 'review/viewed':
        return ok({ hunks: seen });
      case 'review/mark-viewed':
        return ok({ viewed: params.viewed });
      case 'review/inspect': {
        const around = { above: ['a'], below: ['b'], moreAbove: 0, moreBelow: 0 };
        return ok({
          path: 'src/parse.ts',
          line: 41,
          around,
          modified: { suggested: 's', result: 'r', isOwnRegion: true },
        });
      }
      case 'review/intend': {
        const { hunk: wanted } = params.intent as { hunk: string };
        if (wanted === 'refused') return ok({ kind: 'refused', suggestion: null, hunks: [] });
        const hunks = stored.hunks.map(
          (hunk): Hunk => (hunk.id === wanted ? { ...hunk, status: 'accepted' } : hunk),
        );
        stored = { ...stored, hunks, revision: stored.revision + 1 };
        return ok({ kind: 'done', suggestion: summary(), hunks: hunks.filter(({ id }) => id === wanted) });
      }
      case 'review/conflict':
        return ok({ base: 'b', yours: 'y', yoursLine: 1, suggested: 's', merged: 'm', conflicts: 1 });
      case 'review/lines': {
        const first = Number(params.first);
        const lines = Array.from({ length: Math.min(5_000, 12_000 - first + 1) }, (_, index) => ({
          op: 'added' as const,
          text: `line ${first + index}`,
          cutFrom: null,
          oldLine: null,
          newLine: first + index,
          ending: 'lf' as const,
          own: true,
        }));
        return ok({ lines, total: 12_000 });
      }
      case 'review/finish':
        return ok({ ...summary(), status: 'finalized', revision: stored.revision + 1 });
      default:
        return fail('internal', command);
    }
  };
  const client = {
    id: 'c',
    state: { kind: 'connected', leader: true },
    request: async (
      command: string,
      params: Record<string, unknown>,
      options: { onEarly?: (value: unknown) => void } = {},
    ) => {
      requests.push({ command, params });
      options.onEarly?.({ mark: 'h2', statuses: {} });
      const value = answer(command, params);
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
      return value;
    },
    subscribe: (take: typeof listener) => {
      listener = take;
      return () => undefined;
    },
    onStateChange: () => () => undefined,
    close: async () => undefined,
  } as unknown as Client;
  return {
    client,
    requests,
    emit: (body: EventBody) => listener({ seq: 1, ts: 1, body }),
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const resolve of held.splice(0)) resolve();
    },
    set: (change: Partial<Suggestion>) => {
      stored = { ...stored, ...change };
    },
    summary,
  };
}

/** Runs due timers at once. */
const timers = {
  now: () => 0,
  set: (run: () => void) => setImmediate(run),
  clear: (handle: unknown) => clearImmediate(handle as NodeJS.Immediate),
};

/** Accepts a hunk. */
const accept = (hunk: string, onPaint: ReviewRequest['onPaint'] = () => undefined): ReviewRequest => ({
  intent: { kind: 'accept', hunk, seen: null, lines: null },
  confirmed: null,
  onPaint,
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function start(suggestion = testSuggestion({ hunks: [testHunk('h1'), testHunk('h2')] })) {
  const host = scripted(suggestion);
  const watched: string[] = [];
  let change = async (): Promise<void> => undefined;
  const live = new LiveReview({
    client: host.client,
    timers,
    target: () => '/home/dev/project',
    watch: (file, onChange) => {
      watched.push(file);
      change = onChange;
      return () => undefined;
    },
    onProblem: () => undefined,
  });
  await live.start();
  live.follow('s1', 'h1', 0);
  await settle();
  return { host, live, watched, change: () => change() };
}

describe('LiveReview', () => {
  it('lists, reads the followed suggestion, and requests nothing twice', async () => {
    const { host, live } = await start();
    expect(live.getSnapshot().open?.hunks).toHaveLength(2);
    const asked = host.requests.length;
    live.follow('s1', 'h1', 0);
    live.follow('s1', 'h2', 0);
    await settle();
    expect(host.requests.length).toBe(asked);
  });

  it('shows a decision before it settles, and keeps unchanged parts', async () => {
    const { live } = await start();
    const untouched = live.getSnapshot().open?.hunks[1];
    const paints: IntentPaint[] = [];
    const done = await live.intend(
      's1',
      accept('h1', (paint) => paints.push(paint)),
    );
    expect(done.ok && done.value.hunks.map(({ status }) => status)).toEqual(['accepted']);
    expect(paints).toEqual([{ mark: 'h2', statuses: {} }]);
    const { open, suggestions } = live.getSnapshot();
    expect(open?.hunks.map(({ status }) => status)).toEqual(['accepted', 'pending']);
    expect(open?.hunks[1]).toBe(untouched);
    expect(suggestions[0]?.revision).toBe(4);
    await settle();
    expect(live.getSnapshot().open?.hunks[1]).toBe(untouched);
  });

  it('reads the first of many hunks before the others, and reports that', async () => {
    const many = Array.from({ length: 300 }, (_, i) => testHunk(`h${i}`, { file: `f${i}` }));
    const host = scripted(testSuggestion({ hunks: many, hunkCount: many.length }));
    const views: (readonly [number | undefined, boolean])[] = [];
    const live = new LiveReview({
      client: host.client,
      timers,
      target: () => '/home/dev/project',
      watch: () => () => undefined,
      onProblem: () => undefined,
    });
    live.subscribe(() => {
      const { open, isReading } = live.getSnapshot();
      views.push([open?.hunks.length, isReading]);
    });
    await live.start();
    live.follow('s1', null, 0);
    await settle();
    expect(views.slice(-2)).toEqual([
      [256, true],
      [300, false],
    ]);
  });

  it('rereads, after the last decision, only the files that were decided on', async () => {
    const hunks = [testHunk('h1'), testHunk('h2', { file: 'b.ts' }), testHunk('h3', { file: 'c.ts' })];
    const { host, live } = await start(testSuggestion({ hunks }));
    const shows = () =>
      host.requests.filter(({ command }) => command === 'review/show').map(({ params }) => params.file);
    const before = shows().length;
    const acts = ['h1', 'h2'].map((hunk) => live.intend('s1', accept(hunk)));
    await acts[0];
    expect(shows()).toHaveLength(before);
    await acts[1];
    await settle();
    expect(shows().slice(before)).toEqual(['src/parse.ts', 'b.ts']);
    const after = live.getSnapshot().open?.hunks ?? [];
    expect(after.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'pending']);
    // Their diffs are not read again.
    expect(after.map(({ diff }) => diff)).toEqual(hunks.map(({ diff }) => diff));
  });

  it('shows answers that arrive together as one change', async () => {
    const hunks = Array.from({ length: 50 }, (_, i) => testHunk(`h${i}`, { file: `f${i}` }));
    const { live } = await start(testSuggestion({ hunks }));
    let changes = 0;
    live.subscribe(() => (changes += 1));
    const acts = hunks.map(({ id }) => live.intend('s1', accept(id)));
    expect((await Promise.all(acts)).every(({ ok: isDone }) => isDone)).toBe(true);
    expect(changes).toBe(1);
    expect(live.getSnapshot().open?.hunks.every(({ status }) => status === 'accepted')).toBe(true);
  });

  it('rereads everything if a file has different hunks', async () => {
    const { host, live, change } = await start();
    host.set({
      hunks: [testHunk('h1'), testHunk('h2a', { parent: 'h2' }), testHunk('h2b', { parent: 'h2' })],
    });
    await change();
    await settle();
    expect(live.getSnapshot().open?.hunks.map(({ id }) => id)).toEqual(['h1', 'h2a', 'h2b']);
  });

  it('reads which hunks were seen, and shows a new mark at once', async () => {
    const { host, live } = await start();
    expect([...live.getSnapshot().viewed]).toEqual(['h2']);
    const marking = live.markViewed(['h1'], true);
    expect([...live.getSnapshot().viewed].sort()).toEqual(['h1', 'h2']);
    await marking;
    host.emit({ type: 'review/viewed', hunks: ['h2', 'of another suggestion'], viewed: false });
    expect([...live.getSnapshot().viewed]).toEqual(['h1']);
  });

  it('reads the lines around a hunk on request, and both texts of a modified one', async () => {
    const hunks = [testHunk('h1'), testHunk('h2', { status: 'modified' })];
    const { live } = await start(testSuggestion({ hunks }));
    expect(live.getSnapshot().around.size).toBe(0);
    live.follow('s1', 'h1', 10);
    await settle();
    expect(live.getSnapshot().around.get('h1')).toMatchObject({ above: ['a'], below: ['b'] });
    live.follow('s1', 'h2', 0);
    await settle();
    expect(live.getSnapshot().modified).toEqual({
      hunk: 'h2',
      texts: { suggested: 's', result: 'r', isOwnRegion: true },
    });
    live.follow('s1', 'h1', 10);
    await settle();
    expect(live.getSnapshot().modified).toBeNull();
    expect(await live.locate('s1', 'h1')).toMatchObject({
      ok: true,
      value: { file: '/home/user/parser/src/parse.ts', line: 41 },
    });
  });

  it('reads an opened suggestion once, also while the list is being read', async () => {
    const host = scripted(testSuggestion({ hunks: [testHunk('h1')] }));
    const live = new LiveReview({
      client: host.client,
      timers,
      target: () => '/home/user/parser',
      watch: () => () => undefined,
      onProblem: () => undefined,
    });
    host.hold();
    const starting = live.start();
    host.release();
    host.hold();
    await settle();
    const refreshing = live.refresh();
    host.release();
    await Promise.all([starting, refreshing]);
    await settle();
    expect(live.getSnapshot().open?.id).toBe('s1');
    expect(host.requests.filter(({ command }) => command === 'review/show')).toHaveLength(1);
  });

  it('drops an answer that was requested before a decision', async () => {
    const { host, live } = await start();
    host.hold();
    const reading = live.refresh();
    await settle();
    const acting = live.intend('s1', accept('h1'));
    host.release();
    await Promise.all([reading, acting]);
    await settle();
    expect(live.getSnapshot().open?.hunks[0]?.status).toBe('accepted');
  });

  it('rereads after a refusal, because the files differ from what was shown', async () => {
    const { host, live } = await start();
    host.set({ hunks: [testHunk('h1', { status: 'conflict' })] });
    expect(await live.intend('s1', accept('refused'))).toMatchObject({ value: { kind: 'refused' } });
    await settle();
    const { open, conflict } = live.getSnapshot();
    expect(open?.hunks[0]?.status).toBe('conflict');
    expect(conflict).toMatchObject({ hunk: 'h1', sides: { yours: 'y' } });
  });

  it('rereads when the file of the selected hunk changes', async () => {
    const { host, live, watched, change } = await start();
    expect(watched).toEqual(['/home/user/parser/src/parse.ts']);
    host.set({ hunks: [testHunk('h1', { status: 'conflict' }), testHunk('h2')] });
    await change();
    await settle();
    expect(live.getSnapshot().open?.hunks[0]?.status).toBe('conflict');
  });

  it('shows the actions of others: a new suggestion, a decision, an end', async () => {
    const { host, live } = await start();
    host.emit({ type: 'review/published', suggestion: { ...host.summary(), id: 's2' } });
    expect(live.getSnapshot().suggestions.map(({ id }) => id)).toEqual(['s2', 's1']);
    host.set({ hunks: [testHunk('h1', { status: 'rejected' })], revision: 9 });
    host.emit({ type: 'review/changed', suggestion: host.summary(), decisions: [], moreDecisions: 0 });
    await settle();
    expect(live.getSnapshot().open?.hunks[0]?.status).toBe('rejected');
    host.emit({
      type: 'review/changed',
      suggestion: { ...host.summary(), status: 'discarded', revision: 10 },
      decisions: [],
      moreDecisions: 0,
    });
    expect(live.getSnapshot().suggestions.map(({ id }) => id)).toEqual(['s2']);
  });

  it.each([
    ['of another project', { id: 's3', target: '/home/dev/other' }],
    ['that another one replaced', { target: '/home/dev/project' }],
  ])('does not reopen a review %s', async (_, fields) => {
    const { host, live } = await start();
    host.emit({ type: 'review/published', suggestion: { ...host.summary(), id: 's2', replaces: 's1' } });
    host.emit({
      type: 'review/changed',
      suggestion: { ...host.summary(), ...fields, status: 'finalized', revision: 10 },
      decisions: [],
      moreDecisions: 0,
    });
    expect(await live.reopenLast()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('reads a long hunk to its end, page by page', async () => {
    const cut = testHunk('h1', { diff: '@@ -0,0 +1,12000 @@\n+line 1\n', diffComplete: false });
    const { host, live } = await start(testSuggestion({ hunks: [cut] }));
    await settle();
    const [hunk] = live.getSnapshot().open?.hunks ?? [];
    expect(hunk?.diffComplete).toBe(true);
    expect(hunk?.diff.split('\n')).toHaveLength(12_002);
    expect(host.requests.filter(({ command }) => command === 'review/lines')).toHaveLength(3);
    await live.refresh();
    await settle();
    expect(live.getSnapshot().open?.hunks[0]).toBe(hunk);
  });
});

describe('the fake of the port', () => {
  it('behaves like the real one where the surface depends on it: the view shows the outcome before it settles', async () => {
    const { port } = fakeReview({ suggestions: [testSuggestion({ hunks: [testHunk('h1')] })] });
    port.follow('s1', 'h1', 0);
    await port.intend('s1', accept('h1'));
    expect(port.getSnapshot().open?.hunks[0]?.status).toBe('accepted');
  });
});
