/** A program called pi that prints what it reads and writes no session file: the test writes it. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PrivateTmux } from './private-tmux.ts';

/** Starts it in `project`, with `root` as the home folder. */
export async function startSilentPi(root: string, project: string, rows: number): Promise<PrivateTmux> {
  const program = path.join(root, 'pi');
  copyFileSync('/bin/sh', program);
  const tmux = new PrivateTmux();
  await tmux.start({
    argv: [program, '-c', 'stty -echo; while read -r line; do echo "$line"; done'],
    env: { PATH: '/usr/bin:/bin', HOME: root },
    cwd: project,
    size: { columns: 80, rows },
  });
  return tmux;
}

/** Creates the folder of pi's sessions in `project`. */
export function piSessions(root: string, project: string): string {
  const folder = path.join(root, '.pi/agent/sessions', `--${project.slice(1).replaceAll('/', '-')}--`);
  mkdirSync(folder, { recursive: true });
  return folder;
}
