/**
 * Reads a pane's turns for somebody who reads once. A CLI says by its hook that a turn is over up to two seconds before
 * the last words stand in its session file: until then the newest turn would be read without its end.
 */
import type { Result } from '../../lib/result.ts';
import type { TimedState } from '../../responses/core/agent-state.ts';
import type { ResponseSource, ResponsesReading } from '../../responses/pane-responses.ts';

/** So long after the hook the file is waited for. */
export const FLUSH_MS = 2_000;
const LOOK_AGAIN_MS = 100;

export interface SettledReadPorts {
  readonly read: (source: ResponseSource, turns: number) => Promise<Result<ResponsesReading>>;
  /** The last word of the CLI's hook about a session. */
  readonly told: (sessionId: string) => Promise<TimedState | null>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** The turns, the newest with its end where the CLI says that it has one. */
export async function readSettled(
  { read, told, now, sleep }: SettledReadPorts,
  source: ResponseSource,
  turns: number,
): Promise<Result<ResponsesReading>> {
  for (;;) {
    const reading = await read(source, turns);
    if (!reading.ok || reading.value.ref === null) return reading;
    if (reading.value.turns[0]?.progress !== 'streaming') return reading;
    const word = await told(reading.value.ref.sessionId);
    if (word?.state !== 'idle' || now() - word.at >= FLUSH_MS) return reading;
    await sleep(LOOK_AGAIN_MS);
  }
}
