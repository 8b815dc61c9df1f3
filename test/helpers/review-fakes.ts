/** A fake of the review port: suggestions in memory that are decided without files, and hunks to look at. */
import { isGeneratedFile } from '../../src/lib/generated-files.ts';
import { fail, ok, type Result } from '../../src/lib/result.ts';
import type { SuggestionSource } from '../../src/protocol/commands/review.ts';
import type { Intent, IntentResult, Sync } from '../../src/protocol/intent.ts';
import type {
  Comment,
  Conflict,
  FileTexts,
  Hunk,
  Inspection,
  Suggestion,
  SuggestionSummary,
  Surroundings,
} from '../../src/protocol/review.ts';
import type { TurnRange } from '../../src/protocol/turn-range.ts';
import type { Desk } from '../../src/review/desk/desk.ts';
import type { DeskCommand } from '../../src/review/desk/desk-plan.ts';
import { planIntent } from '../../src/review/desk/plan.ts';
import { isComplete, NOTHING, settleDone, settleRefused, spoken } from '../../src/review/desk/settle.ts';
import type { ReviewPort, ReviewRequest, ReviewView } from '../../src/ui/review/port.ts';

const PARSE_DIFF = `@@ -38,6 +38,8 @@
   const state = open();
 
   const x = read()
-  return x
+  if (x < 0) throw new RangeError("x")
+  return x;
+
   // the end
   close(state);
`;

/** A hunk with sensible defaults. */
export function testHunk(id: string, fields: Partial<Hunk> = {}): Hunk {
  return {
    id,
    file: 'src/parse.ts',
    kind: 'text',
    diff: PARSE_DIFF,
    diffComplete: true,
    status: 'pending',
    reason: null,
    needs: [],
    parent: null,
    note: null,
    comments: [],
    warnings: [],
    ...(isGeneratedFile(fields.file ?? '') ? { isGenerated: true } : {}),
    ...fields,
  };
}

/** A comment, on the whole hunk by default. */
export function testComment(text: string, fields: Partial<Comment> = {}): Comment {
  return { text, lines: null, place: null, quote: '', ...fields };
}

/** A suggestion with every kind of row: hunks, a rename, a mode, a link, a deletion, a binary file. */
export function testSuggestion(fields: Partial<Suggestion> = {}): Suggestion {
  const hunks = fields.hunks ?? [
    testHunk('h1', { status: 'accepted', note: 'negative x crashed the loop in lex.ts' }),
    testHunk('h2', { diff: '@@ -120 +122,2 @@\n-old tail\n+new\ttail \n+\u200bhidden\u00a0and\r\n' }),
    testHunk('h3', {
      file: 'src/lex.ts',
      status: 'rejected',
      diff: '@@ -1,3 +1,3 @@\n import a\n-let b = 1\n+const b = 1\n end\n\\ No newline at end of file\n',
    }),
    testHunk('h4', {
      file: 'src/scan.ts',
      kind: 'rename',
      diff: 'rename from src/scanner.ts\nrename to src/scan.ts\n',
    }),
    testHunk('h5', { file: 'bin/run', kind: 'mode', diff: 'old mode 100644\nnew mode 100755\n' }),
    testHunk('h6', {
      file: 'test/parse.test.ts',
      status: 'conflict',
      reason: 'the lines were changed since',
      diff: '@@ -1 +1 @@\n-was\n+wanted\n',
    }),
    testHunk('h7', { file: 'logo.png', kind: 'binary', diff: 'file of 10 bytes → file of 12 bytes\n' }),
  ];
  return {
    id: 's1',
    description: 'Add input validation',
    status: 'partial',
    target: '/home/user/parser',
    source: 'patch',
    createdAt: new Date(2026, 2, 12, 13, 58).getTime(),
    files: [...new Set(hunks.map((hunk) => hunk.file))],
    hunkCount: hunks.length,
    decidedCount: hunks.filter((hunk) => hunk.status !== 'pending' && hunk.status !== 'conflict').length,
    revision: 3,
    inPlace: false,
    author: 'claude',
    notes: [],
    ...fields,
    hunks,
  };
}

const SIDES: Conflict = {
  base: 'was\n',
  yours: 'mine\n',
  yoursLine: 1,
  suggested: 'wanted\n',
  merged: '<<<<<<< yours\nmine\n=======\nwanted\n>>>>>>> suggested\n',
  conflicts: 1,
};

const AROUND: Surroundings = {
  above: Array.from({ length: 30 }, (_, index) => `above ${30 - index}`),
  below: Array.from({ length: 12 }, (_, index) => `below ${index + 1}`),
  moreAbove: 0,
  moreBelow: 0,
};

export interface FakeReviewOptions {
  /** What was done last with the accepted hunks; left out: nothing can be committed. */
  readonly lastSync?: Sync;
  readonly suggestions?: readonly Suggestion[];
  readonly sides?: Conflict;
  /** Both texts of modified hunks. */
  readonly texts?: NonNullable<Inspection['modified']>;
  /** The lines around every hunk. */
  readonly around?: Surroundings;
  /** A message shown with each result. */
  readonly notes?: readonly string[];
  /** Refuses an intent; null lets it through. */
  readonly refuse?: (intent: Intent) => Result<never> | null;
  /** Settles before an intent does, like a slow engine. */
  readonly wait?: () => Promise<void>;
  readonly view?: Partial<ReviewView>;
  /** The whole file of any hunk; left out: it cannot be read. */
  readonly wholeTexts?: FileTexts;
  /** The result of a change of scope; left out: unknown. */
  readonly scopeOf?: (turns: TurnRange | null) => Suggestion | null;
  /** The first suggestion has already been read. */
  readonly isRead?: boolean;
}

export interface FakeReview {
  readonly port: ReviewPort;
  readonly intents: Intent[];
  /** Revisions of questions answered with yes. */
  readonly confirmed: number[];
  /** Patches offered for review. */
  readonly offered: string[];
  /** Sources of which a review was started. */
  readonly started: SuggestionSource[];
  /** Someone else changes the suggestions. */
  readonly set: (suggestions: readonly Suggestion[]) => void;
}

interface Place {
  readonly suggestion: string | null;
  readonly hunk: string | null;
  readonly context: number;
}

/** Makes the fake. */
export function fakeReview(options: FakeReviewOptions = {}): FakeReview {
  const listeners = new Set<() => void>();
  const intents: Intent[] = [];
  const yeses: number[] = [];
  let desk: Pick<Desk, 'inFlight' | 'done' | 'undone'> = { inFlight: [], done: [], undone: [] };
  let count = 0;
  const offered: string[] = [];
  const started: SuggestionSource[] = [];
  const past = new Map<string, Hunk['status'][]>();
  const future = new Map<string, Hunk['status'][]>();
  let ended: Suggestion | null = null;
  let suggestions = options.suggestions ?? [];
  let place: Place = { suggestion: null, hunk: null, context: 0 };
  let view: ReviewView = {
    suggestions: suggestions.map(summaryOf),
    project: null,
    open: options.isRead === true ? (suggestions[0] ?? null) : null,
    conflict: null,
    modified: null,
    around: new Map(),
    viewed: new Set(),
    problem: null,
    isLooking: false,
    isReading: false,
    ...options.view,
  };
  const publish = (change: Partial<ReviewView>): void => {
    view = { ...view, ...change };
    for (const listener of [...listeners]) listener();
  };
  const show = (): void => {
    const open = suggestions.find(({ id }) => id === place.suggestion) ?? null;
    const hunk = open?.hunks.find(({ id }) => id === place.hunk);
    publish({
      suggestions: suggestions.map(summaryOf),
      open,
      conflict: hunk?.status === 'conflict' ? { hunk: hunk.id, sides: options.sides ?? SIDES } : null,
      modified:
        hunk?.status === 'modified' && options.texts !== undefined
          ? { hunk: hunk.id, texts: options.texts }
          : null,
      around:
        hunk !== undefined && place.context > 0
          ? new Map([...view.around, [hunk.id, options.around ?? AROUND]])
          : view.around,
    });
  };
  const change = (id: string, ids: readonly string[], to: (hunk: Hunk) => Hunk): Hunk[] => {
    suggestions = suggestions.map((one) => {
      if (one.id !== id) return one;
      const { decidedCount: _, status: __, ...rest } = one;
      const hunks = one.hunks.map((hunk) => (ids.includes(hunk.id) ? to(hunk) : hunk));
      return testSuggestion({ ...rest, revision: one.revision + 1, hunks });
    });
    show();
    return suggestions.find((one) => one.id === id)?.hunks.filter((hunk) => ids.includes(hunk.id)) ?? [];
  };
  const remember = (hunk: Hunk, status: Hunk['status']): Hunk => {
    past.set(hunk.id, [...(past.get(hunk.id) ?? []), hunk.status]);
    return { ...hunk, status };
  };
  const step = (from: Map<string, Hunk['status'][]>, to: Map<string, Hunk['status'][]>) => (hunk: Hunk) => {
    const status = from.get(hunk.id)?.pop();
    if (status === undefined) return hunk;
    to.set(hunk.id, [...(to.get(hunk.id) ?? []), hunk.status]);
    return { ...hunk, status };
  };
  const run = (id: string, command: DeskCommand): Hunk[] => {
    const hunks = suggestions.find((one) => one.id === id)?.hunks ?? [];
    switch (command.kind) {
      case 'decide': {
        const status = ({ accept: 'accepted', reject: 'rejected', modify: 'modified' } as const)[
          command.action
        ];
        const wanted = hunks.filter((hunk) =>
          command.hunk === 'all'
            ? hunk.status === 'pending' && (command.file === null || command.file === hunk.file)
            : hunk.id === command.hunk,
        );
        return change(
          id,
          wanted.map((hunk) => hunk.id),
          (hunk) => remember(hunk, status),
        );
      }
      case 'step':
      case 'step_all': {
        const ids = command.kind === 'step' ? command.hunks : hunks.map((hunk) => hunk.id);
        return change(id, ids, command.direction === 'undo' ? step(past, future) : step(future, past));
      }
      case 'comment':
        return change(id, [command.hunk], (hunk) => ({
          ...hunk,
          comments: [...hunk.comments, testComment(command.text, { lines: command.lines })],
        }));
      case 'split':
      case 'join':
        return change(id, [command.hunk], (hunk) => hunk);
      case 'finish':
        ended = suggestions.find((one) => one.id === id) ?? null;
        suggestions = suggestions.filter((one) => one.id !== id);
        show();
        return [];
      case 'reopen':
        return [];
    }
  };
  const deskOf = (id: string): Desk => {
    const open = suggestions.find((one) => one.id === id);
    return { suggestion: id, revision: open?.revision ?? 0, end: null, hunks: open?.hunks ?? [], ...desk };
  };
  /** As the host's desk does it, without files. */
  const intend = async (
    id: string,
    { intent, confirmed, onPaint }: ReviewRequest,
  ): Promise<Result<IntentResult>> => {
    intents.push(intent);
    if (confirmed !== null) yeses.push(confirmed);
    count += 1;
    const plan = planIntent(deskOf(id), intent, {
      reviewer: { client: 'me', mark: place.hunk },
      id: `${count}`,
      confirmed,
      nameOf: (client) => client ?? 'Somebody',
      mergeConflicts: (options.sides ?? SIDES).conflicts,
      lastSync: options.lastSync ?? null,
    });
    if (plan.kind !== 'act') return ok(spoken(deskOf(id), plan));
    desk = plan.desk;
    onPaint({ mark: plan.mark, statuses: { ...plan.statuses } });
    await options.wait?.();
    const refused = options.refuse?.(intent) ?? null;
    if (refused !== null && !refused.ok) {
      const settled = settleRefused(deskOf(id), plan);
      desk = settled.desk;
      const { message, hint = null } = refused.error;
      const rest = { revision: 0, complete: false, mark: settled.mark };
      return ok({ ...NOTHING, ...rest, kind: 'refused', problem: { message, hint } });
    }
    const hunks = run(id, plan.command);
    const { revision, end } = deskOf(id);
    const settled = settleDone(deskOf(id), plan, { hunks, revision, end }, plan.mark);
    desk = settled.desk;
    const { words, mark } = settled;
    const rest = { revision, complete: isComplete(settled.desk), hunks, words, mark };
    return ok({ ...NOTHING, ...rest, kind: 'done', notes: [...(options.notes ?? [])] });
  };
  return {
    intents,
    confirmed: yeses,
    offered,
    started,
    set: (next) => {
      suggestions = next;
      show();
    },
    port: {
      getSnapshot: () => view,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      follow: (suggestion, hunk, context) => {
        if (place.suggestion === suggestion && place.hunk === hunk && place.context === context) return;
        place = { suggestion, hunk, context };
        show();
      },
      intend,
      locate: async (suggestion, hunk) => {
        const open = suggestions.find(({ id }) => id === suggestion);
        const file = open?.hunks.find(({ id }) => id === hunk)?.file ?? '';
        return ok({ file: `${open?.target}/${file}`, line: 100 });
      },
      begin: async (source, name) => {
        started.push(source);
        const made = testSuggestion({ id: `started-${started.length}`, description: name });
        suggestions = [made, ...suggestions];
        show();
        return ok(summaryOf(made));
      },
      texts: async () =>
        options.wholeTexts === undefined ? fail('not_found', 'no texts') : ok(options.wholeTexts),
      markViewed: async (hunks, isViewed) => {
        const viewed = new Set(view.viewed);
        for (const id of hunks) {
          if (isViewed) viewed.add(id);
          else viewed.delete(id);
        }
        publish({ viewed });
        return ok(undefined);
      },
      offer: async (patch) => {
        offered.push(patch);
        return ok(1);
      },
      openScope: async ({ left, turns }) => {
        const scope = options.scopeOf?.(turns);
        if (scope == null) return fail('not_found', 'Nothing is known of it');
        suggestions = [scope, ...suggestions.filter(({ id }) => id !== left && id !== scope.id)];
        show();
        return ok(scope.id);
      },
      reopenLast: async () => {
        if (ended === null) return fail('not_found', 'No review has ended yet');
        suggestions = [ended, ...suggestions];
        show();
        return ok(summaryOf(ended));
      },
      refresh: async () => ok(undefined),
    },
  };
}

function summaryOf({ hunks: _hunks, notes: _notes, ...summary }: Suggestion): SuggestionSummary {
  return summary;
}

/** A refusal, as the engine returns it. */
export function testRefusal(message: string): Result<never> {
  return fail('refused', message);
}
