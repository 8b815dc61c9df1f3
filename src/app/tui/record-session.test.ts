/** Replays recorded sessions: the surface's core must arrive at the recorded frame. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRecording, replaySession } from '../../../test/helpers/replay-session.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../test/fixtures/sessions');

test.each(readdirSync(FOLDER))('%s ends with the frame that was recorded', async (name) => {
  const { ui, recorded } = await replaySession(readRecording(path.join(FOLDER, name)));
  expect(recorded.length).toBeGreaterThan(5);
  expect(ui.rows()).toEqual(recorded);
});

test('a session with one changed key ends with another frame', async () => {
  const events = readRecording(path.join(FOLDER, 'note-at-two-sizes.jsonl'));
  const other = events.map((event) =>
    event.is === 'keys' && event.bytes.startsWith('Why') ? { ...event, bytes: 'What?' } : event,
  );
  const { ui, recorded } = await replaySession(other);
  expect(ui.rows()).not.toEqual(recorded);
  expect(ui.screen()).toContain('What?');
});
