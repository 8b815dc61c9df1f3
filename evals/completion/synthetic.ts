/**
 * A made-up history: a few workflows (git, npm, docker, kubectl, editing, searching, ssh), each with its folders;
 * habits that change over time, typos that are corrected, secrets that must never be suggested. Seeded: the same seed
 * gives the same trace.
 */
import { createRandom } from './random.ts';
import type { TraceCommand, UserTrace } from './trace.ts';

const FILES = [
  'src/main.ts',
  'src/parse.ts',
  'src/lex.ts',
  'test/parse.test.ts',
  'README.md',
  'package.json',
  'docs/設計.md',
];
const BRANCHES = ['main', 'feature/parser', 'fix/crlf', 'release/1.4', 'topic/unicode'];
const MESSAGES = [
  'fix the lexer',
  'add tests',
  'rename parse',
  'keep the last line',
  'update docs',
  'tidy up',
];
const HOSTS = ['build.example.org', 'db1.example.org', 'web2.example.org'];
const PODS = ['api-7d9c', 'web-5f2b', 'worker-1a2b'];

type Pick = <T>(items: readonly T[]) => T;

/** Workflows: each returns a person's next few commands. */
const WORKFLOWS: readonly ((pick: Pick) => readonly string[])[] = [
  (pick) => [
    'git status',
    `git diff ${pick(FILES)}`,
    `git add ${pick(FILES)}`,
    `git commit -m "${pick(MESSAGES)}"`,
    pick(['git push', 'git push', 'git push origin HEAD']),
  ],
  (pick) => [`git checkout ${pick(BRANCHES)}`, 'git pull --rebase', 'npm ci', 'npm test'],
  (pick) => [`vim ${pick(FILES)}`, 'npm run build', pick(['npm test', 'npm test -- --watch'])],
  (pick) => [`rg -n ${pick(['TODO', 'parse', 'createLexer', 'flush'])} src`, `vim ${pick(FILES)}`],
  () => ['docker compose up -d', 'docker compose logs -f api', 'docker compose down'],
  (pick) => [`kubectl get pods -n ${pick(['dev', 'prod'])}`, `kubectl logs -f ${pick(PODS)} -n dev`],
  (pick) => [`ssh ${pick(HOSTS)}`, `scp dist/app.tar.gz ${pick(HOSTS)}:/srv/app/`],
  (pick) => ['git log --oneline --graph -20', `git show ${pick(['HEAD', 'HEAD~1', 'main'])}`],
  (pick) => [`cd ${pick(['~/work/parser', '~/work/site', '~/notes'])}`, 'ls -la'],
];

const SECRETS = [
  'export API_TOKEN=abcd1234efgh5678',
  'curl -u admin:hunter22 https://example.org/api',
  'mysql -u root -phunter22 shop',
];

/** A typo in the first word: two letters swapped, one left out, one doubled. */
function slip(line: string, random: () => number): string {
  const end = line.indexOf(' ') === -1 ? line.length : line.indexOf(' ');
  if (end < 3) return line;
  const at = 1 + Math.floor(random() * (end - 2));
  const kind = Math.floor(random() * 3);
  const [a = '', b = ''] = [line.charAt(at), line.charAt(at + 1)];
  if (kind === 0 && a !== b) return line.slice(0, at) + b + a + line.slice(at + 2);
  if (kind === 1) return line.slice(0, at) + line.slice(at + 1);
  return line.slice(0, at) + a + line.slice(at);
}

export interface Slip {
  readonly wrong: string;
  readonly right: string;
}

export interface SyntheticTrace extends UserTrace {
  readonly slips: readonly Slip[];
}

/** Traces of `users` people with about `length` commands each. */
export function makeTraces(users: number, length: number, seed: number): readonly SyntheticTrace[] {
  return Array.from({ length: users }, (_, user) =>
    makeTrace(`synthetic-${user}`, length, seed * 1000 + user),
  );
}

function makeTrace(user: string, length: number, seed: number): SyntheticTrace {
  const random = createRandom(seed);
  // Everyone has favourites: low numbers are picked more often, and which ones they are differs by user.
  const pick: Pick = (items) => {
    const at = Math.floor(items.length * random() ** 2);
    return items[(at + seed) % items.length] ?? (items[0] as (typeof items)[number]);
  };
  const commands: TraceCommand[] = [];
  const slips: Slip[] = [];
  let cwd = '~/work/parser';
  let at = 1_700_000_000;
  while (commands.length < length) {
    for (const line of pick(WORKFLOWS)(pick)) {
      at += Math.floor(random() * 120);
      if (random() < 0.02) commands.push({ line: SECRETS[Math.floor(random() * 3)] ?? '', cwd, at, exit: 0 });
      const wrong = random() < 0.03 ? slip(line, random) : line;
      if (wrong !== line) {
        slips.push({ wrong, right: line });
        commands.push({ line: wrong, cwd, at, exit: 127 });
      }
      commands.push({ line, cwd, at, exit: random() < 0.05 ? 1 : 0 });
      if (line.startsWith('cd ')) cwd = line.slice(3);
    }
  }
  return { user, commands: commands.slice(0, length), slips };
}
