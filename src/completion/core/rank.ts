/**
 * One list out of all sources: merges equal lines, turns each source's own estimate into a probability that
 * means what it says, keeps room for different kinds, and drops what must not be shown.
 */
import { isTransmissible } from './reply.ts';
import { hasSecret } from './secrets.ts';
import type { Candidate, Query, SourceName, Suggestion } from './suggestion.ts';

/**
 * Platt scaling per source: confidence = 1 / (1 + exp(-(slope * logit(p) + shift))). The numbers were fitted
 * by `npm run eval:completion -- --fit` on a replay and are data, not taste.
 */
const CALIBRATION: Readonly<Record<SourceName, { readonly slope: number; readonly shift: number }>> = {
  history: { slope: 1, shift: 0 },
  sequence: { slope: 1, shift: 0 },
  tokens: { slope: 1, shift: 0 },
  words: { slope: 1, shift: 0 },
  prior: { slope: 1, shift: 0 },
  typo: { slope: 1, shift: 0 },
  paths: { slope: 1, shift: 0 },
  project: { slope: 1, shift: 0 },
  git: { slope: 1, shift: 0 },
  specs: { slope: 1, shift: 0 },
  zsh: { slope: 1, shift: 0 },
  model: { slope: 1, shift: 0 },
};

const MIN_PROBABILITY = 0.001;
const MAX_PROBABILITY = 0.995;
/** A second source that agrees adds this part of what it would have given alone. */
const AGREEMENT = 0.5;

function calibrate(source: SourceName, probability: number): number {
  const p = Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
  const { slope, shift } = CALIBRATION[source];
  const confidence = 1 / (1 + Math.exp(-(slope * Math.log(p / (1 - p)) + shift)));
  return Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, confidence));
}

function isShowable(suggestion: Suggestion, query: Query): boolean {
  const { line } = suggestion;
  if (line === query.line || line.trim() === query.line.trim() || !isTransmissible(line)) return false;
  if (line.includes('\n') && !query.line.includes('\n') && suggestion.source !== 'history') return false;
  if (suggestion.kind !== 'fix' && !line.startsWith(query.line.slice(0, query.cursor))) return false;
  return !hasSecret(line);
}

function merge(suggestions: readonly Suggestion[], query: Query): Candidate[] {
  const byLine = new Map<string, Candidate>();
  const ordered = suggestions
    .map((suggestion) => ({ suggestion, confidence: calibrate(suggestion.source, suggestion.probability) }))
    .sort((a, b) => b.confidence - a.confidence || (a.suggestion.line < b.suggestion.line ? -1 : 1));
  for (const { suggestion, confidence } of ordered) {
    // A blank at the end is no other candidate, only another way to go on.
    const key = suggestion.line.trimEnd();
    const known = byLine.get(key);
    if (known === undefined) {
      if (isShowable(suggestion, query))
        byLine.set(key, { ...suggestion, confidence, sources: [suggestion.source] });
    } else if (!known.sources.includes(suggestion.source)) {
      byLine.set(key, {
        ...known,
        confidence: Math.min(MAX_PROBABILITY, 1 - (1 - known.confidence) * (1 - AGREEMENT * confidence)),
        sources: [...known.sources, suggestion.source],
      });
    }
  }
  return [...byLine.values()];
}

/** What a row is worth: the letters it saves, as likely as it is. */
function gainOf(candidate: Candidate, query: Query): number {
  return candidate.confidence * Math.max(1, candidate.line.length - query.line.length);
}

function byConfidence(a: Candidate, b: Candidate): number {
  return b.confidence - a.confidence || (a.line < b.line ? -1 : 1);
}

/**
 * The candidates to show, most confident first. Half of the rows go to the likeliest, the others to what would
 * save most: whole lines and next words do not crowd each other out.
 */
export function rank(suggestions: readonly Suggestion[], query: Query): readonly Candidate[] {
  const merged = merge(suggestions, query).sort(byConfidence);
  const likely = merged.slice(0, Math.ceil(query.limit / 2));
  const rest = merged
    .slice(likely.length)
    .sort((a, b) => gainOf(b, query) - gainOf(a, query) || byConfidence(a, b));
  return [...likely, ...rest].slice(0, query.limit).sort(byConfidence);
}
