/** The engine's patience: late, failing and cancelled sources. */
import { describe, expect, it } from 'vitest';
import type { Query, SourceName, Suggestion } from './core/suggestion.ts';
import { createEngine } from './engine.ts';
import type { Source } from './sources/source.ts';

const query: Query = { line: 'ze', cursor: 2, cwd: '/', session: 's', limit: 2 };
const NEVER = new AbortController().signal;

const suggest = (line: string): Suggestion => ({
  line,
  cursor: null,
  source: 'paths',
  probability: 0.5,
  partial: false,
  why: '',
});

/** Timers that the test fires. */
function manualTimers() {
  const waiting = new Map<number, { run: () => void; delayMs: number }>();
  let next = 1;
  return {
    now: () => 0,
    set: (run: () => void, delayMs: number) => {
      waiting.set(next, { run, delayMs });
      next += 1;
      return next - 1;
    },
    clear: (handle: unknown) => void waiting.delete(handle as number),
    fire: (delayMs: number) => {
      for (const [handle, timer] of [...waiting])
        if (timer.delayMs === delayMs) {
          waiting.delete(handle);
          timer.run();
        }
    },
    get waiting() {
      return waiting.size;
    },
  };
}

function setUp(...answers: (() => ReturnType<Source['suggest']>)[]) {
  return setUpSources(answers.map((answer) => ({ name: 'paths', suggest: answer })));
}

function setUpSources(sources: readonly Source[]) {
  const timers = manualTimers();
  const errors: SourceName[] = [];
  const engine = createEngine({
    sources,
    presence: null,
    deadlineMs: 80,
    graceMs: 10,
    habits: () => ({ familiarity: 0.4, experience: 0 }),
    isForgotten: (line) => line === 'zeta forgotten',
    timers,
    onSourceError: (source) => errors.push(source),
  });
  return { engine, timers, errors };
}

const lines = async (answer: ReturnType<ReturnType<typeof createEngine>['complete']>) =>
  (await answer).map(({ line }) => line).sort();

describe('createEngine', () => {
  it('answers at once if nothing is slow', async () => {
    const { engine, timers } = setUp(() => [suggest('zeta')]);
    expect(await lines(engine.complete(query, NEVER))).toEqual(['zeta']);
    expect(timers.waiting).toBe(0);
  });

  it('waits for a slow source to the deadline and no longer', async () => {
    const { engine, timers } = setUp(
      () => [suggest('zeta a')],
      () => new Promise(() => undefined),
    );
    const answer = lines(engine.complete(query, NEVER));
    timers.fire(10);
    timers.fire(80);
    expect(await answer).toEqual(['zeta a']);
    expect(timers.waiting).toBe(0);
  });

  it('waits only a moment if there are enough candidates', async () => {
    const { engine, timers } = setUp(
      () => [suggest('zeta a'), suggest('zeta b')],
      () => new Promise(() => undefined),
    );
    const answer = lines(engine.complete(query, NEVER));
    timers.fire(10);
    expect(await answer).toEqual(['zeta a', 'zeta b']);
    expect(timers.waiting).toBe(0);
  });

  it('waits to the deadline for a client that asks for it', async () => {
    const { engine, timers } = setUp(
      () => [suggest('zeta a'), suggest('zeta b')],
      () => new Promise(() => undefined),
    );
    let isAnswered = false;
    const answer = lines(engine.complete({ ...query, isPatient: true }, NEVER));
    void answer.then(() => {
      isAnswered = true;
    });
    timers.fire(10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    timers.fire(80);
    expect(await answer).toEqual(['zeta a', 'zeta b']);
  });

  it('uses results that arrive in time', async () => {
    const { engine, timers } = setUp(() => Promise.resolve([suggest('zeta late')]));
    expect(await lines(engine.complete(query, NEVER))).toEqual(['zeta late']);
    expect(timers.waiting).toBe(0);
  });

  describe('with a slow source', () => {
    const slowly = (...found: Suggestion[]) => {
      const late = Promise.withResolvers<readonly Suggestion[]>();
      const sources: Source[] = [
        { name: 'history', suggest: () => found },
        { name: 'git', suggest: () => Promise.resolve([]) },
        { name: 'zsh', isSlow: true, suggest: () => late.promise },
      ];
      return { ...setUpSources(sources), late };
    };
    const settled = () => new Promise((resolve) => setImmediate(resolve));

    it('answers without it and reports once that there is more', async () => {
      const { engine, timers, late } = slowly(suggest('zeta a'));
      let told = 0;
      const answer = lines(
        engine.complete(query, NEVER, () => {
          told += 1;
        }),
      );
      await settled();
      timers.fire(10);
      expect(await answer).toEqual(['zeta a']);
      expect(timers.waiting).toBe(0);
      expect(told).toBe(0);
      late.resolve([suggest('zeta b')]);
      await settled();
      expect(told).toBe(1);
    });

    it.each([
      ['nothing', []],
      ['existing candidates', [suggest('zeta a')]],
      ['hidden candidates', [suggest('zeta forgotten')]],
    ])('reports nothing if it brings %s', async (_name, brought) => {
      const { engine, timers, late } = slowly(suggest('zeta a'));
      let told = 0;
      const answer = engine.complete(query, NEVER, () => {
        told += 1;
      });
      await settled();
      timers.fire(10);
      await answer;
      late.resolve(brought);
      await settled();
      expect(told).toBe(0);
    });

    it('waits for it to the deadline if there is nothing else, or nobody to report to', async () => {
      const nothing = slowly();
      const first = lines(nothing.engine.complete(query, NEVER, () => undefined));
      const deaf = slowly(suggest('zeta a'));
      const second = lines(deaf.engine.complete(query, NEVER));
      await settled();
      for (const { timers, late } of [nothing, deaf]) {
        timers.fire(10);
        late.resolve([suggest('zeta b')]);
      }
      expect(await first).toEqual(['zeta b']);
      expect(await second).toEqual(['zeta a', 'zeta b']);
    });

    it('sends no answer to a withdrawn question', async () => {
      const { engine, timers, late } = slowly(suggest('zeta a'));
      const controller = new AbortController();
      let told = 0;
      const answer = engine.complete(query, controller.signal, () => {
        told += 1;
      });
      await settled();
      timers.fire(10);
      await answer;
      controller.abort();
      late.resolve([suggest('zeta b')]);
      await settled();
      expect(told).toBe(0);
    });
  });

  it('loses only the candidates of a source that throws or rejects', async () => {
    const { engine, errors } = setUp(
      () => {
        throw new Error('defect');
      },
      () => Promise.reject(new Error('defect')),
      () => [suggest('zeta')],
    );
    expect(await lines(engine.complete(query, NEVER))).toEqual(['zeta']);
    expect(errors).toEqual(['paths', 'paths']);
  });

  it('gives nothing once cancelled', async () => {
    const { engine, timers } = setUp(() => new Promise(() => undefined));
    const controller = new AbortController();
    const answer = lines(engine.complete(query, controller.signal));
    controller.abort();
    expect(await answer).toEqual([]);
    expect(timers.waiting).toBe(0);
  });

  it('never shows forgotten lines, nor anything for a private or blank line', async () => {
    const { engine } = setUp(() => [suggest('zeta forgotten'), suggest('zeta forgotten '), suggest('zeta')]);
    expect(await lines(engine.complete(query, NEVER))).toEqual(['zeta']);
    expect(await lines(engine.complete({ ...query, line: ' ze', cursor: 3 }, NEVER))).toEqual([]);
    expect(await lines(engine.complete({ ...query, line: '   ', cursor: 3 }, NEVER))).toEqual([]);
  });
});
