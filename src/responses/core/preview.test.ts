import { expect, it } from 'vitest';
import { readRecordings } from '../../../test/helpers/screen-recordings.ts';
import { ANSWERS, promptFor } from '../../../test/helpers/screen-scenes.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { Screen } from '../screens/port.ts';
import { screenRulesFor } from '../screens/registry.ts';
import { previewOf } from './preview.ts';
import { rowsBelow } from './shown-turn.ts';

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
const WHOLE = lettersOf(`${ANSWERS.prose}${ANSWERS.list}`);
const streaming = readRecordings().filter(({ facts }) => facts.case === 'streaming');

const factsOf = (screen: Screen, cli: CliId) => ({
  rows: screen.rows.map(({ text }) => text),
  extract: (rows: readonly string[]) => screenRulesFor(cli).extract(rows, screen.width).lines,
  turn: 't',
  prompt: promptFor('streaming'),
});

it.each(streaming.map((recording) => [recording.label, recording] as const))(
  '%s: shows only the text being written',
  (_, { facts, screen }) => {
    const preview = previewOf(factsOf(screen, facts.cli), null);
    const written = lettersOf(preview.text);
    expect(written.length).toBeGreaterThan(5);
    expect(WHOLE.startsWith(written), preview.text).toBe(true);
  },
);

it('shows nothing if the prompt was never on the screen, and everything after it has scrolled away', () => {
  const found = streaming.find(({ facts }) => facts.cli === 'claude');
  if (found === undefined) throw new Error('no recording of an answer that is being written');
  const { screen } = found;
  const prompt = screen.rows.findIndex(({ text }) => text.includes(promptFor('streaming')));
  const facts = factsOf({ ...screen, rows: screen.rows.slice(prompt + 1) }, 'claude');
  expect(previewOf(facts, null).text).toBe('');
  expect(previewOf(facts, { turn: 'other', text: 'A par' }).text).toBe('');
  const { text } = previewOf(facts, { turn: 't', text: 'A par' });
  expect(text).not.toBe('');
  expect(WHOLE.startsWith(lettersOf(text)), text).toBe(true);
});

it('recognizes a short prompt only on a row of its own', () => {
  expect(rowsBelow(['> hi', 'his words', 'hi there'], 'hi')).toEqual(['his words', 'hi there']);
  expect(rowsBelow(['this', 'that'], 'hi')).toBeNull();
  expect(rowsBelow(['> one two', '  three four', 'said'], 'one two\nthree four')).toEqual(['said']);
});
