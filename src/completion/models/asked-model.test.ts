/** When a model is asked, when it is not, and how its answers serve later keys. */
import { describe, expect, it } from 'vitest';
import type { Candidate, Query } from '../core/suggestion.ts';
import { AskedModel } from './asked-model.ts';
import type { CompletionModel, ModelAnswer } from './model.ts';

const NEVER = new AbortController().signal;
const at = (line: string, fields: Partial<Query> = {}): Query => ({
  line,
  cursor: line.length,
  cwd: '/w',
  session: 's',
  limit: 4,
  ...fields,
});

/** A model with a clock and answers controlled by the test. */
function createTest() {
  let now = 0;
  let timer: { readonly run: () => void; readonly at: number } | null = null;
  const asked: {
    readonly line: string;
    readonly signal: AbortSignal;
    settle: (answer: ModelAnswer) => void;
  }[] = [];
  const model: CompletionModel = {
    name: 'tiny',
    isRemote: false,
    ask: ({ left }, signal) =>
      new Promise((settle) => {
        asked.push({ line: left, signal, settle });
      }),
    close: () => undefined,
  };
  const beside = new AskedModel({
    model,
    factsFor: () => ({ habits: [], recent: [] }),
    timers: {
      now: () => now,
      set: (run, delayMs) => {
        timer = { run, at: now + delayMs };
        return timer;
      },
      clear: (handle) => {
        if (handle === timer) timer = null;
      },
    },
  });
  return {
    beside,
    asked,
    wait(ms: number) {
      now += ms;
      if (timer !== null && timer.at <= now) {
        const { run } = timer;
        timer = null;
        run();
      }
    },
    async answer(text: string | null) {
      asked
        .at(-1)
        ?.settle(
          text === null
            ? { ok: false, problem: { code: 'inference_unavailable', message: 'down' } }
            : { ok: true, text, form: 'rest' },
        );
      await Promise.resolve();
      await Promise.resolve();
    },
    lines: (query: Query) => {
      const found = beside.source.suggest(query, NEVER);
      return found instanceof Promise ? [] : found.map(({ line }) => line);
    },
  };
}

describe('a model that is asked beside the engine', () => {
  it('asks after a quiet moment and serves the next keys', async () => {
    const test = createTest();
    test.beside.consider(at('git com'), []);
    expect(test.asked).toHaveLength(0);
    test.wait(150);
    expect(test.asked.map(({ line }) => line)).toEqual(['git com']);
    expect(test.lines(at('git com'))).toEqual([]);
    await test.answer('mit --amend');
    expect(test.lines(at('git com'))).toEqual(['git commit --amend']);
    expect(test.lines(at('git commit -'))).toEqual(['git commit --amend']);
    expect(test.lines(at('git commit --amend'))).toEqual([]);
    expect(test.lines(at('git config'))).toEqual([]);
    expect(test.lines(at('git com', { cwd: '/elsewhere' }))).toEqual([]);
  });

  it('asks nothing twice, even without an answer', async () => {
    const test = createTest();
    for (const line of ['git com', 'git com', 'git comm']) {
      test.beside.consider(at(line), []);
      test.wait(150);
      await test.answer(line === 'git com' ? 'mit' : '');
    }
    expect(test.asked).toHaveLength(1);
    test.beside.consider(at('xyz'), []);
    test.wait(150);
    await test.answer('');
    test.beside.consider(at('xyz'), []);
    test.wait(150);
    expect(test.asked).toHaveLength(2);
  });

  it('drops a question when the user types on', () => {
    const test = createTest();
    test.beside.consider(at('git c'), []);
    test.wait(100);
    test.beside.consider(at('git co'), []);
    test.wait(100);
    expect(test.asked).toHaveLength(0);
    test.wait(50);
    expect(test.asked).toHaveLength(1);
    test.beside.consider(at('git com'), []);
    expect(test.asked[0]?.signal.aborted).toBe(true);
  });

  it('keeps a question when a shell asks again for the same line, until the engine is confident', async () => {
    const test = createTest();
    test.beside.consider(at('docker lo'), []);
    test.wait(100);
    test.beside.consider(at('docker lo'), []);
    test.wait(50);
    expect(test.asked.map(({ line }) => line)).toEqual(['docker lo']);
    test.wait(2_000);
    test.beside.consider(at('docker lo'), []);
    test.wait(2_000);
    expect(test.asked).toHaveLength(1);
    expect(test.asked[0]?.signal.aborted).toBe(false);
    await test.answer('gs -f');
    expect(test.lines(at('docker lo'))).toEqual(['docker logs -f']);

    test.beside.consider(at('docker ps'), []);
    test.wait(150);
    test.beside.consider(at('docker ps'), [{ confidence: 0.95 } as Candidate]);
    expect(test.asked.at(-1)?.signal.aborted).toBe(true);
  });

  it('asks the model nothing if the engine is confident, and sends it nothing private', () => {
    const test = createTest();
    test.beside.consider(at('git com'), [{ confidence: 0.95 } as Candidate]);
    test.wait(1_000);
    test.beside.consider(at('mysql -phunter22'), []);
    test.wait(1_000);
    expect(test.asked).toHaveLength(0);
  });

  it('pauses after three failures, tries once more, and resumes after one answer', async () => {
    const test = createTest();
    const attempt = async (line: string, answer: string | null) => {
      const before = test.asked.length;
      test.beside.consider(at(line), []);
      test.wait(150);
      if (test.asked.length > before) await test.answer(answer);
    };
    for (const line of ['aaa', 'bbb', 'ccc']) await attempt(line, null);
    expect(test.beside.problem).toMatchObject({ code: 'inference_unavailable' });
    await attempt('ddd', null);
    expect(test.asked).toHaveLength(3);
    test.wait(30_000);
    await attempt('eee', null);
    await attempt('fff', null);
    expect(test.asked).toHaveLength(4);
    test.wait(30_000);
    await attempt('ggg', 'h');
    expect(test.beside.problem).toBeNull();
    expect(test.beside.status()).toMatchObject({ asked: 5, answered: 1, failed: 4, problem: null });
  });
});
