/**
 * Reads a pane's turns for someone who reads once, and does not take the answer before last for the last one. A CLI
 * writes a prompt into its session file up to a second after it took it, and the last words of an answer up to two
 * seconds after its hook says that it is over: both are waited for, for a moment, and said when they did not come.
 */
import { ok, type Result } from '../../lib/result.ts';
import type { TimedState } from '../../responses/core/ai-state.ts';
import { isSameText } from '../../responses/core/same-text.ts';
import type { TimedPrompt } from '../../responses/hooks/spool.ts';
import type { ResponseSource, ResponsesReading } from '../../responses/pane-responses.ts';

/** How long to wait for the file. */
export const FLUSH_MS = 2_000;
const LOOK_AGAIN_MS = 100;

const BEHIND_WARNING = 'the AI is working: its last prompt may not be in its session file yet';

/** The last words of a CLI's hook about a session. */
export interface HookWord {
  readonly state: TimedState | null;
  readonly prompt: TimedPrompt | null;
}

export interface SettledReadPorts {
  readonly read: (source: ResponseSource, turns: number) => Promise<Result<ResponsesReading>>;
  /** Null: the session that the hook itself named. */
  readonly told: (sessionId: string | null) => Promise<HookWord>;
  /** Whether the CLI is seen at work. Asked only where there can be a session file. */
  readonly isAtWork: () => Promise<boolean>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export interface SettledReading extends ResponsesReading {
  /** The CLI works on a prompt that the turns do not hold. */
  readonly isBehind: boolean;
}

/** The turns, the newest of them the one that was asked last, and with its end where the CLI says that it has one. */
export async function readSettled(
  ports: SettledReadPorts,
  source: ResponseSource,
  turns: number,
): Promise<Result<SettledReading>> {
  const begun = ports.now();
  for (;;) {
    const [reading, atWork] = await Promise.all([ports.read(source, turns), ports.isAtWork()]);
    if (!reading.ok) return reading;
    const word = await ports.told(reading.value.ref?.sessionId ?? null);
    const now = ports.now();
    const lack = lackOf(reading.value, { atWork, word, now });
    if (lack === null) return ok({ ...reading.value, isBehind: false });
    if (lack === 'turn' && now - begun >= FLUSH_MS) return ok(behind(reading.value));
    await ports.sleep(LOOK_AGAIN_MS);
  }
}

interface Seen {
  readonly atWork: boolean;
  readonly word: HookWord;
  readonly now: number;
}

/** The part that the file is known to lack: the last prompt's turn, or the end of the newest one. */
function lackOf(reading: ResponsesReading, { atWork, word, now }: Seen): 'turn' | 'end' | null {
  if (reading.source === 'screen') return null;
  if (reading.turns[0]?.progress === 'streaming')
    return word.state?.state === 'idle' && now - word.state.at < FLUSH_MS ? 'end' : null;
  const { prompt } = word;
  const isFresh = prompt !== null && now - prompt.at < FLUSH_MS;
  const isTaken = isFresh && !reading.turns.some((turn) => isSameText(turn.prompt, prompt.text));
  return atWork || isTaken || reading.state === 'working' ? 'turn' : null;
}

function behind(reading: ResponsesReading): SettledReading {
  const turns = reading.turns.map((turn) => ({ ...turn, warning: turn.warning ?? BEHIND_WARNING }));
  return { ...reading, turns, isBehind: true };
}
