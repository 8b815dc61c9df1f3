/** Small helpers for tests of the store and the host. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CopanePaths, copanePaths } from '../../src/platform/paths.ts';
import type { StoredDraft } from '../../src/protocol/commands/draft.ts';
import type { Draft } from '../../src/protocol/draft.ts';
import type { PaneIdentity } from '../../src/protocol/pane.ts';
import { editBetween } from '../../src/responses/core/draft-edit.ts';
import type { StoreWriter } from '../../src/store/store.ts';
import { removeTree } from './remove-tree.ts';

const PANE: PaneIdentity = { socketPath: '/run/tmux', serverPid: 10, paneId: '%3', panePid: 11 };

/** A new folder that serves as a user's home; `remove` deletes it. */
export function temporaryHome(): {
  readonly home: string;
  readonly paths: CopanePaths;
  readonly remove: () => void;
} {
  const home = mkdtempSync(path.join(os.tmpdir(), 'copane-'));
  return {
    home,
    paths: copanePaths({ HOME: home }),
    remove: () => removeTree(home),
  };
}

/** What `outbox/record` takes for a prompt with this text. */
export function promptOf(id: string, text = `prompt ${id}`) {
  return { id, pane: PANE, text, hash: createHash('sha256').update(text).digest('hex'), marked: false };
}

/** A draft of notes only. */
export function draftOf(...texts: readonly string[]): Draft {
  return {
    lines: texts.map((text, index) => ({ id: index + 1, text, tag: 'note', changed: false, origin: null })),
    pulls: [],
    nextLineId: texts.length + 1,
  };
}

/** Writes a whole draft, as a first save does. */
export function putDraft(writer: StoreWriter, { key, draft, revision, updatedAt }: StoredDraft): void {
  const edit = editBetween(writer.drafts.get(key).draft, draft);
  writer.drafts.edit(key, edit, { revision, updatedAt, lastEdit: '' });
}

/** The value of a result; fails the test with the reason if there is none. */
export function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (result.ok) return result.value;
  throw new Error(result.error.message);
}
