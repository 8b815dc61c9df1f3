/**
 * Asks what a person is likely to type, before he types: code that has never run is ten times slower, and indexes are
 * made when they are first asked. Only sources that know what was learned take part: no file is read, no model asked.
 */
import type { Knowledge } from './core/knowledge.ts';
import { formatSeparatedReply } from './core/reply.ts';
import { decodeLine } from './decode.ts';
import type { Engine } from './engine.ts';

/** Lines whose starts are asked for: with fewer, the first keys are still slow; more make them no faster. */
const LINES = 20;
/** Between two questions: whoever types meanwhile waits for one of them at most. */
const PAUSE_MS = 5;
const FIRST_LETTERS = 2;

export interface WarmUpOptions {
  readonly knowledge: Knowledge;
  /** An engine of the sources that take part. */
  readonly engine: Engine;
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<unknown>;
}

export async function warmUp({ knowledge, engine, signal, pause }: WarmUpOptions): Promise<void> {
  const { matches } = knowledge.history.match({ prefix: '', cwd: '', previous: '', limit: LINES });
  for (const { line } of matches)
    for (const start of [line.slice(0, FIRST_LETTERS), `${line.split(' ', 1)[0]} `, line.slice(0, -1)]) {
      await pause(PAUSE_MS);
      if (signal.aborted) return;
      await answer(engine, start, signal);
    }
}

/** One request as it comes over the wire, to the reply as it would go out. */
async function answer(engine: Engine, input: string, signal: AbortSignal): Promise<void> {
  const message = decodeLine(JSON.stringify({ request_id: 1, input, cwd: '/', format: 'sep1' }));
  if (message.kind !== 'complete') return;
  const candidates = await engine.complete(message.request.query, signal);
  formatSeparatedReply({
    request_id: 1,
    candidates: candidates.map(({ line, confidence, source }) => ({ completion: line, confidence, source })),
  });
}
