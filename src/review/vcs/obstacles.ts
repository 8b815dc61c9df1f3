/** Stops a git that its repository blocks, and says where: a FIFO in place of a file, or an endless pattern. */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { Slices } from '../../platform/slices.ts';
import { type RepositoryPlace, readGitFile, readOrNull, unreadable } from './repository-place.ts';

/** A slower git may be blocked by a FIFO in place of a file, or be matching a hard pattern. */
const OBSTACLES_AFTER_MS = 1_000;
/** Many names match a hard pattern quickly, and git may be busy otherwise, so it gets this long. */
export const PATTERN_AFTER_MS = 6_000;

/** Aborts a git that an obstacle in its repository blocks; `end` returns the obstacle, or null. */
export function watchForObstacles({ top, gitDir, commonDir }: RepositoryPlace) {
  const own = path.join(top, '.git');
  const abort = new AbortController();
  let obstacle: Obstacle | null = null;
  let hasEnded = false;
  const look = async () => {
    // If the scan itself fails, git continues until its deadline.
    obstacle = await obstacleIn({ top, gitDir: gitDir || own, commonDir: commonDir || own }).catch(
      () => null,
    );
    if (obstacle?.pattern === null) abort.abort();
    else if (obstacle !== null && !hasEnded) timer = setTimeout(() => abort.abort(), PATTERN_AFTER_MS);
  };
  let timer = setTimeout(() => void look(), OBSTACLES_AFTER_MS);
  return {
    signal: abort.signal,
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      return abort.signal.aborted ? obstacle : null;
    },
  };
}

/** Characters of a pattern in a sentence. */
const PATTERN_SHOWN_MAX = 80;

/** The refusal for a git that was stopped at an obstacle. */
export function heldUp(command: string, top: string, { file, pattern }: Obstacle): Result<never> {
  if (pattern === null) return unreadable(top, `${file} is not a regular file`);
  const name = path.relative(top, file);
  return fail(
    'refused',
    `git ${command} was ended: it may take very long to match "${pattern.slice(0, PATTERN_SHOWN_MAX)}" of ${name.startsWith('..') ? file : name}.`,
    'Each "*" in a pattern multiplies the work. Use fewer, or remove the pattern, then try again.',
  );
}

/** What blocks git: a file that it waits for, or a pattern in a file that would take hours to match. */
interface Obstacle {
  readonly file: string;
  /** Null: the file is not a regular one. */
  readonly pattern: string | null;
}

/** Most entries in a scan for obstacles. */
const LOOKED_AT_MAX_ENTRIES = 200_000;

/** Files in which git looks for patterns. */
const PATTERN_FILE = /\/(?:\.gitignore|\.gitattributes|info\/(?:exclude|attributes|sparse-checkout))$/;

interface Look {
  entries: number;
  readonly slices: Slices;
  /** The first hard pattern: it may block git. An irregular file certainly does. */
  suspect: Obstacle | null;
  /** Parts of patterns that only many long names make hard, with the first pattern of each. */
  readonly mild: Map<string, Obstacle>;
  /** The long names, in lower case. */
  readonly names: string[];
}

/** The obstacle in the repository's files, `.gitignore` and so on: an irregular file or a hard pattern, or null. */
async function obstacleIn({ top, gitDir, commonDir }: RepositoryPlace): Promise<Obstacle | null> {
  const look: Look = {
    entries: LOOKED_AT_MAX_ENTRIES,
    slices: new Slices(),
    suspect: null,
    mild: new Map(),
    names: [],
  };
  for (const folder of new Set([gitDir, commonDir])) {
    const found = (await obstacleBelow(folder, () => true, look)) ?? (await obstacleNamed(top, folder, look));
    if (found !== null) return found;
  }
  const isPatterns = (name: string) => /^\.git(?:ignore|attributes|modules)$/.test(name);
  const found = (await obstacleBelow(top, isPatterns, look)) ?? look.suspect;
  return found ?? look.slices.run(hardForNames(look));
}

/** Git makes this many steps in about ten seconds. */
const STEPS_MAX = 2e9;
/** A shorter name takes git few steps. */
const LONG_NAME_CHARACTERS = 100;

/** Most mild patterns tried on the names, and most names. */
const MILD_MAX_PATTERNS = 200;
const TRIED_MAX_NAMES = 2_000;

/** The first pattern that git cannot match in time against the existing names. */
function* hardForNames({ mild, names }: Look): Steps<Obstacle | null> {
  const tried = names.slice(0, TRIED_MAX_NAMES);
  for (const [part, obstacle] of mild) {
    let steps = 0;
    for (const name of tried) {
      steps += (stepsFor(part, name) * names.length) / tried.length;
      yield;
    }
    if (steps > STEPS_MAX) return obstacle;
  }
  return null;
}

/** Git's most steps to find that a name does not match: it tries every place for every text between two `*`. */
function stepsFor(part: string, name: string): number {
  const [head = '', ...texts] = part.split(/\*+/);
  if (!isAt(name, 0, head)) return 0;
  let ways: number[] = [];
  ways[head.length] = 1;
  let steps = 0;
  for (const text of texts) {
    const next: number[] = [];
    let open = 0;
    for (let at = 0; at <= name.length; at += 1) {
      open += ways[at] ?? 0;
      steps += open;
      if (open > 0 && isAt(name, at, text)) next[at + text.length] = open;
    }
    ways = next;
  }
  return steps;
}

/** Whether the text is there; `?` is any character. */
function isAt(name: string, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1)
    if (text[at] !== '?' && text[at] !== name[from + at]) return false;
  return from + text.length <= name.length;
}

/** `core.excludesFile`, `core.attributesFile`, `include.path`: files that git opens anywhere. */
const NAMED_FILE = /\b(excludesfile|attributesfile|path)[ \t]*=([^\n]*)/gi;

async function obstacleNamed(top: string, folder: string, look: Look): Promise<Obstacle | null> {
  for (const name of ['config', 'config.worktree']) {
    const config = (await readOrNull(path.join(folder, name)).catch(() => null)) ?? '';
    for (const [, key = '', value = ''] of config.matchAll(NAMED_FILE)) {
      for (const base of [top, folder]) {
        const file = path.resolve(base, value.trim().replace(/^"|".*/g, ''));
        const found = await obstacleAt(file, key.toLowerCase() !== 'path', look);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

async function obstacleBelow(
  folder: string,
  isOpened: (name: string) => boolean,
  look: Look,
): Promise<Obstacle | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  look.entries -= entries.length;
  for (const entry of entries) {
    if (look.entries < 0) return null;
    const at = path.join(folder, entry.name);
    if (entry.name.length >= LONG_NAME_CHARACTERS) look.names.push(entry.name.toLowerCase());
    const isFolder = entry.isDirectory() && (entry.name !== '.git' || isOpened(entry.name));
    const hasPatterns = PATTERN_FILE.test(at);
    const isToSee = isOpened(entry.name) && (hasPatterns || !entry.isFile());
    const found = isFolder
      ? await obstacleBelow(at, isOpened, look)
      : isToSee
        ? await obstacleAt(at, hasPatterns, look)
        : null;
    if (found !== null) return found;
  }
  return null;
}

/** A socket is not an obstacle: it cannot be opened as a file, and git's own daemon has one in the repository. */
async function obstacleAt(file: string, hasPatterns: boolean, look: Look): Promise<Obstacle | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if (found.isFIFO() || found.isCharacterDevice()) return { file, pattern: null };
  if (!hasPatterns || look.suspect !== null) return null;
  const text = await readGitFile(file).catch(() => '');
  const pattern = await look.slices.run(
    hardPatternIn(text, (mild, part) => {
      const isKept = look.mild.size < MILD_MAX_PATTERNS && !look.mild.has(part);
      if (isKept) look.mild.set(part, { file, pattern: mild });
    }),
  );
  if (pattern !== null) look.suspect = { file, pattern };
  return null;
}

/** `*` in one part of a path: five against a name of 250 characters take git a minute, each more fifty times that. */
const STARS_MAX = 4;
/** Three against a thousand names of 250 characters can take as long as four against twenty. */
const MILD_STARS = 3;
/** `**` as a whole part: four against a path of 400 folders take git minutes. */
const ANY_FOLDERS_MAX = 3;

/** The first line of a pattern file that git cannot match in time; null for none. Collects hard parts in lower case. */
export function* hardPatternIn(
  text: string,
  onMild: (line: string, part: string) => void = () => undefined,
): Steps<string | null> {
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const line = text.slice(start, end).trim();
    const parts = line.startsWith('#') ? [] : partsOf(line);
    if (parts.filter((part) => part === '**').length > ANY_FOLDERS_MAX) return line;
    for (const part of parts) {
      const stars = part.match(/\*+/g)?.length ?? 0;
      if (stars > STARS_MAX) return line;
      if (stars >= MILD_STARS) onMild(line, part.toLowerCase());
    }
    start = end + 1;
    yield;
  }
  return null;
}

/** A pattern's parts between `/`. An escaped character or a bracket matches one character, so it becomes `?`. */
const partsOf = (line: string): readonly string[] =>
  line
    .replace(/^[!"]/, '')
    .replace(/\\.|\[[^\][]*\]/gs, '?')
    .split('/');
