/** Completes likely lines before the user types: cold code is ten times slower. Reads no file, asks no model. */
import type { Knowledge } from './core/knowledge.ts';
import { formatSeparatedReply } from './core/reply.ts';
import { decodeLine } from './decode.ts';
import type { Engine } from './engine.ts';

/** Fewer leave the first keys slow; more make them no faster. */
const LINES = 20;
/** Pause between two requests: a user who types meanwhile waits for one at most. */
const PAUSE_MS = 5;
const FIRST_LETTERS = 2;

export interface WarmUpOptions {
  readonly knowledge: Knowledge;
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

/** Handles a request from its wire form to the encoded reply. */
async function answer(engine: Engine, input: string, signal: AbortSignal): Promise<void> {
  const message = decodeLine(JSON.stringify({ request_id: 1, input, cwd: '/', format: 'sep1' }));
  if (message.kind !== 'complete') return;
  const candidates = await engine.complete(message.request.query, signal);
  formatSeparatedReply({
    request_id: 1,
    candidates: candidates.map(({ line, confidence, source }) => ({ completion: line, confidence, source })),
  });
}
