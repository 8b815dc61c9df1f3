/**
 * Makes the shipped table of what people type most: `node scripts/make-popularity.ts OHMYZSH CHEAT AWESOME`, checkouts of
 * ohmyzsh/ohmyzsh (MIT), cheat/cheatsheets (CC0) and LeCoupa/awesome-cheatsheets (MIT). Counts the
 * subcommands and options in aliases, scripts and examples; what a program's own short help lists as common counts more.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GrammarCatalogue } from '../src/completion/core/grammar.ts';

/** Subcommands that grammars know; made by `npm run build`. */
const GRAMMAR = new GrammarCatalogue(
  readFileSync(path.resolve(import.meta.dirname, '../dist/completion-specs.txt'), 'utf8'),
);
const OUT = path.resolve(import.meta.dirname, '../src/completion/prior/popular.txt');
const MAX_FILE_BYTES = 400_000;
/** What is seen less often tells nothing. */
const SEEN_MIN = 2;
/** What the short help of a program lists counts as much as so many uses. */
const COMMON_USES = 60;
const PROGRAMS =
  `git npm pnpm yarn bun docker docker-compose podman kubectl helm cargo rustup go pip pip3 uv poetry systemctl journalctl apt
  apt-get brew dnf pacman snap terraform ansible-playbook tmux gh glab make just npx node python python3 ls cd cp mv mkdir tar
  grep rg find fd sed awk sort curl wget ssh scp rsync chmod chown df du ps top kill head tail cat less wc xargs zip unzip man
  vim nvim code mysql psql redis-cli sudo ip ss nmcli mount umount`.split(/\s+/);
/** The page-less help of programs that tell what is common. */
const HELPS: readonly (readonly string[])[] = [
  ['git', 'help'],
  ['cargo', '--help'],
  ['docker', 'help'],
  ['kubectl', 'help'],
];

const counts = new Map<string, number>();
const add = (line: string, uses: number) => counts.set(line, (counts.get(line) ?? 0) + uses);

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git') yield* filesIn(file);
    else if (entry.isFile() && statSync(file).size < MAX_FILE_BYTES) yield file;
  }
}

const COMMAND = new RegExp(
  `(^|[\x60$|;&('"= \\t])(${PROGRAMS.join('|')})((?: (?:-{1,2}[A-Za-z][\\w-]*|[a-z][a-z-]*)(?=[\\s=;|&'"\x60)]|$)){1,3})`,
  'gm',
);

/** Words that follow the name of a command in a sentence: "find the", "make sure". */
const PROSE = new Set(
  `a an the this that to in into is it and as or of for from with by be you your them their not at on if all sure can one
  what which when will like any how current`.split(/\s+/),
);

/** Whether `word` is typed behind `before`. What no grammar knows is believed where a command begins: text talks of commands, too. */
function isTyped(before: readonly string[], word: string, beginsHere: boolean): boolean {
  if (GRAMMAR.placeAfter(before)?.subcommands.includes(word)) return true;
  return beginsHere && !PROSE.has(word);
}

function count(text: string, uses: number): void {
  for (const [, lead = '', name = '', rest = ''] of text.matchAll(COMMAND)) {
    const words = rest.trim().split(' ');
    const beginsHere = /^[\x60'"=]?$/.test(lead);
    // An option stands behind the subcommand, wherever it stood.
    const [first = ''] = words;
    const subcommand = first.startsWith('-') ? null : first;
    if (subcommand !== null && !isTyped([name], subcommand, beginsHere)) continue;
    if (subcommand !== null) add(`${name} ${subcommand}`, uses);
    const before = subcommand === null ? name : `${name} ${subcommand}`;
    for (const word of words) if (word.startsWith('-')) add(`${before} ${word}`, uses);
    const [, second = ''] = words;
    if (
      subcommand !== null &&
      GROUPS.has(`${name} ${subcommand}`) &&
      /^[a-z]/.test(second) &&
      isTyped([name, subcommand], second, beginsHere)
    )
      add(`${name} ${subcommand} ${second}`, uses);
  }
}

/** Subcommands that have subcommands. */
const GROUPS = new Set(
  'git remote,git stash,git worktree,git submodule,git bisect,docker compose,docker system,docker container,docker image,docker volume,docker network,kubectl get,kubectl describe,kubectl config,kubectl rollout,npm run,gh pr,gh issue,gh repo,gh run'.split(
    ',',
  ),
);

const [ohmyzsh, cheat, awesome] = process.argv.slice(2);
if (ohmyzsh === undefined || cheat === undefined || awesome === undefined)
  throw new Error('usage: make-popularity.ts OHMYZSH CHEAT AWESOME');
// A sheet has one example where aliases have many.
for (const file of filesIn(path.join(ohmyzsh, 'plugins'))) count(readFileSync(file, 'utf8'), 1);
for (const folder of [cheat, awesome])
  for (const file of filesIn(folder)) count(readFileSync(file, 'utf8'), 3);
for (const [program = '', ...words] of HELPS) {
  try {
    const text = execFileSync(program, words, { encoding: 'utf8' });
    for (const [, name = ''] of text.matchAll(/^ {2,4}([a-z][a-z-]+)(?:, [a-z]+)? {2,}\S/gm))
      add(`${program} ${name}`, COMMON_USES);
  } catch {
    console.error(`${program} is not installed: its own list of what is common is left out`);
  }
}
const lines = [...counts].filter(([, uses]) => uses >= SEEN_MIN).map(([line, uses]) => `${line}\t${uses}`);
writeFileSync(OUT, `${lines.sort((a, b) => (a < b ? -1 : 1)).join('\n')}\n`);
console.log(`${lines.length} lines`);
