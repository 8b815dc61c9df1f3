/** From process start to the first and the complete frame, in a pseudo terminal, beside a bare Node that draws one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clientCommand, clientSpec, isInstalled } from '../test/helpers/client-catalog.ts';
import { COPANE, copaneEnv } from '../test/helpers/companion-pane.ts';
import { PrivateTmux } from '../test/helpers/private-tmux.ts';
import { prepareClient } from '../test/helpers/real-clients.ts';
import type { BenchRow, BenchSuite } from './harness.ts';
import { RAW_FRAME_SCRIPT, runToEnd, type Start, timeToFrame } from './time-to-frame.ts';

export const suite: BenchSuite = {
  name: 'startup',
  prepare: async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const project = path.join(root, 'project');
    mkdirSync(project);
    // No such tmux server: we measure ourselves, not tmux.
    const env = { ...copaneEnv({ root, project }), TMUX_TMPDIR: root };
    const rawScript = path.join(root, 'raw.mjs');
    writeFileSync(rawScript, RAW_FRAME_SCRIPT);
    const start = (file: string, args: readonly string[], shows: RegExp, more = {}): Start => ({
      file,
      args,
      env: { ...env, ...more },
      cwd: project,
      shows,
    });
    const raw = () => timeToFrame(start(process.execPath, [rawScript], /READY/));
    const first = () => timeToFrame(start(COPANE, ['tui'], /Responses/));
    // The footer shows keys once the surface accepts them; the first frame has none.
    const complete = () => timeToFrame(start(COPANE, ['tui'], / help/));
    const pane = await paneWithAnswer(root, project);
    const answered = () => timeToFrame(start(COPANE, ['tui', '--pane', pane.id], /the answer/, pane.env));
    // The first start of a version compiles code that later starts find compiled.
    await runToEnd(start(COPANE, ['tui'], / help/), 'q');
    const rows: BenchRow[] = [
      { name: 'first frame', peer: 'raw frame of a bare Node', target: 1.15, ours: first, theirs: raw },
      {
        name: 'complete, interactive frame',
        peer: 'raw frame of a bare Node',
        target: 2.5,
        ours: complete,
        theirs: raw,
      },
      {
        name: "the pane's last answer, over tmux",
        peer: 'raw frame of a bare Node',
        target: 4,
        ours: answered,
        theirs: raw,
      },
    ];
    for (const [name, shows, target] of [
      ['pi', /mock/, 0.2],
      ['gemini', /Type your message/, 0.067],
    ] as const) {
      if (!isInstalled(name)) {
        console.log(
          `| complete, interactive frame | not measured beside ${name}: run npm run setup:clients | | | | | |`,
        );
        continue;
      }
      const launch = prepareClient(name, { home: path.join(root, name), project, modelPort: 9 });
      const peer = () =>
        timeToFrame({
          file: clientCommand(clientSpec(name)),
          args: launch.argv.slice(1),
          env: launch.env,
          cwd: project,
          shows,
        });
      rows.push({
        name: 'complete, interactive frame',
        peer: `${name} to its composer`,
        target,
        rounds: 3,
        ours: complete,
        theirs: peer,
      });
    }
    return {
      rows,
      cleanup: async () => {
        await pane.kill();
        rmSync(root, { recursive: true, force: true });
      },
    };
  },
};

/** A pane in a private tmux with one prompt and its answer on the screen; `env` leads a companion to it. */
async function paneWithAnswer(root: string, project: string) {
  const shown = path.join(root, 'answered');
  writeFileSync(shown, '### PROMPT 2026-01-02 03:04:05\n\nq\n\n### END PROMPT\nthe answer\n');
  const tmux = new PrivateTmux();
  await tmux.start({
    argv: ['sh', '-c', `cat ${shown}; exec cat`],
    env: copaneEnv({ root, project }),
    cwd: project,
    size: { columns: 80, rows: 24 },
  });
  await tmux.until('the answer', (screen) => screen.includes('the answer'));
  const server = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  return {
    id: tmux.pane,
    env: { TMUX: server.stdout.toString('utf8').trim() },
    kill: () => tmux.kill(),
  };
}
