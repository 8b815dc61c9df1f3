/**
 * Fakes of every port of the surface, good enough to be a demo: a scripted AI whose answer streams, a draft
 * store in memory, a clipboard that remembers, an editor that is a function.
 */

import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../src/lib/result.ts';
import type { Timers } from '../../src/lib/scheduler.ts';
import type { StoredDraft } from '../../src/protocol/commands/draft.ts';
import type { Choice, Dialog, DialogOption } from '../../src/protocol/dialog.ts';
import type { Draft, DraftKey } from '../../src/protocol/draft.ts';
import type { OutboxEntry } from '../../src/protocol/outbox.ts';
import type { AiPane } from '../../src/protocol/pane.ts';
import type { PastSession } from '../../src/protocol/past-session.ts';
import type { Turn } from '../../src/protocol/turn.ts';
import type { UiPorts } from '../../src/ui/app/ports.ts';
import { paneKey, type ResponsesView } from '../../src/ui/responses/port.ts';
import { type FakeAgent, fakeAgent } from './agent-fakes.ts';
import { type FakeReview, fakeReview } from './review-fakes.ts';
import { type FakeShell, fakeShell } from './shell-fakes.ts';

/** 14:02 on some day in the process's time zone. */
export const TEST_NOW = new Date(2026, 2, 12, 14, 2, 30).getTime();
const MINUTE_MS = 60_000;

/** A turn with sensible defaults. */
export function testTurn(id: string, fields: Partial<Turn> = {}): Turn {
  const response = fields.response ?? fields.parts?.join('\n\n') ?? `Response ${id}`;
  return {
    id,
    prompt: `Prompt ${id}`,
    parts: [response],
    response,
    startedAt: TEST_NOW,
    source: 'transcript',
    progress: 'complete',
    kind: 'answer',
    reflowed: false,
    warning: null,
    ...fields,
  };
}

/** An AI pane with sensible defaults. */
export function testPane(paneId: string, fields: Partial<AiPane> = {}): AiPane {
  return {
    identity: {
      socketPath: '/run/tmux/default',
      serverPid: 4242,
      paneId,
      panePid: 5000 + Number(paneId.slice(1)),
    },
    label: `work:1.${paneId.slice(1)}`,
    title: 'parser',
    cwd: '/home/user/parser',
    branch: 'main',
    cli: 'claude',
    cliPid: 6000,
    state: 'idle',
    trust: 'title',
    ...fields,
  };
}

/** A record of a prompt with sensible defaults. */
export function testEntry(state: OutboxEntry['state'], fields: Partial<OutboxEntry> = {}): OutboxEntry {
  const text = fields.text ?? 'Why does the parser lose the last line?';
  return {
    id: 'out-1',
    pane: testPane('%1').identity,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    marked: false,
    state,
    reason: null,
    proof: state === 'delivered' ? 'transcript' : null,
    createdAt: TEST_NOW,
    updatedAt: TEST_NOW,
    ...fields,
  };
}

const ANSWER = `## The cause

The cause is the missing flush in \`end()\`:

1. \`push\` keeps an incomplete line in its buffer until the next chunk arrives, so that a line cut in two is put together again.
2. \`end\` never emits it.

\`\`\`ts
end(): string[] {
  const rest = this.#rest;
  this.#rest = '';
  return rest === '' ? [] : [rest];
}
\`\`\`

Shall I add a test for \`\\r\\n\` as well?`;

/** A few turns of an ordinary conversation, newest first. */
function testTurns(): Turn[] {
  return [
    testTurn('t3', {
      prompt: 'Why does the parser lose the last line?',
      parts: ['Let me look at the parser first.', ANSWER],
    }),
    testTurn('t2', {
      prompt: '### refactor the tokenizer\nand keep the tests',
      response: Array.from(
        { length: 112 },
        (_, index) => `Step ${index + 1}: move the rule into its own function.`,
      ).join('\n'),
      startedAt: TEST_NOW - 7 * MINUTE_MS,
      source: 'screen',
      reflowed: true,
    }),
    testTurn('t1', {
      prompt: '漢字のテスト: what does 𝄞 do here?',
      response:
        'It is one code point outside the BMP: 👩‍👩‍👧 is seven.\n\tA tab, a bell \u0007 and a \u202eright-to-left override.',
      startedAt: TEST_NOW - 40 * MINUTE_MS,
      progress: 'interrupted',
    }),
  ];
}

/** A dialog with these answers, read from the screen; `more` as its session file has it. */
export function testDialog(
  question: string,
  options: readonly (string | Partial<DialogOption>)[],
  more: Partial<Dialog> = {},
): Dialog {
  const whole = options.map((option): DialogOption => {
    const given = typeof option === 'string' ? { label: option } : option;
    return { label: '', description: '', checked: null, takesText: false, leads: null, ...given };
  });
  const seen: Choice = { question, options: whole, pointed: 0, keys: 'down' };
  return { kind: 'other', question, folded: null, source: 'screen', options: whole, seen, ...more };
}

/** A view with defaults: one followed pane, idle, three turns. */
export function testView(fields: Partial<ResponsesView> = {}): ResponsesView {
  const pane = testPane('%1');
  return {
    panes: [pane],
    selected: paneKey(pane.identity),
    turns: testTurns(),
    deliveries: [],
    status: { state: 'idle', since: TEST_NOW - 12_000, dialog: null, writing: null },
    changes: { session: null, figures: new Map(), unseen: 0 },
    past: null,
    problem: null,
    markers: { policy: 'auto', hasTranscript: true },
    isLooking: false,
    ...fields,
  };
}

/** A clock that only moves on command. */
export function testClock(start = TEST_NOW): Timers & { advance: (ms: number) => void } {
  let now = start;
  let next = 1;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    set: (run, delayMs) => {
      timers.set(next, { at: now + delayMs, run });
      next += 1;
      return next - 1;
    },
    clear: (handle) => void timers.delete(handle as number),
    advance: (ms) => {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].run();
      }
      now = end;
    },
  };
}

/** The process's clock. */
export function realClock(): Timers {
  return {
    now: () => Date.now(),
    set: (run, delayMs) => setTimeout(run, delayMs),
    clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
  };
}

export interface FakeUi {
  readonly ports: UiPorts;
  /** Replaces the view and tells the surface. */
  readonly setView: (change: (view: ResponsesView) => ResponsesView) => void;
  readonly sent: string[];
  readonly copied: string[];
  readonly saved: { readonly name: string; readonly text: string }[];
  /** Files opened in the editor. */
  readonly opened: { readonly file: string; readonly line: number }[];
  /** Labels of chosen answers, or the words typed into one. */
  readonly answered: string[];
  /** Comments sent back on a plan. */
  readonly replied: string[];
  readonly entered: string[];
  readonly drafts: Map<string, StoredDraft>;
  /** Someone else writes a draft. */
  readonly writeDraft: (key: DraftKey, draft: Draft) => void;
}

export interface FakeUiOptions {
  /** The project's sessions. */
  readonly sessions?: readonly PastSession[];
  /** Suggestions; left out: none waits. */
  readonly review?: FakeReview;
  /** Shell completions; left out: they run and are used. */
  readonly agent?: FakeAgent;
  readonly shell?: FakeShell;
  readonly view?: ResponsesView;
  readonly clock?: Timers;
  /** Installed AI CLIs; starting one adds a pane `%77`. */
  readonly startable?: readonly string[];
  /** What the fake $EDITOR makes of a text. */
  readonly edit?: (text: string, line: number, name?: string) => Result<string> | Promise<Result<string>>;
  /** The outcome of a sent prompt. */
  readonly deliver?: (text: string) => Promise<Result<OutboxEntry>>;
}

const EMPTY_DRAFT: Draft = { lines: [], pulls: [], nextLineId: 1 };

/** Makes the fakes. */
export function fakeUi(options: FakeUiOptions = {}): FakeUi {
  let view = options.view ?? testView();
  const clock = options.clock ?? testClock();
  const listeners = new Set<() => void>();
  const draftListeners = new Set<(draft: StoredDraft) => void>();
  const drafts = new Map<string, StoredDraft>();
  const sent: string[] = [];
  const copied: string[] = [];
  const saved: { name: string; text: string }[] = [];
  const opened: { file: string; line: number }[] = [];
  const answered: string[] = [];
  const replied: string[] = [];
  const entered: string[] = [];
  const setView: FakeUi['setView'] = (change) => {
    view = change(view);
    for (const listener of listeners) listener();
  };
  const keyName = (key: DraftKey) => `${key.project}\n${key.pane}`;
  const stored = (key: DraftKey): StoredDraft =>
    drafts.get(keyName(key)) ?? { key, draft: EMPTY_DRAFT, revision: 0, updatedAt: 0 };
  const store = (key: DraftKey, draft: Draft): StoredDraft => {
    const next = { key, draft, revision: stored(key).revision + 1, updatedAt: clock.now() };
    drafts.set(keyName(key), next);
    return next;
  };
  const entry = (text: string, state: OutboxEntry['state']): OutboxEntry =>
    testEntry(state, { id: `out-${sent.length}`, text, createdAt: clock.now(), updatedAt: clock.now() });

  const ports: UiPorts = {
    clock,
    responses: {
      getSnapshot: () => view,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      selectPane: (key) => setView((old) => ({ ...old, selected: key })),
      send: async (text) => {
        sent.push(text);
        if (options.deliver !== undefined) return options.deliver(text);
        return ok(entry(text, 'delivered'));
      },
      pressEnter: async (id) => {
        entered.push(id);
        return ok(entry('', 'delivered'));
      },
      replyToPlan: async (text) => {
        replied.push(text);
        return ok(entry(text, 'delivered'));
      },
      answerDialog: async ({ seen, option, words }) => {
        if (seen !== view.status.dialog?.seen)
          return fail('refused', 'The question has changed', 'Look at it again.');
        answered.push(words ?? seen.options[option]?.label ?? '');
        setView((old) => ({
          ...old,
          status: { ...old.status, dialog: null, state: 'working', since: clock.now() },
        }));
        return ok(undefined);
      },
      reviewTurn: async ({ id }, onward) =>
        fail('not_found', `Nothing is known ${onward ? 'since before' : 'of'} ${id}`),
      sessions: async (words) =>
        ok((options.sessions ?? []).filter(({ title }) => words === null || title.includes(words))),
      openSession: async (past) => {
        const turns = past === null ? testTurns() : [testTurn('past', { prompt: past.title })];
        setView((old) => ({ ...old, past, turns }));
        return ok(undefined);
      },
      refresh: async () => ok(undefined),
    },
    draft: {
      keyOf: (of) => ({ project: of.panes[0]?.cwd ?? '', pane: of.selected ?? '' }),
      load: async (key) => ok(stored(key)),
      save: async (key, draft, baseRevision) => {
        if (baseRevision !== stored(key).revision) return fail('refused', 'The draft was changed elsewhere');
        return ok(store(key, draft));
      },
      onExternalChange: (listener) => {
        draftListeners.add(listener);
        return () => draftListeners.delete(listener);
      },
    },
    review: (options.review ?? fakeReview()).port,
    agent: options.agent ?? fakeAgent(),
    shell: (options.shell ?? fakeShell()).port,
    system: {
      copy: async (text) => {
        copied.push(text);
        return ok('to the clipboard');
      },
      open: async (file, line) => {
        opened.push({ file, line });
        return ok(undefined);
      },
      save: async (name, text) => {
        saved.push({ name, text });
        return ok(name);
      },
      startable: () => options.startable ?? [],
      startAi: async (name) => {
        const pane = testPane('%77', { cli: 'codex', label: name });
        setView((old) => ({ ...old, panes: [...old.panes, pane] }));
        return ok('%77');
      },
      edit: async (text, line, name) =>
        options.edit === undefined ? ok(text) : options.edit(text, line, name),
    },
  };
  return {
    ports,
    setView,
    sent,
    copied,
    saved,
    opened,
    answered,
    replied,
    entered,
    drafts,
    writeDraft: (key, draft) => {
      const next = store(key, draft);
      for (const listener of draftListeners) listener(next);
    },
  };
}
