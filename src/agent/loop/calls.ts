/** The calls of a model in one attempt; detects repetition. */

import type { AgentLimits, ToolCall } from '../../protocol/agent.ts';
import type { FileOutline } from '../tools/tool.ts';
import { failedCall, type RanCall } from '../tools/tool-box.ts';
import { type AttemptFailure, failure } from './failure.ts';

/** After this many repeated calls in a row with the same result, the model may only propose or answer. */
const REPEATS_MAX = 3;

export class MadeCalls {
  /** The result of each call. */
  readonly #results = new Map<string, string>();
  #repeats = 0;
  /** The message of a call that failed twice. */
  failure: string | null = null;

  get goesInCircles(): boolean {
    return this.#repeats >= REPEATS_MAX;
  }

  get isEmpty(): boolean {
    return this.#results.size === 0;
  }

  has(call: ToolCall): boolean {
    return this.#results.has(keyOf(call));
  }

  /** The result, or a notice if the same call gave the same result before. */
  judge(call: ToolCall, ran: RanCall): RanCall {
    const key = keyOf(call);
    const result = JSON.stringify([ran.blocks, ran.shown.map(({ version }) => version)]);
    const before = this.#results.get(key);
    this.#results.set(key, result);
    if (before !== result) {
      this.#repeats = 0;
      return ran;
    }
    if (!ran.result.ok) this.failure = ran.result.error?.message ?? null;
    // A failed call that is repeated unchanged fails again.
    this.#repeats = ran.result.ok ? this.#repeats + 1 : REPEATS_MAX;
    const words = 'You made this very call before, and it gives the same. Its result stands above.';
    return failedCall(call, 'repeated', words);
  }
}

const keyOf = ({ name, arguments: given }: ToolCall): string => `${name} ${JSON.stringify(given)}`;

function mapEvent({ text, filePath, symbolCount, totalLines, language }: FileOutline) {
  return { text, file_path: filePath, symbol_count: symbolCount, total_lines: totalLines, language };
}

/** The data of the event for an ended tool call. */
export function completionOf({ result, summary, count, map }: RanCall) {
  return {
    summary: summary.slice(0, 2_000),
    ok: result.ok,
    ...(count === null ? {} : { result_count: count }),
    ...(result.error === null ? {} : { error: result.error.message }),
    ...(map === null ? {} : { file_map: mapEvent(map) }),
  };
}

/** The result for a model that may make no more calls. */
export function budgetSpent(
  { goesInCircles, failure: cause }: MadeCalls,
  { max_tool_calls_per_job: calls }: AgentLimits,
): AttemptFailure {
  const words = goesInCircles
    ? `The model repeated the same calls and proposed nothing.${cause === null ? '' : ` It was told: ${cause}`}`
    : `The model used all ${calls} tool calls without proposing anything.`;
  return failure('tool_budget', words, {
    trigger: 'tool_budget',
    hint: 'Raise max_tool_calls_per_job, or ask for less at a time.',
  });
}
