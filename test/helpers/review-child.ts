/**
 * A process that makes one decision when it is told to, and ends: to be killed on its way. Arguments: state folder,
 * suggestion, hunk, action. Says `ready`, waits for a line, says `done` or why not.
 */
import { stat } from 'node:fs/promises';
import { openTestReviews } from './review-service.ts';

const [stateDir = '', suggestion = '', hunk = '', action = 'accept'] = process.argv.slice(2);
const reviews = openTestReviews(stateDir);
// The first asynchronous call starts the thread that files are written from.
await stat(stateDir);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const ref = { suggestion, hunk };
const done =
  action === 'undo'
    ? await reviews.service.step(ref, 'undo')
    : await reviews.decide({ ...ref, action: action === 'reject' ? 'reject' : 'accept' });
process.stdout.write(done.ok ? 'done\n' : `${done.error.message}\n`);
reviews.close();
process.exit(0);
