/** A review service over a real store in a temporary folder, without a host. */
import { createDesk, createReviews, type ReviewsOptions } from '../../src/app/host/reviews.ts';
import { SILENT_LOG } from '../../src/app/log/log.ts';
import { fail, type Result } from '../../src/lib/result.ts';
import type { Caller, CommandParams, CommandResult } from '../../src/protocol/command.ts';
import { commands } from '../../src/protocol/command.ts';
import type { DeskService } from '../../src/review/desk-service.ts';
import { DEFAULT_SETTINGS, type ReviewSettings } from '../../src/review/finishing/settings.ts';
import type { TurnSource } from '../../src/review/publishing/turn-review.ts';
import type { ReviewService } from '../../src/review/review-service.ts';
import type { Commit } from '../../src/store/sqlite.ts';
import { openStore, type StoreWriter } from '../../src/store/store.ts';

export interface TestReviews {
  readonly service: ReviewService;
  /** A reviewer's desk as a host makes it; a new one as after a takeover. */
  desk(): DeskService;
  /** Publishes a patch for `target`. */
  publish(target: string, patch: Uint8Array | string): Promise<Result<CommandResult<'review/publish'>>>;
  publishFrom(
    params: CommandParams<'review/publish'>,
    caller?: Pick<Caller, 'signal'>,
  ): Promise<Result<CommandResult<'review/publish'>>>;
  decide(params: CommandParams<'review/decide'>): Promise<Result<CommandResult<'review/decide'>>>;
  /** Undoes or redoes decisions; `hunk: 'all'` all of them. */
  step(
    ref: { readonly suggestion: string; readonly hunk: string },
    direction: 'undo' | 'redo',
  ): Promise<Result<CommandResult<'review/undo'>>>;
  finish(params: CommandParams<'review/finish'>): Promise<Result<CommandResult<'review/finish'>>>;
  /** Ids of everything that the store lists as open, whoever may see it. */
  openRecords(): readonly string[];
  /** The last events for every client, apart from decisions. */
  told(): unknown;
  close(): void;
}

/** Opens the store of `stateDir` as its leader. */
export function openTestReviews(
  stateDir: string,
  settings: Partial<ReviewSettings> = {},
  turns?: TurnSource,
  onWritten?: ReviewsOptions['onWritten'],
): TestReviews {
  const opened = openStore({ stateDir, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  const begun = store.beginEpoch({
    pid: process.pid,
    startedAt: Date.now(),
    version: 'test',
    socketPath: '',
  });
  if (!begun.ok) throw new Error(begun.error.message);
  const write = <T>(change: (writer: StoreWriter) => Result<T>, commit?: Commit): Result<T> => {
    const outcome = store.write(change, commit);
    if (!outcome.ok) return outcome;
    return outcome.value.kind === 'done' ? outcome.value.result : fail('refused', 'another leader');
  };
  const service = createReviews(
    {
      store,
      stateDir,
      now: Date.now,
      log: SILENT_LOG,
      settings: () => ({ ...DEFAULT_SETTINGS, ...settings }),
      ...(turns === undefined ? {} : { turns }),
      ...(onWritten === undefined ? {} : { onWritten }),
    },
    write,
  );
  const agent = () => Promise.reject(new Error('no agent here'));
  const makeDesk = () => createDesk({ reviews: service, store, agent }, write);
  const desk = makeDesk();
  const script = { client: 'script', once: null };
  const publishFrom: TestReviews['publishFrom'] = (params, caller) =>
    service.publish(commands['review/publish'].params.parse(params), caller);
  return {
    service,
    desk: makeDesk,
    publishFrom,
    publish: (target, patch) => {
      const bytes = typeof patch === 'string' ? Buffer.from(patch, 'latin1') : Buffer.from(patch);
      return publishFrom({ target, source: { kind: 'patch', patch: bytes.toString('base64') } });
    },
    decide: (params) => desk.decide(commands['review/decide'].params.parse(params), script),
    step: (ref, direction) => desk[direction](ref, script),
    finish: (params) => desk.finish(commands['review/finish'].params.parse(params), script),
    openRecords: () => store.reviews.openSuggestions().map(({ id }) => id),
    told: () =>
      store.events
        .after(0, 10_000)
        .map(({ json }) => JSON.parse(json))
        .findLast(({ type }) => type === 'review/reported')?.report,
    close: () => store.close(),
  };
}
