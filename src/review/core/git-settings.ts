/** The settings of every git of ours: what could run a program is off. The user's global settings stay, except filters. */

/** A setting as git takes it from its environment. A name may hold any character, `=` too. */
export type Setting = readonly [name: string, value: string];

/** A setting that git knows, and where it has it from: `system`, `global`, `local`, `worktree` or `command`. */
export interface ListedSetting {
  readonly scope: string;
  /** Section and variable in lower case, what stands between them as it is. */
  readonly name: string;
  readonly value: string;
}

/** In force whatever the configuration says. */
export const ALWAYS: readonly Setting[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Objects put in the place of others would hide what is in the history from the reviewer.
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

/** Names that run a program, have git work for hours, or have it pass over an edit; the value with which the repository chooses none. */
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
  [/^core\.trustctime$/, 'true'],
  [/^core\.checkstat$/, 'default'],
  [/^(?:core\.ignorestat|sparse\.expectfilesoutsideofpatterns)$/, 'false'],
];
/** The other algorithms of a diff give up in time. */
const ENDLESS_DIFF = /^diff\.(?:.*\.)?algorithm=minimal$/is;
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;
const HOOK = /^hook\.(.+)\.command$/s;
/** Git LFS runs programs that its own settings name. */
const LFS_PROGRAM = /^lfs\.(?:customtransfer\.|extension\.|(?:.*\.)?standalonetransferagent$)/s;

const isOfRepository = ({ scope }: ListedSetting) => scope === 'local' || scope === 'worktree';

/** Reads what `git config --list --show-scope --null` prints. */
export function parseSettings(printed: string): ListedSetting[] {
  const words = printed.split('\0');
  const listed: ListedSetting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [scope = '', entry = ''] = [words[i], words[i + 1]];
    const end = entry.indexOf('\n');
    // A setting without a value has no line feed: it is true.
    const [name, value] = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    listed.push({ scope, name, value });
  }
  return listed;
}

/** Git took our settings from its environment; one older than 2.31 does not, and says nothing. */
export function areInForce(listed: readonly ListedSetting[]): boolean {
  return listed.some(({ scope, name }) => scope === 'command' && name === ALWAYS[0]?.[0].toLowerCase());
}

/** The filters that some configuration gives a program to. Files under them are not what git keeps. */
export function configuredFilters(listed: readonly ListedSetting[]): ReadonlySet<string> {
  return new Set(listed.flatMap(({ name, value }) => (value === '' ? [] : (FILTER.exec(name)?.[1] ?? []))));
}

/** Whether a filter of the user's own may run on this repository's files: it obeys settings that git does not know. */
export function leavesFiltersAlone(listed: readonly ListedSetting[]): boolean {
  return !listed.some((one) => isOfRepository(one) && (LFS_PROGRAM.test(one.name) || FILTER.test(one.name)));
}

/** Git fetches a part of the objects only when it needs them. */
export function isPartialClone(listed: readonly ListedSetting[]): boolean {
  return listed.some(({ name }) =>
    /^(?:remote\..*\.partialclonefilter|extensions\.partialclone)$/s.test(name),
  );
}

/** The name that stands for no object, as long as those of this repository. */
export function noObjectName(listed: readonly ListedSetting[]): string {
  const isLong = listed.some(({ name, value }) => name === 'extensions.objectformat' && value === 'sha256');
  return '0'.repeat(isLong ? 64 : 40);
}

/** The disk says which files may run; where it does not, git keeps what the index has. */
export function readsModes(listed: readonly ListedSetting[]): boolean {
  const last = listed.findLast(({ name }) => name === 'core.filemode')?.value ?? 'true';
  return !/^(?:false|no|off|0|)$/i.test(last);
}

/** Parts of a commit that the user's own git does and ours does not. */
export interface CommitSettings {
  /** Where the hooks are, as it is set; null for the usual folder. */
  readonly hooksPath: string | null;
  readonly signs: boolean;
  /** The file that messages begin with, as it is set. */
  readonly template: string | null;
}

/** As the configuration has it, ours apart. */
export function commitSettings(listed: readonly ListedSetting[]): CommitSettings {
  const last = (name: string) =>
    listed.findLast((one) => one.name === name && one.scope !== 'command')?.value;
  return {
    hooksPath: last('core.hookspath') || null,
    signs: /^(?:true|yes|on|[1-9]\d*)$/i.test(last('commit.gpgsign') ?? ''),
    template: last('commit.template') || null,
  };
}

/** Switches every filter off. */
export function withoutFilters(listed: readonly ListedSetting[]): Setting[] {
  const names = new Set(listed.flatMap(({ name }) => FILTER.exec(name)?.[1] ?? []));
  return [...names].flatMap((name): Setting[] => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]);
}

/** Undoes what the repository sets, and sets again what the user has set under the same names. */
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

/** Settings as variables of the environment, where a name may hold any character. */
export function asEnvironment(settings: readonly Setting[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [name, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = name;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}
