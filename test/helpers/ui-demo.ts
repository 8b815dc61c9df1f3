/**
 * The whole surface on fakes, as a program: an AI that answers every prompt line by line. Started by `npm run dev` and
 * by the terminal tests; environment variables select faults and sizes.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Shutdown } from '../../src/app/host/shutdown.ts';
import { errorMessage, fail, ok, type Result } from '../../src/lib/result.ts';
import { skeletonFrame } from '../../src/ui/app/skeleton.ts';
import { detectTheme } from '../../src/ui/kit/theme/detect.ts';
import { fakeReview, testSuggestion } from './review-fakes.ts';
import { fakeUi, realClock, TEST_NOW, testEntry, testTurn, testView } from './ui-fakes.ts';

const { env, argv, stdin, stdout } = process;
const theme = detectTheme(env, { plain: argv.includes('--plain') });
stdout.write(skeletonFrame(stdout.columns, stdout.rows, theme));

const { Surface } = await import('../../src/ui/app/surface.ts');

const turnCount = Number(env.DEMO_TURNS ?? 0);
const lineCount = Number(env.DEMO_LINES ?? 0);
const clock = realClock();
const fake = fakeUi({
  clock,
  view: testView(
    turnCount > 0
      ? {
          turns: Array.from({ length: turnCount }, (_, index) =>
            testTurn(`t${turnCount - index}`, {
              prompt: `Prompt number ${turnCount - index}`,
              response: Array.from(
                { length: index === 0 ? Math.max(1, lineCount) : 3 },
                (_, line) => `Line ${line + 1} of the answer`,
              ).join('\n'),
              startedAt: clock.now() - index * 60_000,
            }),
          ),
        }
      : ofToday(),
  ),
  ...(env.DEMO_REVIEW === '1'
    ? { review: fakeReview({ suggestions: [testSuggestion({ createdAt: clock.now() })] }) }
    : {}),
  edit: editInEditor,
  deliver: async (text) => {
    answer(text);
    return ok(testEntry('delivered', { id: String(clock.now()), text }));
  },
});

/** The fixtures, moved to the present. */
function ofToday() {
  const { turns, status } = testView();
  const shift = clock.now() - TEST_NOW;
  return {
    turns: turns.map((turn) => ({ ...turn, startedAt: (turn.startedAt ?? TEST_NOW) + shift })),
    status: { ...status, since: clock.now() },
  };
}

function answer(prompt: string): void {
  const id = `live-${clock.now()}`;
  const lines = Array.from(
    { length: 40 },
    (_, index) => `${index + 1}. About "${prompt.split('\n')[0]}": a line of the answer.`,
  );
  let shown = 0;
  const step = (): void => {
    shown += 1;
    const isLast = shown >= lines.length;
    const response = lines.slice(0, shown).join('\n');
    const turn = testTurn(id, {
      prompt,
      response,
      startedAt: clock.now(),
      progress: isLast ? 'complete' : 'streaming',
    });
    fake.setView((view) => ({
      ...view,
      turns: [turn, ...view.turns.filter((other) => other.id !== id)],
      status: { ...view.status, state: isLast ? 'idle' : 'working', since: clock.now() },
    }));
    if (!isLast) clock.set(step, 80);
  };
  clock.set(step, 300);
}

async function editInEditor(text: string, line: number): Promise<Result<string>> {
  const editor = env.EDITOR;
  if (editor === undefined) return fail('invalid', '$EDITOR is not set');
  const folder = mkdtempSync(path.join(tmpdir(), 'copane-demo-'));
  const file = path.join(folder, 'draft.md');
  writeFileSync(file, text);
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(editor, [`+${line}`, file], { stdio: 'inherit' });
    child.on('close', resolve);
    child.on('error', () => resolve(null));
  });
  const edited = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return code === 0 ? ok(edited) : fail('internal', `${editor} ended with an error`);
}

// Before anything is drawn: otherwise a signal could find nobody to restore the terminal.
const shutdown = new Shutdown({
  process: process as unknown as ConstructorParameters<typeof Shutdown>[0]['process'],
  reportDefect: (thrown) => console.error(`defect: ${errorMessage(thrown)}`),
  onDisposeError: (name, message) => console.error(`${name}: ${message}`),
});
const app = new Surface(fake.ports, {
  stdin,
  stdout,
  theme,
  askBackground: env.DEMO_ASK === '1',
  mouse: env.DEMO_MOUSE === '1',
});
app.start();
if (env.DEMO_CRASH_MS !== undefined) {
  setTimeout(() => {
    throw new Error('the demo was asked to crash');
  }, Number(env.DEMO_CRASH_MS));
}
shutdown.add('terminal', 'surface', () => app.restoreTerminal());
shutdown.add('work', 'draft', () => app.controller.stop());
await app.waitUntilExit();
console.log(`sent: ${JSON.stringify(fake.sent)}`);
console.log(
  `drafts: ${JSON.stringify([...fake.drafts.values()].map((stored) => stored.draft.lines.map((entry) => entry.text)))}`,
);
await shutdown.exit(0);
