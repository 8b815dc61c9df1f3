/**
 * One list out of all sources: merges equal lines, turns each source's own estimate into a probability that
 * means what it says, keeps room for different kinds, and drops what must not be shown.
 */
import { factsOf, featuresOf, logistic, type QueryFacts } from './features.ts';
import { isTransmissible } from './reply.ts';
import { hasSecret } from './secrets.ts';
import type { Candidate, Query, Suggestion } from './suggestion.ts';
import { WEIGHTS } from './weights.ts';

const MIN_PROBABILITY = 0.001;
const MAX_PROBABILITY = 0.995;
/** A second source that agrees adds this part of what it would have given alone. */
const AGREEMENT = 0.5;

function confidenceOf(suggestion: Suggestion, query: Query, facts: QueryFacts): number {
  const confidence = logistic(WEIGHTS[suggestion.source], featuresOf(suggestion, query, facts));
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
  const facts = factsOf(query);
  const ordered = suggestions
    .map((suggestion) => ({ suggestion, confidence: confidenceOf(suggestion, query, facts) }))
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
