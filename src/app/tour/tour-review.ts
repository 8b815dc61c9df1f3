/** The real part of the tour: a temporary repository, a sandbox with a change, its suggestion. Deletes them. */

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { makeScratch } from '../../platform/scratch.ts';
import type { Client } from '../../protocol/client.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import { endOf } from '../../review/desk/desk.ts';
import { git, openRepository, Repository } from '../../review/vcs/git.ts';
import { feedbackSentence } from '../../server/suggestions/feedback.ts';
import { openHostNow } from '../host-access.ts';

export interface TourOffer {
  /** The temporary repository. */
  readonly folder: string;
  readonly sandbox: string;
  readonly hunks: number;
}

/** The reviewer's decisions as feedback for an AI; `ended` when the review has ended. */
export interface TourReport {
  readonly words: string;
  readonly ended: 'finalized' | 'discarded' | null;
}

export interface TourReview {
  /** Makes and publishes the change; call it once. */
  offer(): Promise<Result<TourOffer>>;
  onReport(listener: (report: TourReport) => void): void;
  /** Deletes everything again. */
  close(): Promise<void>;
}

const FOLDER_PREFIX = 'copane-tour-';
const SANDBOX_NAME = 'tour';
/** The author of the example's commits. */
const IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'copane tour',
  GIT_AUTHOR_EMAIL: 'tour@localhost',
  GIT_COMMITTER_NAME: 'copane tour',
  GIT_COMMITTER_EMAIL: 'tour@localhost',
};

/** The review of a tour; creates nothing until `offer`. */
export function createTourReview(env: Env): TourReview {
  const listeners = new Set<(report: TourReport) => void>();
  let folder: string | null = null;
  let client: Client | null = null;
  let suggestion: string | null = null;

  const report = ({ body }: CopaneEvent) => {
    if (body.type !== 'review/changed' || body.suggestion.id !== suggestion) return;
    const { decidedCount, hunkCount } = body.suggestion;
    const ended = endOf(body.suggestion);
    if (ended !== null) suggestion = null;
    const remaining = hunkCount - decidedCount;
    const words = body.decisions.map((decision) => feedbackSentence({ ...decision, remaining }));
    for (const listener of listeners) listener({ words: words.join('\n'), ended });
  };

  return {
    onReport: (listener) => listeners.add(listener),

    offer: async () => {
      const opened = client === null ? await openHostNow(env) : ok(client);
      if (!opened.ok) return opened;
      client = opened.value;
      await forgetEarlier(client);
      const made = await makeExample();
      if (!made.ok) return made;
      folder = made.value;
      const offered = await publishExample(client, path.join(folder, 'parser'));
      if (!offered.ok) return offered;
      suggestion = offered.value.suggestion;
      client.subscribe(report);
      return ok(offered.value);
    },

    close: async () => {
      if (client !== null && folder !== null) {
        const target = path.join(folder, 'parser');
        if (suggestion !== null) await client.request('review/finish', { suggestion, how: 'discard' });
        await client.request('sandbox/remove', { target, name: SANDBOX_NAME, force: true });
      }
      await client?.close();
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a small repository with one commit in a temporary folder. */
async function makeExample(): Promise<Result<string>> {
  try {
    const folder = makeScratch('tour');
    const root = path.join(folder, 'parser');
    const made = await git(['init', '--quiet', '--template=', root], { repository: Repository.none(folder) });
    const committed = made.ok ? await commitBase(root) : made;
    if (!committed.ok) return committed;
    return ok(folder);
  } catch (thrown) {
    return fail('refused', `The example repository could not be made: ${errorMessage(thrown)}`);
  }
}

async function commitBase(root: string): Promise<Result<unknown>> {
  await writeFile(path.join(root, TOUR_FILE), TOUR_BASE);
  const opened = await openRepository(root);
  if (!opened.ok) return opened;
  const repository = opened.value;
  const added = await git(['add', '--all', '.'], { repository });
  if (!added.ok) return added;
  return git(['commit', '--quiet', '-m', 'A parser of lines'], { repository, env: IDENTITY });
}

async function publishExample(
  client: Client,
  target: string,
): Promise<Result<TourOffer & { readonly suggestion: string }>> {
  const sandbox = await client.request('sandbox/new', { target, name: SANDBOX_NAME });
  if (!sandbox.ok) return sandbox;
  await writeFile(path.join(sandbox.value.folder, TOUR_FILE), TOUR_WORK);
  const published = await client.request('review/publish', {
    target,
    description: TOUR_DESCRIPTION,
    source: { kind: 'sandbox', folder: sandbox.value.folder },
    filter: { notes: { ...TOUR_NOTES } },
  });
  if (!published.ok) return published;
  const { id, hunks } = published.value;
  return ok({ folder: target, sandbox: sandbox.value.folder, hunks: hunks.length, suggestion: id });
}

/** Discards the suggestion of an earlier tour that was killed. */
async function forgetEarlier(client: Client): Promise<void> {
  const listed = await client.request('review/list', {});
  if (!listed.ok) return;
  for (const { id, description, target } of listed.value) {
    if (description !== TOUR_DESCRIPTION || !path.basename(path.dirname(target)).startsWith(FOLDER_PREFIX))
      continue;
    await client.request('review/finish', { suggestion: id, how: 'discard' });
    await rm(path.dirname(target), { recursive: true, force: true });
  }
}

const TOUR_FILE = 'lines.ts';

/** Identifies the example in every list. */
const TOUR_DESCRIPTION = '[copane tour] Emit the last line; an example in a throw-away repository';

export const TOUR_BASE = `/** Splits text that comes in pieces into lines. */
class Lines {
  rest = '';

  constructor(emit) {
    this.emit = emit;
  }

  push(text) {
    const parts = (this.rest + text).split('\\n');
    this.rest = parts.pop();
    for (const line of parts) this.emit(line);
  }

  end() {
    this.rest = '';
  }

  /** How many characters wait for their line end. */
  get waiting() {
    return this.rest.length;
  }
}
`;

export const TOUR_WORK = TOUR_BASE.replace('class Lines', 'class LineSplitter').replace(
  "  end() {\n    this.rest = '';",
  "  end() {\n    if (this.rest !== '') this.emit(this.rest);\n    this.rest = '';",
);

const TOUR_NOTES: Readonly<Record<string, string>> = {
  [`${TOUR_FILE}:1`]: 'a rename that nobody asked for: a hunk to reject',
  [`${TOUR_FILE}:2`]: 'the mistake that you asked about: a hunk to accept',
};
