/** What a command line would do that nothing takes back. A line that destroys is never the first row, nor made of half a word. */
import type { Candidate, Query, Risk } from './suggestion.ts';
import { commandWords, isSeparator, tokenize } from './tokens.ts';

/** Commands that destroy whatever they are given. */
const DESTROYERS = new Set(
  `rm rmdir unlink shred srm wipefs mkfs fdisk parted sgdisk dd blkdiscard truncate kill killall pkill skill reboot shutdown
  halt poweroff userdel groupdel deluser dropdb dropuser lvremove vgremove pvremove swapoff trash trash-put fstrim`.split(
    /\s+/,
  ),
);

/** Verbs that destroy what is named behind them, in whatever tool: `aws s3 rm x`, `gh repo delete x`, `rustup toolchain uninstall x`. */
const VERB =
  '(?:\\w+:)?(?:destroy|delete|del|deletefile|purge|wipe|erase|drop|uninstall|unregister|remove|rm|rmi|rb|kill|terminate|abandon|unpublish|yank|drain|decommission|undefine|luksErase|luksFormat|labelclear)(?:-\\w[\\w-]*)?';
/** Verbs that destroy by themselves. */
const SELF_SUFFICIENT =
  '(?:\\w+:)?(?:destroy|wipe|reset|fresh|flush\\w*|reset_db|luksFormat|autoremove|poweroff|reboot|halt)|db:drop|ecto\\.drop|cache clean';
/** A tool, up to two words and any options, then the verb. */
const DESTROYING_VERB = new RegExp(
  `^\\S+ (?:-\\S+ (?:[^\\s-]\\S* )?)*(?:[\\w.:/@-]+ (?:-\\S+ )*){0,2}(?:${VERB} \\S|(?:${SELF_SUFFICIENT})(?: |$))`,
);
/** Commands whose words are texts, patterns or names, or which have patterns of their own below. */
const NO_VERBS = new Set(
  `echo print printf grep egrep rg ag ack man which type whence where whatis apropos info help cat bat less more head tail vi vim nvim
  nano emacs code ls ll tree cd pushd mkdir touch file stat wc diff git docker podman nerdctl find fd test [ [[ tldr history fc make
  alias export`.split(/\s+/),
);

/** What else makes a command destroy. Its words are joined by blanks. */
const DESTROYING: readonly RegExp[] = [
  /^git (?:.* )?push\b.*(?:--force(?!-with-lease|-if)|--delete|--mirror|--prune|\s-[a-zA-Z]*[fd]\b|\s[:+]\S)/,
  /^git (?:.* )?(?:reset\b.*--(?:hard|merge)|clean\b.*\s-\w*f|clean .*--force|branch\b.*\s-\w*[dDf]\b|branch\b.*--(?:delete|force)|tag\b.*(?:\s-d|--delete)\b)/,
  /^git (?:.* )?(?:checkout|switch)\b.*(?:--force|\s-[fBC]\b|--discard-changes|\s-- \S|\s\.$)/,
  /^git (?:.* )?(?:restore (?!(?:--staged|-S)(?! .*(?:--worktree|-W)))\S|(?:rm|worktree remove|remote (?:rm|remove)|submodule deinit)\s+\S|filter-branch|filter-repo|gc .*--prune|reflog (?:expire|delete)|stash (?:drop|clear)|update-ref -d|(?:rebase|merge|am|cherry-pick|revert) --abort)/,
  /^(?:docker|podman|nerdctl)(?:-compose)? (?:.* )?(?:(?:rm|rmi|remove|kill)\s+\S|prune .*(?:-\w*[af]\b|--all|--force)|down .*(?:-v|--volumes|--rmi)\b)/,
  /^(?:kubectl|k|oc) (?:.* )?(?:replace .*--force|scale .*--replicas=0\b)|^terraform (?:.* )?(?:apply .*-auto-approve|state rm)\b|^rclone (?:sync|cleanup)\b/,
  /^(?:hg (?:strip|update -C|purge)|svn revert|jj (?:abandon|op restore)|nix-collect-garbage|cargo clean|pm2 delete|sed .*-i d)\b/,
  /^pacman .*-R|^go clean -modcache|^(?!git )\S+ .*--(?:delete|remove-source-files|unregister|force-reset)\b/,
  /^(?:find|fd) .*\s(?:-delete|-exec(?:dir)? (?:rm|shred)|-x rm|-X rm)\b|^make .*\b(?:distclean|mrproper)\b/,
  /^(?:chmod|chown|chgrp|setfacl)\b.*(?:\s-\w*R|--recursive)\b|^crontab (?:.* )?-\w*r\b|^history -c\b|^ip6?tables .*-F\b/,
  /^systemctl (?:.* )?(?:disable|mask)\b|^(?:init|telinit) [06]\b|^tmux kill-\S+|^screen .*(?:-X.*quit|quit.*-X)/,
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|cqlsh|bq|mongo(?:sh)?|redis-cli|valkey-cli|clickhouse\S*|duckdb|snowsql|usql|pgcli|mycli) .*(?:\b(?:drop|truncate|delete from|update \S+ set|flushall|flushdb)\b|\.(?:drop|remove|delete)\w*\()/i,
  /^(?:mkfs|newfs)\.\S+|^diskutil (?:erase|partition)\S*|^mysqladmin .*\bdrop\b|^(?:python3? )?\S*manage\.py flush\b|^(?:alembic downgrade|knex migrate:rollback|rails db:reset)/,
  /^(?:curl|http|https|xh|gh api|aws|wget)\b.*(?:\b|-X)DELETE\b/,
  /^(?:minikube|k3d|kind|eksctl|vagrant|pulumi) (?:.* )?delete\b|^gio trash\b|^ansible .*state=absent\b/,
];
/** Only tells, or only shows what it would do. */
const HARMLESS = /\s(?:--help|--dry-run|--version)(?:\s|$)/;

/** Commands that run the command that their words, or a text among them, make up. */
const RUNNERS = new Set(
  `sudo doas env nice ionice nohup time timeout command builtin exec eval xargs parallel ssh su sh bash zsh dash ksh fish busybox watch
  entr setsid chroot unbuffer stdbuf caffeinate noglob if then else elif do while until { ! docker podman kubectl`.split(
    /\s+/,
  ),
);

/** Behind `>` a file gets other content; behind `>>` it grows. */
const OVERWRITING = /^(?:\d*|&)>[|!]?(?!>|&)/;
/** The last word of these is the file that is written. */
const WRITERS = new Set('mv cp install ln scp rsync tee ditto gcp gmv'.split(' '));

/** Risk of `line`; null: none that is known here. `isThere`: whether a word of the line names a file that exists. */
export function riskOf(line: string, isThere: (word: string) => boolean): Risk | null {
  let words: string[] = [];
  let risk: Risk | null = null;
  for (const { kind, text, target, start } of [...tokenize(line), END]) {
    if (kind === 'word') words.push(text);
    else if (kind === 'redirect') {
      const file = text.slice(target - start);
      if (!OVERWRITING.test(text)) continue;
      if (DEVICE.test(file)) return 'destroys';
      if (isThere(file)) risk = 'overwrites';
    } else if (kind === 'operator' && isSeparator(text)) {
      const own = commandWords(words);
      words = [];
      if (isDestroying(own)) return 'destroys';
      if (isWriting(own, isThere)) risk = 'overwrites';
    }
  }
  return risk;
}

const END = { kind: 'operator', text: '\n', target: 0, start: 0 } as const;

/** A disk, in place of a file. */
const DEVICE = /^\/dev\/(?:[shv]d|nvme|mmcblk|disk)/;
/** What a text in a command runs: between quotes, and in a substitution. */
const TEXTS = /^["'](.*)["']$|\$\((.*)\)/s;
/** Commands in commands are looked at so deep. */
const NESTED_MAX = 4;

function isDestroying(words: readonly string[], depth = 0): boolean {
  const name = (words[0] ?? '').replace(/^\\|^.*\//g, '');
  const rest = words.slice(1);
  if (DESTROYERS.has(name) && !(name === 'kill' && rest[0] === '-l') && rest[0] !== '--help') return true;
  const text = [name, ...rest].join(' ');
  const isDirect =
    DESTROYING.some((pattern) => pattern.test(text)) ||
    (!NO_VERBS.has(name) && DESTROYING_VERB.test(text)) ||
    (name === 'mv' && rest.at(-1) === '/dev/null');
  if (isDirect && !HARMLESS.test(text)) return true;
  if (depth === NESTED_MAX) return false;
  if (RUNNERS.has(name) && rest.some((_, at) => isRun(rest.slice(at), depth + 1))) return true;
  return words.some((word) => {
    const [, quoted, substituted] = TEXTS.exec(word) ?? [];
    const inner = substituted ?? (RUNNERS.has(name) ? quoted : undefined);
    return inner !== undefined && commandsOf(inner).some((one) => isDestroying(one, depth + 1));
  });
}

/** Whether `words`, the end of a command that runs another, are one that destroys. */
const isRun = (words: readonly string[], depth: number): boolean =>
  !/^[-'"]/.test(words[0] ?? '') && isDestroying(words, depth);

/** The words of each command of a text. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const { kind, text } of tokenize(line))
    if (kind === 'word') commands.at(-1)?.push(text);
    else if (kind === 'operator' && isSeparator(text)) commands.push([]);
  return commands.map(commandWords);
}

function isWriting([name = '', ...rest]: readonly string[], isThere: (word: string) => boolean): boolean {
  const names = rest.filter((word) => !word.startsWith('-'));
  const last = names.at(-1);
  if (last === undefined || !WRITERS.has(name)) return false;
  if (name === 'tee') return !rest.includes('-a') && !rest.includes('--append') && isThere(last);
  if (name === 'ln' && !rest.some((word) => /^-\w*f|^--force/.test(word))) return false;
  return names.length > 1 && !rest.some((word) => /^-\w*n|^--no-clobber/.test(word)) && isThere(last);
}

/**
 * Marks the rows with their risk. What destroys is not made of half a word, and is never the first row: without a safer
 * one before it, it is not shown.
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
  const safe = marked.filter((row) => row.risk !== 'destroys');
  if (safe.length === 0 || isUnfinished) return safe;
  const [first] = marked;
  return first?.risk === 'destroys' ? [...safe, ...marked.filter((row) => row.risk === 'destroys')] : marked;
}
