/**
 * Answers extracted from recorded screens. Checked twice: against the expected file of each recording, and against the
 * words of the Markdown that the model sent, so that an expected file cannot hide a lost word.
 */
import { describe, expect, it } from 'vitest';
import { linesAfterPrompt, readRecordings } from '../../../test/helpers/screen-recordings.ts';
import { screenRulesFor } from './registry.ts';

const answered = readRecordings().filter((recording) => recording.history !== null);

/** The words of Markdown, or of a screen that shows it, without markup, frames and white space. */
function wordsOf(lines: readonly string[]): string {
  return lines
    .filter((line) => !/^\s*(?:```|\|? ?-{3})/.test(line))
    .map((line) =>
      line
        .replace(/[│┃|┌┬┐├┼┤└┴┘─━▎▌]/g, ' ')
        .replace(/^\s*(?:#{1,6}|>)\s+/, '')
        .replace(/^\s*(?:[-•*+]|\d{1,2}[.)]?)\s+/, '')
        .replace(/\*\*|`/g, ''),
    )
    .join('')
    .replace(/\s+/g, '');
}

describe('recorded answers', () => {
  it('exist for each CLI', () => {
    const clis = new Set(answered.map((recording) => recording.facts.cli));
    expect([...clis].sort()).toEqual(['aider', 'claude', 'codex', 'gemini', 'opencode', 'pi']);
  });

  it.each(answered.map((recording) => [recording.label, recording] as const))('%s', (_label, recording) => {
    const { facts, expected } = recording;
    const extracted = screenRulesFor(facts.cli).extract(linesAfterPrompt(recording), facts.columns);
    expect({ ...extracted }).toEqual({ lines: expected?.lines, reflowed: expected?.reflowed });
  });

  it('keep the text before and after a tool call', () => {
    const found = answered.filter(({ facts }) => facts.case === 'after-tool');
    expect(found.length).toBeGreaterThan(0);
    for (const recording of found) {
      const { facts, label } = recording;
      const { lines } = screenRulesFor(facts.cli).extract(linesAfterPrompt(recording), facts.columns);
      for (const said of (facts.answer ?? '').split('\n')) {
        expect([label, wordsOf(lines)]).toEqual([label, expect.stringContaining(wordsOf([said]))]);
      }
    }
  });

  it.each(
    answered
      .filter(({ facts }) => facts.case !== 'after-tool')
      .map((recording) => [recording.label, recording] as const),
  )('%s has every word of the answer and no other', (_label, recording) => {
    const { facts } = recording;
    const extracted = screenRulesFor(facts.cli).extract(linesAfterPrompt(recording), facts.columns);
    expect(wordsOf(extracted.lines)).toBe(wordsOf((facts.answer ?? '').split('\n')));
  });
});
