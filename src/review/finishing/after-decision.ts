/** A decision's consequences: sandbox, index, end of a decided suggestion. A failure here undoes no decision. */
import { ok, type Result } from '../../lib/result.ts';
import { sameImage, stateOf } from '../core/file-state.ts';
import type { Done } from '../deciding/decision-writer.ts';
import type { FollowUp } from '../deciding/decisions.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { ReviewRecords } from '../records/records.ts';
import { tellProblems } from '../records/report-problems.ts';
import type { SourceFollower } from '../sandboxes/source-follower.ts';
import { fileName, summarize } from '../showing/describe-suggestion.ts';
import { canCommit, type Finisher } from './finisher.ts';
import { IndexFollower } from './index-follower.ts';
import type { ReviewSettings } from './settings.ts';

export interface AfterDecisionOptions {
  readonly records: ReviewRecords;
  readonly follower: SourceFollower;
  readonly finisher: Finisher;
  readonly settings: () => ReviewSettings;
}

export class AfterDecision implements FollowUp {
  readonly #options: AfterDecisionOptions;
  readonly #index: IndexFollower;

  constructor(options: AfterDecisionOptions) {
    this.#options = options;
    this.#index = new IndexFollower(options.records);
  }

  /** Does what the settings ask for; returns what failed, in words. */
  async run({ loaded, touched }: Done): Promise<string[]> {
    // Nothing of it is on disk yet, so there is nothing to stage, commit or remove from a sandbox.
    if (loaded.stored.write === 'on-save') return [];
    this.#tellOthers(loaded, touched);
    const settings = this.#options.settings();
    const problems: string[] = keptInTarget(loaded, touched);
    const positions = touched.map(({ after }) => loaded.subjects.indexOf(after.subject));
    if (settings.revertOnReject) add(problems, await this.#options.follower.follow(loaded, { positions }));
    add(problems, await this.#index.follow(loaded, touched, settings.stageOnAccept));
    tellProblems(this.#options.records, loaded.stored.id, problems);
    const isLast = settings.autoSync && summarize(loaded.stored).status === 'complete';
    return isLast ? [...problems, ...(await this.#sync(loaded))] : problems;
  }

  /** Suggestions about the same files may fit or not fit now: what clients saw of them is outdated. */
  #tellOthers({ stored }: Loaded, touched: Done['touched']): void {
    const { records } = this.#options;
    const written = touched.filter(({ before, after }) => !sameImage(before.image(), after.image()));
    const files = new Set(written.map(({ after }) => fileName(after.subject)));
    const others = records
      .openSuggestions()
      .filter(
        (one) =>
          one.id !== stored.id &&
          one.write !== 'on-save' &&
          one.target === stored.target &&
          one.files.some((file) => files.has(file)),
      );
    if (others.length === 0) return;
    records.write((writer) => {
      const next = others.map((other) => ({ ...other, revision: other.revision + 1 }));
      for (const one of next) writer.putSuggestion(one);
      writer.touched(stored.target, [...files], next);
      return ok(undefined);
    });
  }

  async #sync(loaded: Loaded): Promise<string[]> {
    const ended = await this.#options.finisher.finish(loaded, {
      suggestion: loaded.stored.id,
      how: 'finalize',
      commit: await canCommit(loaded),
      hooks: false,
      message: null,
      push: false,
      sandbox: 'keep',
    });
    if (!ended.ok) {
      const problem = `Not finalized: ${ended.error.message}`;
      tellProblems(this.#options.records, loaded.stored.id, [problem]);
      return [problem];
    }
    const { commit, notes } = ended.value;
    return [...notes, commit === null ? 'Finalized.' : `Finalized: commit ${commit.slice(0, 10)}.`];
  }
}

/** Hunks rejected although the target already had their text: nothing was taken out, and the user must know. */
function keptInTarget({ stored }: Loaded, touched: Done['touched']): string[] {
  if (stored.inPlace) return [];
  const names = touched.flatMap(({ after: review, ids }) => {
    const wanted = new Set(ids);
    const isKept = review.changes.some(
      (change) =>
        wanted.has(change.id) &&
        stateOf(review.state, change.id).decision === 'rejected' &&
        review.place(change).kind === 'applied',
    );
    return isKept ? [fileName(review.subject)] : [];
  });
  if (names.length === 0) return [];
  return [
    `${names.join(', ')}: the target has the rejected text already, and keeps it; "copane review" can take it out.`,
  ];
}

function add(notes: string[], result: Result<string[]>): void {
  if (result.ok) notes.push(...result.value);
  else notes.push(result.error.message);
}
