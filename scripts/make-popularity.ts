/**
 * Makes the shipped table of what people type most: `node scripts/make-popularity.ts OHMYZSH CHEAT AWESOME GUIDE…`,
 * checkouts of the repositories named in `src/completion/prior/README.md`. Counts subcommands and options in aliases,
 * scripts, examples and guides; those that a program's short help lists as common count a little more.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GrammarCatalogue } from '../src/completion/core/grammar.ts';

/** Subcommands in our grammars; made by `npm run build`. */
const GRAMMAR = new GrammarCatalogue(
  readFileSync(path.resolve(import.meta.dirname, '../dist/completion-specs.txt'), 'utf8'),
);
const OUT = path.resolve(import.meta.dirname, '../src/completion/prior/popular.txt');
const MAX_FILE_BYTES = 400_000;
/** Rarer words mean nothing. */
const SEEN_MIN = 2;
const PROGRAMS =
  `git npm pnpm yarn bun docker docker-compose podman kubectl helm cargo rustup go pip pip3 uv poetry systemctl journalctl apt
  apt-get brew dnf pacman snap terraform ansible-playbook tmux gh glab make just npx node python python3 ls cd cp mv mkdir tar
  grep rg find fd sed awk sort curl wget ssh scp rsync chmod chown df du ps top kill head tail cat less wc xargs zip unzip man
  vim nvim code mysql psql redis-cli sudo ip ss nmcli mount umount`.split(/\s+/);
/** Programs whose short help lists common subcommands, and how many uses that counts for: git lists few, others most. */
const HELPS: readonly (readonly [command: string, uses: number])[] = [
  ['git help', 10],
  ['cargo --help', 4],
  ['docker help', 4],
  ['kubectl help', 4],
];

const counts = new Map<string, number>();
const add = (line: string, uses: number) => counts.set(line, (counts.get(line) ?? 0) + uses);

/** What repositories say of the first word after a command: the square root of its uses. */
const votes = new Map<string, number>();
const vote = (line: string, roots: number) => votes.set(line, (votes.get(line) ?? 0) + roots);

/** History, and corpora by others. */
const SKIPPED = new Set(['.git', '_site', 'vendor', 'node_modules', '.bundles_cache']);

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesIn(file);
    else if (entry.isFile() && statSync(file).size < MAX_FILE_BYTES) yield file;
  }
}

const COMMAND = new RegExp(
  `(^|[\x60$|;&('"= \\t])(${PROGRAMS.join('|')})((?: (?:-{1,2}[A-Za-z][\\w-]*|[a-z][a-z-]*)(?=[\\s=;|&'"\x60)]|$)){1,3})`,
  'gm',
);

/** Words that follow a command's name in a sentence: "find the", "make sure". */
const PROSE = new Set(
  `a an the this that to in into is it and as or of for from with by be you your them their not at on if all sure can one
  what which when will like any how current`.split(/\s+/),
);

/** Whether `word` is typed after `before`. Unknown words count only at the start of a command: prose names commands. */
function isTyped(before: readonly string[], word: string, beginsHere: boolean): boolean {
  const known = GRAMMAR.placeAfter(before)?.subcommands;
  if (known?.includes(word)) return true;
  // The grammar knows that the words after `make` or `cat` are names, and `sudo` runs a command.
  const [name = ''] = before;
  const isName = before.length === 1 && (name === 'cd' || (known?.length === 0 && name !== 'sudo'));
  return beginsHere && !isName && !PROSE.has(word);
}

/** The starts of commands in `text`, as often as they stand there. */
function linesIn(text: string, leftOut: string): readonly string[] {
  const lines: string[] = [];
  for (const [, lead = '', name = '', rest = ''] of text.matchAll(COMMAND)) {
    if (name === leftOut) continue;
    const words = rest.trim().split(' ');
    const beginsHere = /^[\x60'"=]?$/.test(lead);
    // An option is filed under the subcommand, wherever it was typed.
    const [first = ''] = words;
    const subcommand = first.startsWith('-') ? null : first;
    if (subcommand !== null && !isTyped([name], subcommand, beginsHere)) continue;
    if (subcommand !== null) lines.push(`${name} ${subcommand}`);
    let before = subcommand === null ? name : `${name} ${subcommand}`;
    const [, second = ''] = words;
    if (GROUPS.has(before) && /^[a-z]/.test(second)) {
      const isKnown = isTyped(before.split(' '), second, beginsHere);
      before = `${before} ${second}`;
      if (isKnown) lines.push(before);
    }
    for (const word of words) if (word.startsWith('-')) lines.push(`${before} ${word}`);
  }
  return lines;
}

/**
 * A guide repeats its subject, and a plugin has a family of aliases for it. So the first word after a command counts
 * once a file, and the repositories add the square roots of their files; later words count as often as they stand there.
 */
function count(folder: string, uses: number, isCounted = (_file: string) => true, leftOut = ''): void {
  const files = new Map<string, number>();
  for (const file of filesIn(folder)) {
    if (!isCounted(file)) continue;
    const lines = linesIn(readFileSync(file, 'utf8'), leftOut);
    const isFirst = (line: string) => /^\S+ \S+$/.test(line);
    for (const line of lines) if (!isFirst(line)) add(line, uses);
    for (const line of new Set(lines.filter(isFirst))) files.set(line, (files.get(line) ?? 0) + 1);
  }
  for (const [line, times] of files) vote(line, uses * Math.sqrt(times));
}

/** Subcommands with subcommands of their own. */
const GROUPS = new Set(
  'git remote,git stash,git worktree,git submodule,git bisect,docker compose,docker system,docker container,docker image,docker volume,docker network,kubectl get,kubectl describe,kubectl config,kubectl rollout,npm run,gh pr,gh issue,gh repo,gh run'.split(
    ',',
  ),
);

const [ohmyzsh, cheat, awesome, ...guides] = process.argv.slice(2);
if (ohmyzsh === undefined || cheat === undefined || awesome === undefined)
  throw new Error('usage: make-popularity.ts OHMYZSH CHEAT AWESOME GUIDE…');
count(path.join(ohmyzsh, 'plugins'), 1);
// A sheet has one example where aliases have many.
for (const folder of [cheat, awesome]) count(folder, 3);
// Guides mention git only for their first step: `git clone`.
for (const folder of guides) count(folder, 1, (file) => /\.(?:md|rst)$/.test(file), 'git');
for (const [command, uses] of HELPS) {
  const [program = '', ...words] = command.split(' ');
  try {
    const text = execFileSync(program, words, { encoding: 'utf8' });
    for (const [, name = ''] of text.matchAll(/^ {2,4}([a-z][a-z-]+)(?:, [a-z]+)? {2,}\S/gm))
      vote(`${program} ${name}`, uses);
  } catch {
    console.error(`${program} is not installed: its own list of what is common is left out`);
  }
}
for (const [line, roots] of votes) add(line, roots ** 2 / 4);
const lines = [...counts]
  .map(([line, uses]) => [line, Math.round(uses)] as const)
  .filter(([, uses]) => uses >= SEEN_MIN)
  .map(([line, uses]) => `${line}\t${uses}`);
writeFileSync(OUT, `${lines.sort((a, b) => (a < b ? -1 : 1)).join('\n')}\n`);
console.log(`${lines.length} lines`);
