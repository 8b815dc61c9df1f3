/**
 * `npm run test:setups`: the zsh client in common set-ups, one by one: a row is shown, Tab accepts it, Ctrl-C ends the
 * line and leaves no row. Frameworks and plugins are looked up in `COPANE_TEST_SHELLS` (by default the cache folder;
 * one folder each, by name) and among the system's packages; missing ones are reported as skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ScriptedDaemon } from '../helpers/scripted-daemon.ts';
import { ZshPty } from '../helpers/zsh-pty.ts';

const SHELLS = process.env.COPANE_TEST_SHELLS ?? path.join(os.homedir(), '.cache/copane/shells');
const PATIENCE_MS = 30_000;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The path of a plugin: in the cache folder, or from a system package. */
function placeOf(file: string): string | null {
  const places = [path.join(SHELLS, file), path.join('/usr/share', file)];
  return places.find((place) => existsSync(place)) ?? null;
}

const programOf = (name: string): string | null => {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
};

interface Setup {
  readonly name: string;
  /** Files or programs that it needs; `lines` gets their paths. */
  readonly needs: readonly string[];
  readonly lines: (...places: string[]) => readonly string[];
}

const COMPLETION = 'autoload -Uz compinit; compinit -u -D';
const source = (file: string) => [`source ${file}`];
const PRESERVED = 'PS1_WAS=$PS1';

const SETUPS: readonly Setup[] = [
  { name: 'plain', needs: [], lines: () => [] },
  { name: 'compinit', needs: [], lines: () => [COMPLETION] },
  {
    name: 'oh-my-zsh',
    needs: ['oh-my-zsh/oh-my-zsh.sh'],
    lines: (file) => [
      `ZSH=${path.dirname(file)} ZSH_THEME=robbyrussell ZSH_DISABLE_COMPFIX=true ZSH_CACHE_DIR=$HOME/cache`,
      "plugins=(git z sudo); zstyle ':omz:update' mode disabled",
      `source ${file}`,
    ],
  },
  {
    name: 'prezto',
    needs: ['prezto/init.zsh'],
    lines: (file) => [
      `ln -s ${path.dirname(file)} $ZDOTDIR/.zprezto`,
      "zstyle ':prezto:load' pmodule environment terminal editor history directory spectrum utility completion",
      `source ${file}`,
    ],
  },
  {
    name: 'zinit',
    needs: [
      'zinit/zinit.zsh',
      'zsh-autosuggestions/zsh-autosuggestions.zsh',
      'zsh-syntax-highlighting/zsh-syntax-highlighting.zsh',
    ],
    lines: (file, ...plugins) => [
      'typeset -A ZINIT; ZINIT[HOME_DIR]=$HOME/zinit',
      `source ${file}`,
      ...plugins.map((plugin) => `zinit ice wait lucid; zinit snippet ${plugin}`),
    ],
  },
  {
    name: 'antidote',
    needs: ['antidote/antidote.zsh', 'fast-syntax-highlighting/fast-syntax-highlighting.plugin.zsh'],
    lines: (file, plugin) => [
      `source ${file}`,
      `print -r -- ${path.dirname(plugin)} > $ZDOTDIR/p.txt`,
      'antidote load $ZDOTDIR/p.txt',
    ],
  },
  {
    name: 'powerlevel10k',
    needs: ['powerlevel10k/powerlevel10k.zsh-theme'],
    lines: (file) => [
      'POWERLEVEL9K_DISABLE_CONFIGURATION_WIZARD=true POWERLEVEL9K_DISABLE_GITSTATUS=true',
      `source ${file}`,
    ],
  },
  {
    name: 'powerlevel10k, transient',
    needs: ['powerlevel10k/powerlevel10k.zsh-theme'],
    lines: (file) => [
      'POWERLEVEL9K_DISABLE_CONFIGURATION_WIZARD=true POWERLEVEL9K_DISABLE_GITSTATUS=true POWERLEVEL9K_TRANSIENT_PROMPT=always',
      `source ${file}`,
    ],
  },
  {
    name: 'pure',
    needs: ['pure/pure.zsh'],
    lines: (file) => [`fpath+=(${path.dirname(file)}); autoload -U promptinit; promptinit; prompt pure`],
  },
  { name: 'starship', needs: ['starship'], lines: (program) => [`eval "$(${program} init zsh)"`] },
  {
    name: "a transient prompt of one's own",
    needs: [],
    lines: () => [
      PRESERVED,
      "short() { PS1='> '; zle reset-prompt; }; zle -N zle-line-finish short; long() { PS1=$PS1_WAS }; precmd_functions+=(long)",
    ],
  },
  { name: 'zsh-autosuggestions', needs: ['zsh-autosuggestions/zsh-autosuggestions.zsh'], lines: source },
  {
    name: 'zsh-syntax-highlighting',
    needs: ['zsh-syntax-highlighting/zsh-syntax-highlighting.zsh'],
    lines: source,
  },
  {
    name: 'fast-syntax-highlighting',
    needs: ['fast-syntax-highlighting/fast-syntax-highlighting.plugin.zsh'],
    lines: source,
  },
  { name: 'zsh-autocomplete', needs: ['zsh-autocomplete/zsh-autocomplete.plugin.zsh'], lines: source },
  {
    name: 'fzf',
    needs: ['fzf', 'fzf/shell/key-bindings.zsh'],
    lines: (program, file) => [`path+=(${path.dirname(program)})`, `source ${file}`],
  },
  { name: 'fzf-tab', needs: ['fzf-tab/fzf-tab.plugin.zsh'], lines: (file) => [COMPLETION, `source ${file}`] },
  {
    name: 'atuin',
    needs: ['atuin'],
    lines: (program) => [`path+=(${path.dirname(program)}); eval "$(atuin init zsh)"`],
  },
  { name: 'mcfly', needs: ['mcfly'], lines: (program) => [`eval "$(${program} init zsh)"`] },
  { name: 'zsh-vi-mode', needs: ['zsh-vi-mode/zsh-vi-mode.plugin.zsh'], lines: source },
];

const place = (need: string) =>
  need.includes('/') ? placeOf(need) : (placeOf(`bin/${need}`) ?? programOf(need));

it.for(
  SETUPS.flatMap((setup) => (['before', 'after'] as const).map((when) => [setup.name, when, setup] as const)),
)('%s, loaded %s the client', async ([_name, when, { needs, lines }], { skip }) => {
  const places = needs.map(place);
  const missing = needs.filter((_, at) => places[at] === null);
  if (missing.length > 0) skip(`not here: ${missing.join(', ')}`);
  const answer = ({ input }: { readonly input: string }) =>
    input.startsWith('zeta') ? [`${input} --first`, `${input} --second`] : [];
  const daemon = await new ScriptedDaemon({ answer }).start();
  cleanups.push(() => daemon.stop());
  const zsh = new ZshPty({ socket: daemon.socket, rows: 30, [when]: lines(...places.map(String)) });
  cleanups.push(() => zsh.close());
  await zsh.untilText('READY', PATIENCE_MS);
  await zsh.untilState(({ buffer }) => buffer === '');
  zsh.type('zeta a');
  await zsh.untilText('(1/2) zeta a --first', PATIENCE_MS);
  zsh.type('\t');
  await zsh.untilState(({ buffer }) => buffer.startsWith('zeta a --first'));
  zsh.type('\u0015');
  await zsh.untilState(({ buffer }) => buffer === '');
  zsh.type('zeta b');
  await zsh.untilText('(1/2) zeta b --first', PATIENCE_MS);
  await zsh.probe();
  zsh.type('\u0003');
  // No key yet: under powerlevel10k, zsh itself loses a Ctrl-C that a key follows at once.
  await zsh.until((screen) => !/zeta b.*$/.test(screen), 'a new prompt', PATIENCE_MS);
  zsh.type('print -r -- $(( 40 + 2 ))\r');
  await zsh.until((screen) => /^42$/m.test(screen), 'the output', PATIENCE_MS);
  expect(zsh.everything).not.toContain('(1/2) zeta b');
});
