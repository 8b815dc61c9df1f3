/** The pictures of the gallery: fixtures and the keys that lead there. Frame tests draw the same ones. */

import type { Hunk } from '../../src/protocol/review.ts';
import { paneKey } from '../../src/ui/responses/port.ts';
import { fakeAgent, TEST_EVENTS, testAgentView, testJob, testSession } from './agent-fakes.ts';
import { fakeReview, testComment, testHunk, testSuggestion } from './review-fakes.ts';
import { fakeShell, testAnswered, testCompletion } from './shell-fakes.ts';
import { type FakeUi, fakeUi, TEST_NOW, testDialog, testPane, testTurn, testView } from './ui-fakes.ts';

export interface GalleryEntry {
  readonly name: string;
  readonly make: () => FakeUi;
  /** As a keyboard sends them. */
  readonly keys?: string;
}

/** Every screen and overlay, by name. */
export function galleryEntries(): readonly GalleryEntry[] {
  const ordinary = () => fakeUi();
  const reviewing = () => fakeUi({ review: fakeReview({ suggestions: [testSuggestion()], isRead: true }) });
  const working = testPane('%1', { state: 'working' });
  const panes = [
    working,
    testPane('%4', { cli: 'codex', state: 'waiting', label: 'api:2.1', title: 'rate limits' }),
    testPane('%7', { cli: 'gemini', state: 'idle', label: 'docs:1.2', title: 'readme' }),
  ];
  return [
    { name: 'agent-empty', make: ordinary, keys: '3' },
    { name: 'agent-not-ready', make: () => fakeUi({ agent: fakeAgent(notReady()) }), keys: '3' },
    { name: 'agent-list', make: () => fakeUi({ agent: fakeAgent(testAgentView()) }), keys: '3' },
    { name: 'agent', make: () => fakeUi({ agent: fakeAgent(testAgentView()) }), keys: '3\r' },
    {
      name: 'agent-map',
      make: () => fakeUi({ agent: fakeAgent(testAgentView()) }),
      keys: '3\ri/map notes/guide.md\r',
    },
    {
      name: 'agent-card',
      make: () => fakeUi({ agent: fakeAgent(testAgentView()) }),
      keys: '3\rkkkkk\u000f',
    },
    { name: 'agent-asking', make: () => fakeUi({ agent: fakeAgent(asking()) }), keys: '3\riyes' },
    { name: 'agent-rollback', make: () => fakeUi({ agent: fakeAgent(testAgentView()) }), keys: '3\rb\r\r' },
    { name: 'responses', make: ordinary },
    { name: 'responses-reading', make: ordinary, keys: '\rjjjv]' },
    { name: 'responses-search', make: ordinary, keys: '\r/line\r' },
    {
      name: 'responses-streaming',
      make: () =>
        fakeUi({
          view: testView({
            panes,
            selected: paneKey(working.identity),
            status: {
              state: 'working',
              since: TEST_NOW - 12_000,
              dialog: null,
              writing: null,
            },
            turns: [
              testTurn('now', { progress: 'streaming', response: 'I am looking at' }),
              ...testView().turns,
            ],
          }),
        }),
    },
    {
      name: 'responses-empty',
      make: () => fakeUi({ view: testView({ panes: [], selected: null, turns: [] }) }),
    },
    { name: 'responses-no-turn', make: () => fakeUi({ view: testView({ turns: [] }) }) },
    { name: 'draft-empty', make: ordinary, keys: '\t\t' },
    { name: 'draft', make: ordinary, keys: 'pjjjjjjowhat about CRLF?\u001b[27u' },
    { name: 'draft-insert', make: ordinary, keys: 'pjjjjjjowhat about CRLF?' },
    { name: 'preview', make: ordinary, keys: 'pjjjjjjowhat about CRLF?\u001b[27ujjA too\u001b[27ucs' },
    { name: 'diff', make: ordinary, keys: 'D' },
    { name: 'code-blocks', make: ordinary, keys: 'b' },
    {
      name: 'panes',
      make: () => fakeUi({ view: testView({ panes, selected: paneKey(working.identity) }) }),
      keys: 't',
    },
    { name: 'help', make: ordinary, keys: '?' },
    { name: 'palette', make: ordinary, keys: ':pull' },
    {
      name: 'answer',
      make: () =>
        fakeUi({
          view: testView({
            status: {
              state: 'waiting',
              since: TEST_NOW,
              writing: null,
              dialog: testDialog('Do you want to run this command?\n\n  rm -rf build', [
                'Yes',
                'Yes, and do not ask again for commands that begin with `rm -rf build` in this project',
                'No, tell Claude what to do',
              ]),
            },
          }),
        }),
      keys: 'ga2',
    },
    { name: 'hostile', make: () => fakeUi({ view: hostileView() }), keys: 'p\u001b' },
    { name: 'hostile-panes', make: () => fakeUi({ view: hostileView() }), keys: 't' },
    { name: 'review', make: reviewing, keys: '2' },
    { name: 'review-note', make: reviewing, keys: '2nnnppp' },
    { name: 'review-sides', make: reviewing, keys: '2n|' },
    { name: 'review-lines', make: reviewing, keys: '2njjvj' },
    { name: 'review-conflict', make: reviewing, keys: '2nnnnn' },
    { name: 'review-files', make: reviewing, keys: '2\t' },
    { name: 'review-comment', make: reviewing, keys: '2njjjcwhy not?\u001b\rreally' },
    { name: 'review-around', make: reviewing, keys: '2n+w' },
    { name: 'review-modified', make: () => fakeUi({ review: modifiedReview() }), keys: '2' },
    {
      name: 'review-list',
      make: () =>
        fakeUi({
          review: fakeReview({
            suggestions: [
              testSuggestion(),
              testSuggestion({ id: 's2', description: '', author: null, target: '/home/user/api' }),
            ],
          }),
        }),
      keys: '2',
    },
    { name: 'review-hostile', make: () => fakeUi({ review: hostileReview() }), keys: '2' },
    { name: 'review-empty', make: ordinary, keys: '2' },
    { name: 'shell', make: ordinary, keys: '4' },
    { name: 'shell-why', make: ordinary, keys: '4jjx' },
    {
      name: 'shell-empty',
      make: () =>
        fakeUi({
          shell: fakeShell({
            state: 'running',
            status: testCompletion({ requests: 0, accepted: 0, shells: 0, connections: 0, recent: [] }),
          }),
        }),
      keys: '4',
    },
    {
      name: 'shell-refused',
      make: () =>
        fakeUi({
          shell: fakeShell({
            state: 'refused',
            message: '/tmp/ashlet-1000.sock belongs to another user',
            hint: 'Set ASHLET_SOCKET to another path.',
          }),
        }),
      keys: '4',
    },
    { name: 'shell-private', make: () => fakeUi({ shell: fakeShell(modelled()) }), keys: '4x' },
    { name: 'shell-hostile', make: () => fakeUi({ shell: fakeShell(hostileShell()) }), keys: '4x' },
  ];
}

/** Private, with a remote model that does not answer. */
function modelled() {
  const problem = { code: 'inference_unavailable', message: 'https://api.example.org/v1: ECONNREFUSED' };
  const model = { name: 'tiny at https://api.example.org/v1', isRemote: true, asked: 4, answered: 1 };
  return {
    state: 'running' as const,
    status: testCompletion({
      isPrivate: true,
      recent: [],
      model: { ...model, failed: 3, lastMs: 210, problem },
      warnings: ['no history was found: set HISTFILE and SAVEHIST in your .zshrc'],
    }),
  };
}

const HOSTILE =
  '\u001b[2J\u001b]0;title\u0007\u202eevil\u202c \u200bzero 漢字漢字 👩‍👩‍👧 e\u0301 \t tab\r\u009b31m';

/** A command line and reasons with hostile text. */
function hostileShell() {
  const candidate = { confidence: 0.5, source: HOSTILE, sources: [HOSTILE], why: HOSTILE, partial: true };
  const request = testAnswered(1, {
    input: HOSTILE,
    cwd: `/home/${HOSTILE}`,
    candidates: [{ ...candidate, line: HOSTILE.repeat(8) }],
  });
  return {
    state: 'running' as const,
    status: testCompletion({ recent: [request], shownBySource: { [HOSTILE]: 7 }, warnings: [HOSTILE] }),
  };
}

/** A hunk that the reader has seen, modified and commented on by line. */
function modifiedReview() {
  const diff = '@@ -9,3 +9,4 @@\n a\n-let b = 1;\n+const b = 1;\n+const c = 2;\n d\n';
  const comments = [
    testComment('one name is enough\nhere', {
      lines: { first: 3, last: 4 },
      place: { side: 'new', first: 10, last: 11 },
    }),
  ];
  return fakeReview({
    suggestions: [testSuggestion({ hunks: [testHunk('m1', { diff, comments, status: 'modified' })] })],
    isRead: true,
    texts: {
      suggested: 'a\nconst b = 1;\nconst c = 2;\nd\n',
      result: 'a\nconst b = 1;\nd\n',
      isOwnRegion: true,
    },
    view: { viewed: new Set(['m1']) },
  });
}

/** A patch in which every text is hostile. */
function hostileReview() {
  const hunk = (id: string, fields: Partial<Hunk> = {}) =>
    testHunk(id, {
      file: `${HOSTILE}/${HOSTILE}\n`,
      note: HOSTILE.repeat(6),
      comments: [testComment(`${HOSTILE}\n${HOSTILE}`)],
      reason: HOSTILE,
      diff: `@@ -1,2 +1,2 @@\n ${HOSTILE}\n-${HOSTILE.repeat(20)}\n+${HOSTILE}\n`,
      ...fields,
    });
  const suggestion = testSuggestion({
    description: `${HOSTILE}\n${HOSTILE}`,
    target: `/home/${HOSTILE}`,
    author: HOSTILE,
    notes: [HOSTILE],
    hunks: [hunk('x1'), hunk('x2', { kind: 'rename', diff: `rename from ${HOSTILE}\n` })],
  });
  return fakeReview({ suggestions: [suggestion], isRead: true });
}

/** Names and texts that try to move the cursor, hide, reverse or overflow. */
function hostileView() {
  const hostile = HOSTILE;
  const pane = testPane('%1', { title: hostile, label: hostile, state: 'waiting' });
  return testView({
    panes: [pane, testPane('%2', { title: hostile.repeat(5) })],
    selected: paneKey(pane.identity),
    turns: [
      testTurn('h1', { prompt: `${hostile}\n${hostile}`, response: `# ${hostile.repeat(8)}\n\n${hostile}` }),
      testTurn('h2', { prompt: '\n\n', response: '', warning: hostile }),
    ],
    status: {
      state: 'waiting',
      since: TEST_NOW,
      dialog: testDialog(hostile, [hostile, hostile]),
      writing: null,
    },
    problem: { code: 'not_found', message: hostile, hint: hostile },
  });
}

function notReady() {
  return testAgentView({
    sessions: [],
    open: null,
    notReady: {
      code: 'not_found' as const,
      message: 'No model is configured for the agent.',
      hint: 'Set agent_remote_model in the configuration.',
      offer: 'Gemini CLI',
    },
  });
}

function asking() {
  const question = {
    question_id: 'q1',
    question: 'Links to #setup as well?',
    options: [],
    asked_at: TEST_NOW,
  };
  const row = { id: 'r1', kind: 'file' as const, file_path: 'notes/guide.md', start_line: 1, end_line: 40 };
  return testAgentView({
    open: testSession({
      context_rows: [
        { ...row, content: 'x'.repeat(3600), pinned: true },
        { ...row, id: 'r2', kind: 'diff', file_path: null, content: 'diff --git a/x b/x\n+y', pinned: false },
      ],
    }),
    jobs: [testJob({ status: 'waiting_for_user', question })],
    events: new Map([['j1', TEST_EVENTS.slice(0, 7)]]),
  });
}
