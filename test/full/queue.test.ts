/**
 * A prompt sent while a real AI CLI works: the answer in progress is kept, and the state is tracked to the end.
 */
import { describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import { CompanionPane } from '../helpers/companion-pane.ts';

const PATIENCE_MS = 90_000;
const LONG = Array.from({ length: 12 }, (_, row) => `Sentence ${row} of the long answer.`).join(' ');

const startStage = clientStages();

const CLIENTS: readonly ClientName[] = ['codex', 'claude', 'gemini'];

describe.each([44, 100])('at %i columns', (columns) => {
  const waits = (name: ClientName) => async () => {
    const script = {
      turns: [
        {
          when: 'the long one',
          replies: [{ text: LONG, chunkSize: 12, chunkDelayMs: 30, held: true as const }],
        },
        { when: 'the next one', replies: [{ text: 'The next answer.' }] },
      ],
    };
    const options = { columns, patienceMs: PATIENCE_MS };
    const { root, project, model, client } = await startStage(name, script, options);
    const companion = await CompanionPane.open(client.tmux, { root, project });
    await client.submit('I want the long one.');
    await client.tmux.until('the stream', (screen) => screen.includes('Sentence 0'));
    await companion.until('the work', (screen) => /working/.test(screen));
    await companion.until('what is written', (screen) => /AI is writing[\s\S]*Sentence 1/.test(screen));
    await companion.note('Then the next one.');
    await companion.keys('s');
    const preview = await companion.until('the preview', (screen) => screen.includes('The AI is working'));
    expect(preview.includes('wait or break in')).toBe(name !== 'gemini');
    await companion.keys('Enter');
    await companion.until('the queue', (screen) => /queued/.test(screen), 20_000);
    model.release();
    await client.tmux.until('the next answer', (screen) => screen.includes('The next answer.'), PATIENCE_MS);
    await companion.until('the delivery', (screen) => /[Dd]elivered/.test(screen), 20_000);
    await companion.keys('Escape', 'g', 'g');
    const list = await companion.until(
      'both turns',
      (screen) => /the next one/.test(screen) && /the long one/.test(screen),
    );
    expect(list).not.toMatch(/the long one\.?\s+(?:queued|interrupted)/);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Sentence 11 of the long answer.');
  };
  for (const name of CLIENTS)
    it.skipIf(!isInstalled(name))(`${name}: a prompt waits for the answer in progress`, waits(name));
});
