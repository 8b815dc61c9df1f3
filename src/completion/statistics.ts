/** Counts for the Shell screen: requests, latencies, shown and accepted lines. Bounded, in memory, without secrets. */

import { redact } from '../lib/secrets/secrets.ts';
import type { AnsweredRequest } from '../protocol/shell.ts';
import type { Candidate } from './core/suggestion.ts';
import type { DecodedRequest } from './decode.ts';

const RECENT_MAX = 30;
const LATENCIES_MAX = 1_000;
/** Limit of counted shells. */
const SHELLS_MAX = 10_000;

type Recent = { -readonly [K in keyof AnsweredRequest]: AnsweredRequest[K] };

export class Statistics {
  requests = 0;
  cancelled = 0;
  accepted = 0;
  readonly acceptedBySource: Record<string, number> = {};
  readonly shownBySource: Record<string, number> = {};
  readonly #recent: Recent[] = [];
  readonly #latencies: number[] = [];
  readonly #shells = new Set<string>();

  answered(request: DecodedRequest, candidates: readonly Candidate[], ms: number, atMs: number): void {
    const { line, cwd, session } = request.query;
    this.requests += 1;
    this.#latencies.push(ms);
    if (this.#latencies.length > LATENCIES_MAX) this.#latencies.shift();
    // A shell with another history in front has this behind its process id.
    const [shell = ''] = session.split(' ');
    if (shell !== '' && this.#shells.size < SHELLS_MAX) this.#shells.add(shell);
    for (const { source } of candidates) count(this.shownBySource, source);
    this.#recent.push({
      id: this.requests,
      atMs,
      input: redact(line),
      cwd,
      ms,
      candidates: candidates.map((candidate) => ({
        line: candidate.line,
        confidence: candidate.confidence,
        source: candidate.source,
        sources: [...candidate.sources],
        why: candidate.why,
        partial: candidate.partial,
        ...(candidate.kind === undefined ? {} : { kind: candidate.kind }),
      })),
      taken: null,
    });
    if (this.#recent.length > RECENT_MAX) this.#recent.shift();
  }

  /** Records that a candidate was accepted, for the source that proposed it. */
  took(line: string): void {
    this.accepted += 1;
    const request = this.#recent.findLast(({ candidates }) => candidates.some((one) => one.line === line));
    if (request === undefined) return;
    request.taken = line;
    count(this.acceptedBySource, request.candidates.find((one) => one.line === line)?.source ?? '');
  }

  /** Newest first. */
  get recent(): readonly AnsweredRequest[] {
    return [...this.#recent].reverse();
  }

  get shells(): number {
    return this.#shells.size;
  }

  /** The `share` quantile of recent latencies, in ms. */
  latencyMs(share: number): number {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  /** Forgets the requests, for privacy, but not the counts. */
  clear(): void {
    this.#recent.length = 0;
  }
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
