/** Parses a model's edits (SEARCH/REPLACE, unified diff, apply_patch), each with a quote of the old lines. Pure. */
import { append } from '../../lib/append.ts';

/** An edit with a quote. `old_text` is null for a new file; `new_text` null for a deleted one. */
export interface TextEdit {
  readonly file_path: string;
  readonly old_text: string | null;
  readonly new_text: string | null;
  /** The line, from 1, that a diff gives. */
  readonly near: number | null;
  /** A line somewhere above it in the file, if the edit names one. */
  readonly below?: string;
  readonly new_path?: string;
}

/** All edits in `text`, in order. `path`: the file for blocks that name none. */
export function editsInText(text: string, path = ''): readonly TextEdit[] {
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const patch = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (patch !== -1) return patchEdits(lines.slice(patch + 1));
  const blocks = searchReplaceEdits(lines, path);
  return blocks.length > 0 ? blocks : unifiedEdits(lines);
}

const SEARCH = /^\s*(?:<{5,9}|-{5,9}) ?(?:SEARCH\b(.*)|(?:ORIGINAL|HEAD)\b.*)$/i;
const DIVIDER = /^\s*={5,9}\s*$/;
const REPLACE = /^\s*(?:>{5,9} ?(?:REPLACE|UPDATED)?\b.*|\+{5,9} ?REPLACE\b.*)$/i;

function searchReplaceEdits(lines: readonly string[], given: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let path = given;
  for (let at = 0; at < lines.length; at += 1) {
    const head = SEARCH.exec(lines[at] ?? '');
    if (head === null) continue;
    const divider = indexFrom(lines, at + 1, DIVIDER);
    const end = divider === -1 ? -1 : indexFrom(lines, divider + 1, REPLACE);
    if (end === -1) break;
    path = pathAbove(lines, at) ?? pathBehind(head[1] ?? '') ?? path;
    const { near, from } = blockHead(lines, at + 1);
    const old = lines.slice(from, divider).join('\n');
    const fresh = lines.slice(divider + 1, end).join('\n');
    edits.push({ file_path: path, old_text: old.trim() === '' ? null : old, new_text: fresh, near });
    at = end;
  }
  return edits.filter(({ file_path }) => file_path !== '');
}

/** Roo Code gives a block's first line, and a rule below it. `from`: beginning of the old lines. */
function blockHead(lines: readonly string[], at: number): { near: number | null; from: number } {
  const near = /^:start_line:\s*(\d+)\s*$/.exec(lines[at]?.trim() ?? '')?.[1];
  const rule = near === undefined ? -1 : indexFrom(lines, at, /^\s*-{5,9}\s*$/, at + BLOCK_HEAD_MAX_LINES);
  return { near: near === undefined ? null : Number(near), from: rule === -1 ? at : rule + 1 };
}

/** The start line, the end line, and the rule. */
const BLOCK_HEAD_MAX_LINES = 3;

/** The first line in `[from, to)` that matches `pattern`; -1 if none does. */
function indexFrom(lines: readonly string[], from: number, pattern: RegExp, to = lines.length): number {
  for (let at = from; at < Math.min(to, lines.length); at += 1) if (pattern.test(lines[at] ?? '')) return at;
  return -1;
}

/** The file name on the line above a block, or above the fence around it. */
function pathAbove(lines: readonly string[], block: number): string | null {
  for (let at = block - 1; at >= Math.max(0, block - 3); at -= 1) {
    const line = (lines[at] ?? '').trim();
    if (line === '') continue;
    const fence = /^(?:```|~~~)\s*(?:\w+[ :])?(.*)$/.exec(line);
    const words = at === block - 1 ? ANY_WORD : BARE_NAME;
    const name = fence === null ? barePath(line, words) : barePath(fence[1] ?? '', null);
    if (name !== null) return name;
    if (fence === null) return null;
  }
  return null;
}

/** The file name after `SEARCH`: one word without an opening bracket. */
function pathBehind(written: string): string | null {
  const word = written.trim().replace(/^file:\s*/i, '');
  return /^[([]|\s/.test(word) ? null : barePath(word, null);
}

/** Directly above a block, any word is a file; above its fence, only one unlikely in prose. */
const ANY_WORD = /^[\w+@-]+$/;
const BARE_NAME = /^(?:\w+file|LICEN[CS]E|README|CHANGELOG|NOTICE|AUTHORS)$/i;

/** A path without what models put around it; null for prose. `words`: accepted names without extension or folder. */
function barePath(written: string, words: RegExp | null): string | null {
  const path = written
    .replace(/^(?:#+|[-*]|\/\/|(?:file(?:name|path)?|title|path)[=:])\s*/i, '')
    .replace(/^[`*"'[(]+|[`*"')\]:]+$/g, '')
    .trim();
  const isName = /[./]/.test(path) || words?.test(path) === true;
  return path !== '' && isName && !/\s{2,}|[<>|]/.test(path) && path.split(' ').length <= 3 ? path : null;
}

const FILE_HEAD = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
/** The end of a file's section in a patch. */
const NOT_MOVE = /^\*\*\* (?!Move to: .)/;

function patchEdits(lines: readonly string[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let at = 0;
  while (at < lines.length) {
    const head = FILE_HEAD.exec((lines[at] ?? '').trimEnd());
    at += 1;
    if (head === null) continue;
    const [, kind, path = ''] = head;
    const end = indexFrom(lines, at, NOT_MOVE);
    const body = lines.slice(at, end === -1 ? lines.length : end);
    if (kind === 'Delete') edits.push({ file_path: path.trim(), old_text: null, new_text: null, near: null });
    else if (kind === 'Add')
      edits.push({ file_path: path.trim(), old_text: null, new_text: added(body), near: null });
    else append(edits, updateEdits(path.trim(), body));
    at += body.length;
  }
  return edits;
}

const added = (body: readonly string[]): string =>
  body
    .filter((line) => line.startsWith('+'))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

function updateEdits(path: string, body: readonly string[]): readonly TextEdit[] {
  const moved = body.map((line) => MOVE.exec(line)?.[1]?.trim()).find((name) => name !== undefined);
  const hunks = hunksOf(withoutNames(body.filter((line) => !MOVE.test(line))));
  const edits = hunks.map((hunk) => ({ file_path: path, ...hunk }));
  return moved === undefined
    ? edits
    : [...edits, { file_path: path, old_text: null, new_text: null, near: null, new_path: moved }];
}

/** The lines after the names that some models repeat as in a unified diff. */
function withoutNames(body: readonly string[]): readonly string[] {
  const names = body.findIndex((line) => line.trim() !== '');
  const isNamed = /^--- \S/.test(body[names] ?? '') && /^\+\+\+ \S/.test(body[names + 1] ?? '');
  return isNamed ? body.slice(names + 2) : body;
}

function unifiedEdits(lines: readonly string[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const [old, fresh] = [/^--- (.+)$/.exec(lines[at] ?? ''), /^\+\+\+ (.+)$/.exec(lines[at + 1] ?? '')];
    if (old === null || fresh === null) continue;
    const end = indexFrom(lines, at + 2, /^(?:--- \S|diff --git |```)/);
    const body = lines.slice(at + 2, end === -1 ? lines.length : end);
    const [from, to] = [diffPath(old[1] ?? ''), diffPath(fresh[1] ?? '')];
    if (from === null && to !== null)
      edits.push({ file_path: to, old_text: null, new_text: added(body), near: null });
    else if (to === null && from !== null)
      edits.push({ file_path: from, old_text: null, new_text: null, near: null });
    else if (from !== null) for (const hunk of hunksOf(body)) edits.push({ file_path: from, ...hunk });
    at += 1 + body.length;
  }
  return edits;
}

/** A diff header's path without prefix and time; null for an absent file. */
function diffPath(written: string): string | null {
  const path = written.split('\t', 1)[0]?.trim() ?? '';
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
}

/** The edits of a diff of `path` without a header, or with one for another program. */
export function hunksInText(text: string, path: string): readonly TextEdit[] {
  const body = withoutNames(text.replace(/\r\n/g, '\n').split('\n'));
  return hunksOf(body).map((hunk) => ({ file_path: path, ...hunk }));
}

type Hunk = Pick<TextEdit, 'old_text' | 'new_text' | 'near' | 'below'>;

/** Hunks by their `@@` lines. A context line may have lost its blank. Counts are not trusted. */
function hunksOf(body: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [old, fresh]: [string[], string[]] = [[], []];
  let near: number | null = null;
  let below = '';
  const close = () => {
    if (old.join() !== fresh.join()) {
      const hasOld = old.some((line) => line.trim() !== '');
      const place = below === '' ? { near } : { near, below };
      hunks.push({ old_text: hasOld ? old.join('\n') : null, new_text: fresh.join('\n'), ...place });
    }
    [old, fresh] = [[], []];
  };
  for (const line of body) {
    if (line.startsWith('@@')) {
      close();
      near = Number(/^@@ -(\d+)/.exec(line)?.[1] ?? Number.NaN);
      near = Number.isNaN(near) ? null : near;
      below =
        /^@@(?: -.*@@)?(.*)$/
          .exec(line)?.[1]
          ?.replace(/@@\s*$/, '')
          .trim() ?? '';
    } else if (line.startsWith('-')) old.push(line.slice(1));
    else if (line.startsWith('+')) fresh.push(line.slice(1));
    else if (!line.startsWith('\\') && !line.startsWith('*** ')) {
      const context = line.startsWith(' ') ? line.slice(1) : line;
      old.push(context);
      fresh.push(context);
    }
  }
  close();
  return hunks;
}
