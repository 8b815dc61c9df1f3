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

/** Words behind a command that make it destroy. The words of a command and what follows them are joined by blanks. */
const DESTROYING: readonly RegExp[] = [
  /^git (?:.* )?push\b.*(?:--force(?!-with-lease|-if)|--delete|--mirror|--prune|\s-[a-zA-Z]*[fd]\b|\s[:+]\S)/,
  /^git (?:.* )?(?:reset\b.*--(?:hard|merge)|clean\b.*\s-\w*f|clean .*--force|branch\b.*\s-\w*[dD]\b|branch\b.*--delete|tag\b.*(?:\s-d|--delete)\b)/,
  /^git (?:.* )?(?:checkout|switch)\b.*(?:--force|\s-f\b|--discard-changes|\s-- \S|\s\.$)/,
  /^git (?:.* )?(?:(?:restore|rm|worktree remove|remote (?:rm|remove)|submodule deinit)\s+\S|filter-branch|filter-repo|gc .*--prune|reflog (?:expire|delete)|stash (?:drop|clear)|update-ref -d)/,
  /^(?:docker|podman|nerdctl)(?:-compose)? (?:.* )?(?:(?:rm|rmi|remove|kill)\s+\S|prune .*(?:-\w*[af]\b|--all|--force)|down .*(?:-v|--volumes|--rmi)\b)/,
  /^(?:kubectl|k|oc) (?:.* )?(?:(?:delete|drain)\s+\S|replace .*--force)|^(?:helm|flux) (?:.* )?(?:uninstall|delete)\s+\S/,
  /^(?:terraform|tofu|terragrunt|pulumi|cdk|serverless|sls|vagrant|eksctl|kind|minikube|k3d|fly|flyctl|heroku) (?:.* )?(?:destroy|delete|remove|apps:destroy)\b/,
  /^(?:aws|gcloud|az|doctl|hcloud|gh|glab|linode-cli|ibmcloud|s3cmd|gsutil|mc|rclone|b2) (?:.* )?(?:delete\S*|terminate\S*|rm|rb|remove|destroy|purge|deletefile|cleanup)\s+\S|^rclone sync\b|^aws .*--delete\b/,
  /^(?:apt|apt-get|dnf|yum|zypper|pacman|apk|brew|snap|flatpak|port|pkg) (?:.* )?(?:(?:remove|purge|erase|uninstall|rm|del|-R\w*)\s+\S|autoremove)/,
  /^(?:npm|pnpm|yarn|bun|pip3?|pipx|cargo|gem|uv|conda|mamba|poetry|composer|go) (?:.* )?(?:(?:uninstall|remove|rm|unpublish|yank)\s+\S|cache clean|-modcache)/,
  /^(?:find|fd) .*\s(?:-delete|-exec(?:dir)? (?:rm|shred)|-x rm|-X rm)\b|^rsync .*--(?:delete|remove-source-files)\S*/,
  /^(?:chmod|chown|chgrp|setfacl)\b.*(?:\s-\w*R|--recursive)\b|^crontab (?:.* )?-\w*r\b|^history -c\b/,
  /^(?:zfs|zpool|btrfs|lvm|mdadm|cryptsetup) (?:.* )?(?:destroy|delete|erase|luksErase|luksFormat|labelclear|--zero-superblock)\b/,
  /^(?:systemctl|loginctl) (?:.* )?(?:poweroff|reboot|halt|kill|disable|mask)\b|^(?:init|telinit) [06]\b|^tmux kill-\S+|^screen .*-X quit/,
  /^(?:redis-cli|valkey-cli) .*\b(?:flushall|flushdb)\b|\b(?:drop|truncate) (?:table|database|schema)\b|\bdelete from\b/i,
  /^(?:mkfs|newfs)\.\S+|^diskutil (?:erase|partition)\S*|^virsh (?:destroy|undefine)\b|^mix ecto\.drop\b|^(?:rails|rake|bin\/rails) db:(?:drop|reset)\b/,
  /^xargs (?:.* )?(?:rm|kill|shred)\b|^make .*\b(?:distclean|mrproper)\b/,
];

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
      if (OVERWRITING.test(text) && isThere(text.slice(target - start))) risk = 'overwrites';
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

function isDestroying(words: readonly string[]): boolean {
  const name = (words[0] ?? '').replace(/^.*\//, '');
  if (DESTROYERS.has(name) && !(name === 'kill' && words[1] === '-l')) return true;
  const text = [name, ...words.slice(1)].join(' ');
  return DESTROYING.some((pattern) => pattern.test(text));
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
