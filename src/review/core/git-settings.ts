/** The settings for all our git calls: nothing may run a program. The user's global ones stay, except filters. */

/** A setting in the form git takes from its environment. A name may contain any character, even `=`. */
export type Setting = readonly [name: string, value: string];

/** A setting that git knows, and its origin: `system`, `global`, `local`, `worktree` or `command`. */
export interface ListedSetting {
  readonly scope: string;
  /** Section and variable in lower case; the part between them is unchanged. */
  readonly name: string;
  readonly value: string;
}

/** In force regardless of the configuration. */
export const ALWAYS: readonly Setting[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Replacement objects could hide history from the reviewer.
  ['core.useReplaceRefs', 'false'],
  ['core.commitGraph', 'false'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['core.splitIndex', 'false'],
  ['core.untrackedCache', 'false'],
  ['color.ui', 'false'],
  ['diff.external', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
];

/** Names that run a program, write a file, keep git busy for hours, or make it miss an edit; each with a neutral value. */
const EXECUTING: readonly (readonly [RegExp, string])[] = [
  [/^merge\..*\.driver$/s, 'false'],
  [/^credential\.(?:.*\.)?helper$/s, ''],
  [/^core\.sshcommand$/, 'ssh'],
  [/^remote\..*\.receivepack$/s, 'git-receive-pack'],
  [/^remote\..*\.uploadpack$/s, 'git-upload-pack'],
  [/^gpg\.(?:.*\.)?program$/s, 'false'],
  [/^gpg\.ssh\.defaultkeycommand$/, ''],
  [/^diff\..*\.(?:x?funcname|wordregex)$/s, '^$'],
  [/^(?:diff|merge)\.renamelimit$/, '1000'],
  // With `http.cookieFile`, a push would replace any file of the user by cookies of the remote.
  [/^http\.(?:.*\.)?savecookies$/s, 'false'],
  [/^http\.(?:.*\.)?sslverify$/s, 'true'],
  // A proxy, with a certificate authority of the repository, would read the user's token.
  [/^(?:http|remote)\.(?:.*\.)?proxy$/s, ''],
  [/^core\.trustctime$/, 'true'],
  [/^core\.checkstat$/, 'default'],
  [/^(?:core\.ignorestat|sparse\.expectfilesoutsideofpatterns)$/, 'false'],
];
/** The other diff algorithms finish in time. */
const ENDLESS_DIFF = /^diff\.(?:.*\.)?algorithm=minimal$/is;
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;
const HOOK = /^hook\.(.+)\.command$/s;
/** Git LFS runs programs that its own settings name. */
const LFS_PROGRAM = /^lfs\.(?:customtransfer\.|extension\.|(?:.*\.)?standalonetransferagent$)/s;

const isOfRepository = ({ scope }: ListedSetting) => scope === 'local' || scope === 'worktree';

/** Parses the output of `git config --list --show-scope --null`. */
export function parseSettings(printed: string): ListedSetting[] {
  const words = printed.split('\0');
  const listed: ListedSetting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [scope = '', entry = ''] = [words[i], words[i + 1]];
    const end = entry.indexOf('\n');
    // A setting without a value has no line feed and means true.
    const [name, value] = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    listed.push({ scope, name, value });
  }
  return listed;
}

/** Whether git took our settings from its environment; before 2.31 it silently does not. */
export function areInForce(listed: readonly ListedSetting[]): boolean {
  return listed.some(({ scope, name }) => scope === 'command' && name === ALWAYS[0]?.[0].toLowerCase());
}

/** The filters with a program in some configuration. Git stores files under them differently. */
export function configuredFilters(listed: readonly ListedSetting[]): ReadonlySet<string> {
  return new Set(listed.flatMap(({ name, value }) => (value === '' ? [] : (FILTER.exec(name)?.[1] ?? []))));
}

/** Whether a user's filter may run on this repository's files: it obeys settings that git does not know. */
export function leavesFiltersAlone(listed: readonly ListedSetting[]): boolean {
  return !listed.some((one) => isOfRepository(one) && (LFS_PROGRAM.test(one.name) || FILTER.test(one.name)));
}

/** Whether git fetches some objects only when it needs them. */
export function isPartialClone(listed: readonly ListedSetting[]): boolean {
  return listed.some(({ name }) =>
    /^(?:remote\..*\.partialclonefilter|extensions\.partialclone)$/s.test(name),
  );
}

/** The name for no object, as long as this repository's object names. */
export function noObjectName(listed: readonly ListedSetting[]): string {
  const isLong = listed.some(({ name, value }) => name === 'extensions.objectformat' && value === 'sha256');
  return '0'.repeat(isLong ? 64 : 40);
}

/** Whether the disk says which files are executable; otherwise git keeps the index's modes. */
export function readsModes(listed: readonly ListedSetting[]): boolean {
  const last = listed.findLast(({ name }) => name === 'core.filemode')?.value ?? 'true';
  return !/^(?:false|no|off|0|)$/i.test(last);
}

/** What the user's git does in a commit and ours does not. */
export interface CommitSettings {
  /** The hooks folder as configured; null for the default. */
  readonly hooksPath: string | null;
  readonly signs: boolean;
  /** The message template file as configured. */
  readonly template: string | null;
}

/** As configured, without our settings. */
export function commitSettings(listed: readonly ListedSetting[]): CommitSettings {
  const last = (name: string) =>
    listed.findLast((one) => one.name === name && one.scope !== 'command')?.value;
  return {
    hooksPath: last('core.hookspath') || null,
    signs: /^(?:true|yes|on|[1-9]\d*)$/i.test(last('commit.gpgsign') ?? ''),
    template: last('commit.template') || null,
  };
}

/** Disables all filters. */
export function withoutFilters(listed: readonly ListedSetting[]): Setting[] {
  const names = new Set(listed.flatMap(({ name }) => FILTER.exec(name)?.[1] ?? []));
  return [...names].flatMap((name): Setting[] => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]);
}

/** Undoes the repository's settings, and restores the user's settings of the same names. */
export function undoRepository(listed: readonly ListedSetting[]): Setting[] {
  const undone = new Map<string, readonly Setting[]>();
  for (const one of listed.filter(isOfRepository)) {
    const hook = HOOK.exec(one.name)?.[1];
    if (hook !== undefined) {
      undone.set(one.name, [
        [`hook.${hook}.event`, ''],
        [`hook.${hook}.enabled`, 'false'],
      ]);
    }
    const neutral = ENDLESS_DIFF.test(`${one.name}=${one.value}`)
      ? 'default'
      : EXECUTING.find(([pattern]) => pattern.test(one.name))?.[1];
    if (neutral === undefined) continue;
    const users = listed.filter((other) => other.name === one.name && !isOfRepository(other));
    undone.set(one.name, [[one.name, neutral], ...users.map(({ name, value }): Setting => [name, value])]);
  }
  return [...undone.values()].flat();
}

/** Settings as environment variables, so that names may contain any character. */
export function asEnvironment(settings: readonly Setting[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [name, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = name;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}
