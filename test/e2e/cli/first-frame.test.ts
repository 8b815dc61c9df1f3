/** What the companion loads before its first complete frame: counted in files and bytes, which load does not affect. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copaneEnv } from '../../helpers/companion-pane.ts';
import { makeFolder } from '../../helpers/git-fixture.ts';
import { COPANE, ROOT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { startInPty } from '../../helpers/ui-pty.ts';

/** The entry, the commands, the first frame, the screens. */
const MOST_FILES = 4;
const MOST_BYTES = 600_000;
/** Each costs milliseconds, and no frame needs one. */
const TOO_SLOW = ['node:crypto', 'node:http', 'node:https', 'node:tls', 'node:zlib'];

test('the first complete frame stays within its budget of modules', async () => {
  const root = makeFolder();
  const project = path.join(root, 'project');
  mkdirSync(project);
  const list = path.join(root, 'loaded');
  writeFileSync(list, '');
  const hook = path.join(ROOT, 'test/fixtures/programs/loaded.mjs');
  const companion = startInPty([COPANE, 'tui'], {
    columns: 120,
    rows: 50,
    cwd: project,
    env: {
      ...copaneEnv({ root, project }),
      TMUX_TMPDIR: root,
      NODE_OPTIONS: `--import=${hook}`,
      COPANE_LOADED: list,
      // The footer names the keys as soon as they work.
      COPANE_FRAME: ' help',
    },
  });
  await companion.until('the keys in the footer', (screen) => / help/.test(screen));
  companion.kill('SIGKILL');
  await companion.exit;
  const noted = readFileSync(list, 'utf8').split('\n');
  removeTree(root);
  const loaded = noted.slice(0, noted.indexOf('frame'));
  const files = loaded.filter((one) => one.startsWith('file:'));
  const bytes = files.reduce((sum, file) => sum + statSync(new URL(file)).size, 0);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
  expect(bytes, files.join('\n')).toBeLessThanOrEqual(MOST_BYTES);
  expect(bytes).toBeGreaterThan(100_000);
  expect(loaded).toContain('node:path');
  expect(loaded.filter((one) => TOO_SLOW.includes(one))).toEqual([]);
});
