/**
 * Reads a pane's turns once, without taking the previous answer for the newest. A CLI writes a prompt into its session
 * file up to a second after accepting it, and the last words of an answer up to two seconds after its hook reports the
 * end. Waits a moment for both, and says so if they do not come.
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

/** The last report of a CLI's hook about a session. */
export interface HookReport {
  readonly state: TimedState | null;
  readonly prompt: TimedPrompt | null;
}

export interface SettledReadPorts {
  readonly read: (source: ResponseSource, turns: number) => Promise<Result<ResponsesReading>>;
  /** Null for the session that the hook itself named. */
  readonly reportOf: (sessionId: string | null) => Promise<HookReport>;
  /** Whether the CLI is visibly working. Called only if there can be a session file. */
  readonly isAtWork: () => Promise<boolean>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export interface SettledReading extends ResponsesReading {
  /** The CLI is working on a prompt that the turns do not contain. */
  readonly isBehind: boolean;
}

/** Reads the turns, including the newest prompt's, and with its end if the CLI reports one. */
export async function readSettled(
  ports: SettledReadPorts,
  source: ResponseSource,
  turns: number,
): Promise<Result<SettledReading>> {
  const begun = ports.now();
  for (;;) {
    const [reading, isWorking] = await Promise.all([ports.read(source, turns), ports.isAtWork()]);
    if (!reading.ok) return reading;
    const report = await ports.reportOf(reading.value.ref?.sessionId ?? null);
    const now = ports.now();
    const missing = missingPart(reading.value, { isWorking, report, now });
    if (missing === null) return ok({ ...reading.value, isBehind: false });
    if (missing === 'turn' && now - begun >= FLUSH_MS) return ok(behind(reading.value));
    await ports.sleep(LOOK_AGAIN_MS);
  }
}

interface Seen {
  readonly isWorking: boolean;
  readonly report: HookReport;
  readonly now: number;
}

/** What the file is known to missing: the last prompt's turn, or the end of the newest turn. */
function missingPart(reading: ResponsesReading, { isWorking, report, now }: Seen): 'turn' | 'end' | null {
  if (reading.source === 'screen') return null;
  if (reading.turns[0]?.progress === 'streaming')
    return report.state?.state === 'idle' && now - report.state.at < FLUSH_MS ? 'end' : null;
  const { prompt } = report;
  const isFresh = prompt !== null && now - prompt.at < FLUSH_MS;
  const isTaken = isFresh && !reading.turns.some((turn) => isSameText(turn.prompt, prompt.text));
  return isWorking || isTaken || reading.state === 'working' ? 'turn' : null;
}

function behind(reading: ResponsesReading): SettledReading {
  const turns = reading.turns.map((turn) => ({ ...turn, warning: turn.warning ?? BEHIND_WARNING }));
  return { ...reading, turns, isBehind: true };
}
