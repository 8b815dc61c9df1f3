/** Checks of the environment (Node, tmux, the terminal, the locale), and all checks in display order. */

import { colorDepth } from '../../ui/kit/theme/detect.ts';
import { aiCliCheck, sessionFileCheck, setUpCheck } from './ai-checks.ts';
import { type Check, type DoctorContext, report } from './check.ts';
import { completionsCheck, configCheck, databaseCheck, hostCheck, stateFolderCheck } from './state-checks.ts';

/** The oldest Node with every API that copane uses. */
const NODE_LEAST = [22, 13] as const;
/** The oldest supported tmux: it has the control mode and formats that copane uses. */
const TMUX_LEAST = [3, 2] as const;

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [foundMajor = 0, foundMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}

const nodeCheck: Check = {
  name: 'node',
  look: async () => {
    const { node } = process.versions;
    if (isAtLeast(node, NODE_LEAST)) return report('node', 'ok', `${node} at ${process.execPath}`);
    const hint = `Install Node ${NODE_LEAST.join('.')} or newer, or set COPANE_NODE to one.`;
    return report('node', 'fail', `${node} is too old`, hint);
  },
};

export const tmuxCheck: Check = {
  name: 'tmux',
  look: async (context) => {
    const outcome = await context.run('tmux', ['-V']);
    if (outcome.failure === 'not found') {
      return report(
        'tmux',
        'fail',
        'not found in PATH',
        'Install tmux (apt install tmux, brew install tmux).',
      );
    }
    const version = /tmux (?:next-)?(\d+\.\d+\S*)/.exec(outcome.stdout.toString('utf8'))?.[1];
    if (version === undefined) {
      return report(
        'tmux',
        'warn',
        `answers without a version (${outcome.failure ?? `exit ${outcome.code}`})`,
      );
    }
    if (!isAtLeast(version, TMUX_LEAST)) {
      const least = TMUX_LEAST.join('.');
      return report('tmux', 'fail', `${version} is too old`, `Install tmux ${least} or newer.`);
    }
    return report(
      'tmux',
      'ok',
      context.env.TMUX === undefined ? `${version}, not inside` : `${version}, inside`,
    );
  },
};

/** A longer wait makes each Esc feel slow. */
const ESCAPE_TIME_MAX_MS = 50;

export const tmuxOptionsCheck: Check = {
  name: 'tmux options',
  look: async ({ run }) => {
    const name = 'tmux options';
    const asked = await run('tmux', ['display-message', '-p', '#{escape-time} #{set-clipboard} #{mouse}']);
    const [wait, clipboard = '', mouse = ''] = asked.stdout.toString('utf8').trim().split(' ');
    // No server runs, or tmux does not know these options as formats: nothing to report.
    if (asked.code !== 0 || wait === undefined || !/^\d+$/.test(wait))
      return report(name, 'ok', 'not asked: no tmux server runs');
    const words = `escape-time ${wait} ms, set-clipboard ${clipboard}, mouse ${mouse === '1' ? 'on' : 'off'}`;
    if (Number(wait) > ESCAPE_TIME_MAX_MS)
      return report(name, 'warn', `${words}: Esc is slow`, 'Put "set -s escape-time 10" into ~/.tmux.conf.');
    if (clipboard === 'off') {
      const hint = 'Put "set -s set-clipboard on" into ~/.tmux.conf.';
      return report(name, 'warn', `${words}: what is copied stays in tmux`, hint);
    }
    return report(name, 'ok', words);
  },
};

const TERM_HINT = 'Set TERM to the type of your terminal, for example xterm-256color.';
const COLORS = { none: 'no colours', 256: '256 colours', truecolor: 'truecolor' } as const;

export const terminalCheck: Check = {
  name: 'terminal',
  look: async ({ env }) => {
    const term = env.TERM;
    if (term === undefined || term === '' || term === 'dumb') {
      return report('terminal', 'warn', `TERM is ${term === 'dumb' ? 'dumb' : 'not set'}`, TERM_HINT);
    }
    const depth = colorDepth(env);
    if (depth === '16')
      return report('terminal', 'warn', `${term}: 16 colours, so changed lines are not tinted`, TERM_HINT);
    return report('terminal', 'ok', `${term}, ${COLORS[depth]}`);
  },
};

export const localeCheck: Check = {
  name: 'locale',
  look: async (context) => {
    const { name, value } = localeOf(context);
    if (/utf-?8/i.test(value)) return report('locale', 'ok', `${name}=${value}`);
    const message =
      value === ''
        ? 'no locale is set, so tmux may draw boxes and CJK as _'
        : `${name}=${value} is not UTF-8`;
    return report(
      'locale',
      'warn',
      message,
      'Set LANG=C.UTF-8 (or yours with .UTF-8), or set "glyphs": "ascii".',
    );
  },
};

/** The variable that determines the character set: the first of the three that is not empty. */
function localeOf({ env }: DoctorContext): { readonly name: string; readonly value: string } {
  for (const name of ['LC_ALL', 'LC_CTYPE', 'LANG']) {
    const value = env[name];
    if (value !== undefined && value !== '') return { name, value };
  }
  return { name: 'LANG', value: '' };
}

export const HOST_CHECKS: readonly Check[] = [
  nodeCheck,
  tmuxCheck,
  tmuxOptionsCheck,
  terminalCheck,
  localeCheck,
  stateFolderCheck,
  databaseCheck,
  configCheck,
  hostCheck,
  completionsCheck,
];

export const ALL_CHECKS: readonly Check[] = [...HOST_CHECKS, aiCliCheck, setUpCheck, sessionFileCheck];
