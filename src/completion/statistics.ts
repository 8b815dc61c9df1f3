/** Counts what the Shell screen shows: requests, latencies, what was accepted. Bounded, in memory only. */
import type { Candidate } from './core/suggestion.ts';
import type { DecodedRequest } from './decode.ts';
import type { AnsweredRequest } from './worker-protocol.ts';

const RECENT_MAX = 50;
const LATENCIES_MAX = 1_000;

export class Statistics {
  requests = 0;
  cancelled = 0;
  accepted = 0;
  readonly recent: AnsweredRequest[] = [];
  readonly acceptedBySource: Record<string, number> = {};
  readonly #latencies: number[] = [];

  answered(request: DecodedRequest, candidates: readonly Candidate[], ms: number, atMs: number): void {
    this.requests += 1;
    this.#latencies.push(ms);
    if (this.#latencies.length > LATENCIES_MAX) this.#latencies.shift();
    this.recent.push({
      atMs,
      input: request.query.line,
      cwd: request.query.cwd,
      ms,
      candidates: candidates.map(({ line, confidence, source, why }) => ({ line, confidence, source, why })),
    });
    if (this.recent.length > RECENT_MAX) this.recent.shift();
  }

  /** A candidate was taken: which source had proposed it? */
  took(line: string): void {
    this.accepted += 1;
    for (let at = this.recent.length - 1; at >= 0; at -= 1) {
      const source = this.recent[at]?.candidates.find((candidate) => candidate.line === line)?.source;
      if (source === undefined) continue;
      this.acceptedBySource[source] = (this.acceptedBySource[source] ?? 0) + 1;
      return;
    }
  }

  /** The `share` quantile of recent latencies, in ms. */
  latencyMs(share: number): number {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}
