/**
 * A process that makes one decision on command, made to be killed meanwhile. Arguments: state folder, suggestion, hunk
 * (`each`: one decision on every hunk, all at once), action. Says `ready`, waits for a line, says `done` or why not.
 */
import { stat } from 'node:fs/promises';
import { openTestReviews } from './review-service.ts';

const [stateDir = '', suggestion = '', hunk = '', action = 'accept'] = process.argv.slice(2);
const reviews = openTestReviews(stateDir);
// The first asynchronous call starts the thread that writes files.
await stat(stateDir);
const shown = hunk === 'each' ? await reviews.service.show({ suggestion, file: null }) : null;
const hunks = shown?.ok ? shown.value.hunks.map(({ id }) => id) : [hunk];
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const all = await Promise.all(
  hunks.map((one) => {
    const ref = { suggestion, hunk: one };
    return action === 'undo'
      ? reviews.step(ref, 'undo')
      : reviews.decide({ ...ref, action: action === 'reject' ? 'reject' : 'accept' });
  }),
);
const failed = all.find((done) => !done.ok);
process.stdout.write(failed === undefined || failed.ok ? 'done\n' : `${failed.error.message}\n`);
reviews.close();
process.exit(0);
