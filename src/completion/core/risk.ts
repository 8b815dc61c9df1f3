/** Irreversible effects of a command line. A line with one is never the first row, and never completes half a word. */
import { wordList } from '../../lib/word-list.ts';
import { cutDocuments } from './here-documents.ts';
import { unquoted } from './quoting.ts';
import type { Candidate, Query, Risk } from './suggestion.ts';
import { ASSIGNMENT, isSeparator, substitutionsIn, tokenize } from './tokens.ts';

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`, 's');
const stepOf = (step: string) => ({
  word: whole(step.replace(/^!/, '')),
  isVerb: /^[a-z]/.test(step),
  isForbidden: step.startsWith('!'),
});

/** Commands that destroy any argument. */
const DESTROYERS = new Set(
  wordList(`rm rmdir unlink shred srm rimraf wipe wipefs mkfs mkswap fdisk cfdisk parted sgdisk dd blkdiscard truncate kill killall pkill
  skill xkill reboot shutdown halt poweroff userdel groupdel deluser dropdb dropuser lvremove vgremove pvremove swapoff trash
  trash-put fstrim nix-collect-garbage`),
);
/** These only list or print, whatever follows. */
const LISTING = /^(?:--help|--version|--list|-[lL])$/;

/** Verbs that destroy the things named after them, in any tool: `aws s3 rm x`, `gh repo delete x`. */
const VERB =
  /^(?:\w+:)?(?:destroy|delete|del|deletefile|purge|wipe|erase|drop|uninstall|unregister|(?:[lvp][vg])?remove|rm|rmi|rb|kill|terminate|abandon|unpublish|yank|drain|decommission|undefine|luksErase|luksFormat|labelclear)(?:-\w[\w-]*)?$/;
/** Verbs that destroy by themselves. */
const SELF_SUFFICIENT =
  /^(?:(?:\w+:)?(?:destroy|wipe|reset|fresh|flush\w*|reset_db|luksFormat|autoremove|poweroff|reboot|halt)|db:drop|ecto\.drop)$/;
/** Names follow these verbs. */
const NAMING = new Set(
  wordList('install add get describe logs log search info help show list ls view explain create open edit'),
);
/** Commands whose words are texts, patterns or names, or which have their own rules below. */
const NO_VERBS = new Set(
  wordList(`echo print printf grep egrep rg ag ack man which type whence where whatis apropos info help cat bat less more head tail vi vim nvim
  nano emacs code ls ll tree cd pushd mkdir touch file stat wc diff git docker podman nerdctl find fd test [ [[ tldr history fc make
  alias export for case select function tput`),
);

/**
 * More ways in which commands are destructive. `TOOL: WAY; WAY`, rows separated by a line end or two spaces. A way is
 * patterns of whole words in this order, with any words between them; no word may match a pattern after `!`. A pattern
 * that begins with a small letter is a verb, and must be where the tool takes its verb.
 */
const RULES = String.raw`
git: push --force(?!-with-lease|-if).*|--delete|--mirror|--prune|-[a-zA-Z]*[fd].*|[:+].+; reset --hard|--merge; tag -d|--delete
git: clean !-\w*n.* -\w*f.*|--force; branch -\w*[dDf].*|--delete|--force; restore !--staged|-\w*S.* (?!-).+; restore --worktree|-\w*W.*
git: checkout|switch --force|-[fBC].*|--discard-changes|\.\/?|:\/; checkout|switch -- .+; rebase|merge|am|cherry-pick|revert --abort
git: worktree|remote|submodule rm|remove|deinit .+; rm !--cached .+; filter-branch|filter-repo; gc --prune.*; stash drop|clear
git: reflog expire|delete; update-ref -d
(?:docker|podman|nerdctl)(?:-compose)?: rm|rmi|remove|kill .+; prune -\w*[af].*|--all|--force|--volumes; down -\w*v|--volumes|--rmi.*
kubectl|k|oc: replace --force; scale --replicas=0  terraform|tofu|terragrunt: apply --?auto-approve|--?destroy; state rm
hg: strip|purge; update -C|--clean  svn: revert  jj: abandon; op restore  go: clean -modcache  cargo: clean  npm|yarn|pnpm: cache clean
(?!(?:git|rsync)$).+: --(?:delete|remove-source-files|unregister|force-reset)(?:[-=].*)?  rsync: !-\w*n.* --del.*|--remove-source-files
curl|http|https|xh|wget|gh|aws: (?:-X|--request=|--method=)?DELETE  minikube|k3d|kind|eksctl|vagrant|pulumi|pm2: delete
serverless|sls|sst: remove  (?:python|node|perl|ruby)[\d.]*: -[ce] .*(?:rmtree|unlink|rmSync|os\.remove|rm_rf).*  rclone: sync|cleanup
chmod|chown|chgrp|setfacl: -\w*R.*|--recursive  make: !-n distclean|mrproper  sed: -i.* d  gio: trash  tar: --remove-files
pacman: -\w*R.*  crontab: -\w*r.*  ip6?tables: -\w*F.*|--flush  history: -c  systemctl: disable|mask  init|telinit: [06]  mv: /dev/null
tmux: kill-.+  screen: -\w*X quit|kill  find|fd: -delete  mysqladmin: drop  alembic: downgrade  knex: migrate:rollback  borg|restic: prune|forget
(?:mkfs|newfs)[._].+: .+  ansible: .*state=absent.*  diskutil: (?:erase|partition).*  nvme: format|sanitize  mdadm: --zero-superblock`
  .trim()
  .split(/\n| {2}/)
  .map((row) => {
    const [tool = '', ways = ''] = row.split(': ');
    return { tool: whole(tool), ways: ways.split('; ').map((way) => wordList(way).map(stepOf)) };
  });

/** Only prints, or only shows what it would do. */
const HARMLESS = /^(?:--help|--version|--dry-?run(?:=(?!none|false).*)?)$/;

const DATABASE_CLIENT =
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|cqlsh|bq|mongo(?:sh)?|redis-cli|valkey-cli|clickhouse.*|duckdb|snowsql|usql|pgcli|mycli)$/;
const DESTROYING_QUERY =
  /\b(?:(?:drop|truncate)\s+\w|delete\s+from\b|update\s+\S+\s+set\b|flushall\b|flushdb\b)|\.(?:drop|remove|delete)\w*\(/i;

/** Commands that run the command among their words, with the number of their own words before it. */
const RUNNERS = new Map([
  ...wordList(`sudo doas env nice ionice nohup time command builtin exec eval xargs parallel su sh bash zsh dash ksh fish busybox watch
  entr setsid lvm unbuffer stdbuf caffeinate noglob trap strace npx bunx pnpx if then else elif do while until { !`).map(
    (name) => [name, 0] as const,
  ),
  ...wordList('ssh timeout chroot flock taskset').map((name) => [name, 1] as const),
]);
/** These do so after `exec` or `run`. */
const VERB_RUNNERS = new Map([
  ...wordList('docker podman nerdctl docker-compose kubectl k oc lxc incus').map(
    (name) => [name, 1] as const,
  ),
  ...wordList('poetry uv pipenv hatch bundle').map((name) => [name, 0] as const),
]);
/** Runners that take a text as a command, from their words or their input. */
const SHELLS = new Set(wordList('eval parallel su sh bash zsh dash ksh fish watch trap ssh'));
/** Shells that do not run their input. */
const DEAF_SHELLS = new Set(wordList('eval watch trap'));
/** Interpreters run their input unless an option or argument names something else to run. */
const INTERPRETER = /^(?:python|node|deno|perl|ruby|php)[\d.]*$/;
/** Only letters without a value come before the query's: `-pface` is a password. */
const TOLD_QUERY =
  /^(?:-[cefx]|-[AaBEHNnqrstwXxz]+[cf]|-[BNrst]+e|--(?:command|execute|eval|file|query))(?:=|$)/;
/** The client passes the rest of the row to a shell. */
const SHELL_ESCAPE = /^\s*(?:\\!|!|\\?system\b|\.(?:shell|system)\b)|\bprogram\b/im;
/** Commands that run nothing of their arguments or input. */
const PLAIN = new Set(
  wordList(`cat tee grep egrep fgrep sort uniq wc head tail cut tr tac rev nl fold fmt column base64 md5sum sha1sum sha256sum
  mail mailx patch diff cmp jq yq hexdump xxd od pbcopy xclip wl-copy read echo printf print cd ls mkdir touch true : test [ [[`),
);
/** Begins or ends a list of commands, or is empty. */
const CLOSING = /^(?:|for|fi|done|[}])$/;
const PLAIN_GIT =
  /^(?:apply|am|commit|hash-object|add|diff|log|show|status|tag|notes|push|pull|fetch|stash)$/;
/** `e` of sed runs its text. */
const RUNNING_SCRIPT = /^e\b|^[^-].*e\w?$|;|\n|\de\b|\/\w*e/s;
/** A downloaded program in place of a command. */
const DOWNLOAD = /^["']?(?:[$<]\(|`)\s*(?:curl|wget)\b/;
/** Limit of commands within one command; only options cause more than three. */
const STARTS_MAX = 16;
/** Options with which `find` and similar tools begin a command. */
const EXECUTION = /^(?:-(?:exec|ok)(?:dir)?|--exec(?:-batch)?)$/;

/** `>` replaces the content of a file; `>>` only appends. */
const OVERWRITING = /^(?:\d*|&)>[|!]?(?!>|&)/;
/** Commands whose last word is the file to write. */
const WRITERS = new Set(wordList('mv cp install ln scp rsync tee ditto gcp gmv'));
/** The option before the file that a program writes. */
const OUTPUT = /^(?:(?:sort|curl) (?:-o|--output)|wget (?:-O|--output-document))$/;
const DEVICE = /^\/dev\/(?:[shvx]+d|nvme|mmcblk|r?disk|md|dm-|mapper\/)/;
/** How deep commands within commands are examined. */
const NESTED_MAX = 4;
const END = { kind: 'operator', text: '\n', target: 0, start: 0 } as const;

type IsThere = (word: string) => boolean;
/** A command's input: a text in the line; null if it is not in the line. */
type Input = string | null;
interface Place {
  readonly isThere: IsThere;
  /** The depth of nested commands. */
  readonly depth: number;
  /** The input of its commands. */
  readonly given: Input;
  /** Its output may be run. */
  readonly isRun: boolean;
}

const WORST_FIRST: readonly Risk[] = ['destroys', 'overwrites', 'unseen'];
const worst = (...risks: readonly (Risk | null)[]): Risk | null =>
  WORST_FIRST.find((one) => risks.includes(one)) ?? null;

/** The risk of `line`; null: none known. `isThere`: whether a word of the line names an existing file. */
export const riskOf = (line: string, isThere: IsThere): Risk | null =>
  riskIn(line, { isThere, depth: 0, given: '', isRun: false });

const riskWithin = (text: string, depth: number, given: Input = '', isRun = true) =>
  riskIn(text, { isThere: () => false, depth: depth + 1, given, isRun });

function riskIn(line: string, { isThere, depth, given, isRun: isRunAround }: Place): Risk | null {
  if (depth > NESTED_MAX) return null;
  const { code, texts } = cutDocuments(line);
  const substitutions: string[] = [];
  let isRun = isRunAround;
  let documents = 0;
  let words: string[] = [];
  let input = given;
  let risk: Risk | null = null;
  for (const { kind, text, target, start } of [...tokenize(code), END]) {
    let own: Risk | null = null;
    /** Text that may be replaced by the output of a command. */
    let expanded = text;
    if (kind === 'operator' && isSeparator(text)) {
      own = riskOfCommand(words, input, isThere, depth);
      isRun ||= texts.length + substitutions.length > 0 && !isPlain(words, input);
      input = /^\|&?$/.test(text) ? outputOf(words, input) : given;
      words = [];
    } else if (kind === 'word') words.push(text);
    else if (kind === 'redirect') {
      const file = text.slice(target - start);
      if (text.startsWith('<<<')) input = unquoted(file);
      else if (/^\d*<<-?/.test(text)) {
        input = texts[documents] ?? '';
        documents += 1;
        // A shift in arithmetic looks the same, and the text after it is expanded.
        if (!/["'\\]/.test(file)) expanded = `${text} ${input.replaceAll(/["']/g, ' ')}`;
      } else if (/^0?<(?![&>(])/.test(text)) input = file === '/dev/null' ? '' : null;
      else if (OVERWRITING.test(text)) own = riskOfFile(file, isThere);
      isRun ||= file.includes('>(');
    }
    if (own === 'destroys') return own;
    if (/word|redirect/.test(kind)) substitutions.push(...substitutionsIn(expanded));
    risk = worst(own, risk);
  }
  if (substitutions.some((text) => riskWithin(text, depth, '', isRun) === 'destroys')) return 'destroys';
  // A text is data only if nothing in the whole line may run it: neither its reader, nor a reader of that one's file.
  if (!isRun) return risk;
  return worst(risk, ...texts.map((text) => riskIn(text, { isThere, depth: depth + 1, given: '', isRun })));
}

function isPlain(words: readonly string[], input: Input): boolean {
  if (CLOSING.test(words[0] ?? '')) return true;
  if (words.some((word) => word.includes('>(') || word === 'xargs' || SHELLS.has(nameOf(word)))) return false;
  const command = commandsIn(words).starts.at(-1) ?? [];
  // It may be the value of an option: `sudo -iu mail` is a shell.
  if (words.at(-command.length - 1)?.startsWith('-')) return false;
  const [first, ...rest] = command.map((word) => unquoted(word));
  const name = nameOf(first);
  if (name === 'git') return PLAIN_GIT.test((rest[0] === '-C' ? rest[2] : rest[0]) ?? '');
  if (name === 'sed') return !rest.some((word) => RUNNING_SCRIPT.test(word));
  return DATABASE_CLIENT.test(name) ? !SHELL_ESCAPE.test(input ?? '') : PLAIN.has(name);
}

/** The output of a command: it is in the line only if the command prints its arguments or input. */
function outputOf([name = '', ...rest]: readonly string[], input: Input): Input {
  if (/^(?:echo|printf)$/.test(name)) return unquoted(rest.join(' '));
  return name === 'cat' && rest.every((word) => word === '-') ? input : null;
}

const riskOfFile = (file: string, isThere: IsThere) =>
  DEVICE.test(unquoted(file)) ? 'destroys' : isThere(file) ? 'overwrites' : null;

function riskOfCommand(words: readonly string[], input: Input, isThere: IsThere, depth: number): Risk | null {
  let risk: Risk | null = null;
  let from = 0;
  for (let at = 0; at <= words.length; at += 1) {
    const isFd = /^fd(?:find)?$/.test(words[0] ?? '') && /^-[xX]$/.test(words[at] ?? '');
    if (at < words.length && !isFd && !EXECUTION.test(words[at] ?? '')) continue;
    const { starts, texts, isReading } = commandsIn(words.slice(from, at));
    const read = !isReading ? null : input === null ? 'unseen' : riskWithin(input, depth);
    const inTexts = texts.map((text) => riskWithin(text, depth, input));
    risk = worst(risk, read, ...inTexts);
    for (const command of starts) {
      if (risk === 'destroys') return risk;
      risk = worst(risk, riskOfStart(command, input), riskOfWriting(command, isThere));
    }
    from = at + 1;
  }
  return risk;
}

function riskOfStart(command: readonly string[], input: Input): Risk | null {
  const words = command.map((word) => unquoted(word));
  if (isDestroying(words, input ?? '')) return 'destroys';
  const isRunningInput = input === null && readsPrograms(words);
  return isRunningInput ||
    DOWNLOAD.test((/^(?:\.|source)$/.test(words[0] ?? '') ? command[1] : command[0]) ?? '')
    ? 'unseen'
    : null;
}

function readsPrograms([first, ...rest]: readonly string[]): boolean {
  const name = nameOf(first);
  if (/^(?:\.|source)$/.test(name)) return rest[0] === '/dev/stdin';
  if (DATABASE_CLIENT.test(name)) return !rest.some((word) => TOLD_QUERY.test(word));
  return INTERPRETER.test(name) && rest.every((word) => word.startsWith('-') && !/^-\w*[cemr]/.test(word));
}

const nameOf = (word = '') => unquoted(word).replace(/^.*\//s, '');

/** Where a command may begin in `words`: the word after an option may be its value. `isReading`: it runs its input. */
function commandsIn(words: readonly string[]) {
  const starts: (readonly string[])[] = [];
  const texts: string[] = [];
  let operands = 0;
  let isShell = false;
  let isDeaf = false;
  /** The fewest and the most words of the runner so far. */
  let sure = 0;
  let most = 0;
  let isAfterOption = false;
  for (let at = 0; at < words.length && starts.length + texts.length < STARTS_MAX; at += 1) {
    const word = words[at] ?? '';
    const name = nameOf(word);
    const isPossible = most >= operands;
    const runs = isPossible ? RUNNERS.get(name) : undefined;
    if (word === '--') sure = most = operands;
    else if (runs !== undefined) {
      if (name === 'command' && /^-[vV]/.test(words[at + 1] ?? '')) break;
      [operands, isShell, sure, most] = [runs, SHELLS.has(name), 0, 0];
      isDeaf = DEAF_SHELLS.has(name);
    } else if (at > 0 && /^[-+]/.test(word)) {
      isAfterOption = !word.includes('=');
      continue;
    } else if (!ASSIGNMENT.test(word)) {
      if (isShell && /^["']/.test(word) && (isPossible || isAfterOption)) texts.push(unquoted(word));
      else if (isPossible) starts.push(words.slice(at));
      const verb = isPossible ? VERB_RUNNERS.get(name) : undefined;
      const verbAt =
        verb === undefined ? -1 : words.findIndex((one, i) => i > at && /^(?:exec|run|debug)$/.test(one));
      if (verb !== undefined && verbAt !== -1)
        [at, operands, isShell, sure, most] = [verbAt, verb, false, 0, 0];
      else {
        if (!isAfterOption || (isPossible && NO_VERBS.has(name))) {
          if (sure >= operands) return { starts, texts, isReading: false };
          sure += 1;
        }
        most += 1;
      }
    }
    isAfterOption = false;
  }
  return { starts, texts, isReading: isShell && !isDeaf && texts.length === 0 };
}

/** How many words a tool takes before its verb, if not two. */
const VERB_DEPTHS = new Map([...wordList('az gcloud oci').map((name) => [name, 4] as const), ['git', 0]]);

/** Where the verbs in `words` end, after `depth` operands. The word after an option may be its value. */
function verbsEnd(words: readonly string[], depth: number): number {
  let operands = 0;
  const last = words.findIndex((word, at) => {
    if (word.startsWith('-') || words[at - 1]?.startsWith('-')) return false;
    operands += 1;
    return operands > depth || NAMING.has(word);
  });
  return last === -1 ? words.length : last + 1;
}

function isDestroying([first, ...rest]: readonly string[], input: string): boolean {
  const name = nameOf(first);
  if (DESTROYERS.has(name)) return !LISTING.test(rest[0] ?? '');
  if (rest.some((word) => HARMLESS.test(word))) return false;
  if (DATABASE_CLIENT.test(name) && DESTROYING_QUERY.test([...rest, input].join(' '))) return true;
  const end = verbsEnd(rest, VERB_DEPTHS.get(name) ?? 2);
  const isVerb = (word: string, at: number) =>
    SELF_SUFFICIENT.test(word) || (VERB.test(word) && at + 1 < rest.length);
  if (!NO_VERBS.has(name) && !NAMING.has(name) && rest.slice(0, end).some(isVerb)) return true;
  return RULES.some(({ tool, ways }) => tool.test(name) && ways.some((way) => isWay(way, rest, end)));
}

function isWay(
  way: readonly ReturnType<typeof stepOf>[],
  words: readonly string[],
  verbsTo: number,
): boolean {
  let at = 0;
  return way.every(({ word, isVerb, isForbidden }, index) => {
    if (isForbidden) return !words.some((one) => word.test(one));
    const found = words.findIndex((one, i) => i >= at && word.test(one));
    at = found + 1;
    return found !== -1 && !(index === 0 && isVerb && found >= verbsTo);
  });
}

function riskOfWriting([first, ...rest]: readonly string[], isThere: IsThere): Risk | null {
  const name = nameOf(first);
  const output = rest.find((_, at) => OUTPUT.test(`${name} ${rest[at - 1]}`));
  if (output !== undefined) return riskOfFile(output, isThere);
  const files = rest.filter((word) => !word.startsWith('-'));
  const last = files.at(-1);
  if (last === undefined || !WRITERS.has(name)) return null;
  if (name === 'tee') {
    const isAdding = rest.includes('-a') || rest.includes('--append');
    const risks = files.map((file) => riskOfFile(file, isAdding ? () => false : isThere));
    return risks.find((risk) => risk === 'destroys') ?? risks.find((risk) => risk !== null) ?? null;
  }
  if (files.length < 2 || rest.some((word) => /^-\w*n|^--no-clobber/.test(word))) return null;
  return riskOfFile(
    last,
    name === 'ln' && !rest.some((word) => /^-\w*f|^--force/.test(word)) ? () => false : isThere,
  );
}

/**
 * Marks the rows with their risk. A destructive row never completes half a word, and is shown only below a safer one, as
 * is a row that would overwrite a file unless it ran before.
 * So is half a word that becomes a destructive verb (`kubectl d`, `delete`), harmless until its object is named.
 */
export function withoutDanger(
  rows: readonly Candidate[],
  query: Query,
  risk: (line: string) => Risk | null,
): readonly Candidate[] {
  const isUnfinished = /\S$/.test(query.line.slice(0, query.cursor));
  const marked = rows.map((row): Candidate => {
    const own = risk(row.line);
    return own === null ? row : { ...row, risk: own };
  });
  const loses = ({ risk: own, sources }: Candidate) =>
    own === 'destroys' || (own === 'overwrites' && !sources.includes('history'));
  if (marked.every(loses)) return [];
  const isDangerous = (row: Candidate) =>
    loses(row) || (isUnfinished && risk(`${row.line.trimEnd()} x`) === 'destroys');
  const shown = isUnfinished ? marked.filter((row) => row.risk !== 'destroys') : marked;
  const [first] = shown;
  if (first === undefined || !isDangerous(first)) return shown;
  return [...shown.filter((row) => !isDangerous(row)), ...shown.filter(isDangerous)];
}
