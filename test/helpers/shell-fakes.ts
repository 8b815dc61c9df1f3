/** A Shell screen's port and data, controlled by a test. */
import { fail, ok } from '../../src/lib/result.ts';
import type { AnsweredRequest, CompletionStatus } from '../../src/protocol/shell.ts';
import type { ShellPort, ShellView } from '../../src/ui/shell/port.ts';

/** 14:02:30 on some day in the process's time zone. */
const AT = new Date(2026, 2, 12, 14, 2, 30).getTime();

/** An answered request with sensible defaults. */
export function testAnswered(id: number, fields: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    id,
    atMs: AT - (40 - id) * 1_500,
    input: 'git st',
    cwd: '/home/user/parser',
    ms: 0.8,
    candidates: [
      {
        line: 'git status --short',
        confidence: 0.62,
        source: 'history',
        sources: ['history', 'tokens'],
        why: 'ran 12 times, here too, after the same command',
        partial: false,
      },
      {
        line: 'git stash',
        confidence: 0.2,
        source: 'tokens',
        sources: ['tokens', 'specs'],
        why: 'words that you often use together',
        partial: true,
      },
      {
        line: 'git status',
        confidence: 0.11,
        source: 'specs',
        sources: ['specs'],
        why: 'a subcommand of this command',
        partial: true,
      },
    ],
    taken: null,
    ...fields,
  };
}

/** Running completions, with sensible defaults. */
export function testCompletion(fields: Partial<CompletionStatus> = {}): CompletionStatus {
  return {
    socketFile: '/run/user/1000/ashlet.sock',
    connections: 1,
    shells: 3,
    requests: 1284,
    cancelled: 120,
    accepted: 312,
    latencyP50Ms: 0.8,
    latencyP99Ms: 6.2,
    historyLines: 15_401,
    recent: [
      testAnswered(40),
      testAnswered(39, { input: 'git s', taken: 'git status --short' }),
      testAnswered(38, {
        input: 'gti push',
        ms: 2.4,
        candidates: [
          {
            line: 'git push',
            confidence: 0.87,
            source: 'typo',
            sources: ['typo'],
            why: '"gti" is not known, "git" is',
            kind: 'fix',
            partial: true,
          },
        ],
      }),
      testAnswered(37, { input: 'zzz', candidates: [], ms: 0.3 }),
      testAnswered(36, {
        input: 'docker co',
        ms: 81,
        cwd: '/home/user/設計',
        candidates: [
          {
            line: 'docker compose logs -f api',
            confidence: 0.44,
            source: 'history',
            sources: ['history', 'zsh'],
            why: 'ran 3 times',
            partial: false,
          },
        ],
      }),
    ],
    shownBySource: { history: 2210, tokens: 1520, specs: 400, paths: 310, prior: 220, typo: 41 },
    acceptedBySource: { history: 170, tokens: 98, paths: 30, typo: 14 },
    isPrivate: false,
    warnings: [],
    model: null,
    ...fields,
  };
}

export interface FakeShell {
  readonly port: ShellPort;
  readonly forgotten: string[];
  /** Whether the screen is in view. */
  readonly watched: () => boolean;
  readonly setView: (view: ShellView) => void;
}

/** The port over a status that changes as the real one would. */
export function fakeShell(
  first: ShellView['shell'] = { state: 'running', status: testCompletion() },
): FakeShell {
  let view: ShellView = { shell: first, problem: null };
  let isWatched = false;
  const forgotten: string[] = [];
  const listeners = new Set<() => void>();
  const setView = (next: ShellView) => {
    view = next;
    for (const listener of listeners) listener();
  };
  return {
    forgotten,
    watched: () => isWatched,
    setView,
    port: {
      getSnapshot: () => view,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      watch: (isShown) => {
        isWatched = isShown;
      },
      setPrivate: async (on) => {
        if (view.shell?.state !== 'running') return fail('refused', 'Shell completions are not running');
        setView({ ...view, shell: { state: 'running', status: { ...view.shell.status, isPrivate: on } } });
        return ok(undefined);
      },
      forget: async (line) => {
        forgotten.push(line);
        return ok(undefined);
      },
    },
  };
}
