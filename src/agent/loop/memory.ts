/** The parts of files that a model was shown in one attempt, and so which edits it may make. */
import path from 'node:path';
import { append } from '../../lib/append.ts';
import type { EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { hunksInText } from '../../review/core/text-edits.ts';
import { sha256 } from '../../review/files/hash.ts';
import { anchor } from '../core/anchor.ts';
import type { Fence } from '../core/fences.ts';
import { SeenText } from '../core/seen-text.ts';
import {
  isWholeAnswer,
  isWholeFile,
  type PlacedSnippet,
  placeSnippet,
  sharesLine,
  showsAll,
} from '../core/snippet.ts';
import { bareText, editOfText, type ModelEdit } from '../model-edit.ts';
import type { KeptBackContext } from '../tools/kept-back.ts';
import { resolveInProject } from '../tools/project-path.ts';
import type { ShownLines } from '../tools/tool.ts';
import { bareLine, leavesLinesOut, placedEdits, textOf } from './anchors.ts';
import type { WorkingBuffers } from './port.ts';

/** Where quoted lines are searched. */
export interface FillContext extends Omit<KeptBackContext, 'root'> {
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
}

/** The valid part of a proposal, and the faults of the rest. */
export interface FilledEdits {
  readonly edits: readonly ProposedEdit[];
  readonly faults: readonly EditFault[];
}

function isSameEdit(one: ProposedEdit, other: ProposedEdit): boolean {
  const fields = ['file_path', 'operation', 'start_line', 'end_line', 'new_text', 'new_path'] as const;
  return fields.every((field) => one[field] === other[field]);
}

/** Why a file cannot be edited until the user has decided. */
export const IN_CONFLICT = 'has changed on disk while a proposal for it waits.';

export class LoopMemory {
  readonly #root: string;
  #edits = 0;
  readonly #seen = new SeenText(sha256);
  readonly #versions = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The model was shown these lines. If a file has changed since, what it saw before is void. */
  saw(shown: readonly ShownLines[]): void {
    for (const { filePath, startLine, lines, totalLines, version } of shown) {
      if (this.#versions.get(filePath) !== version) this.#seen.forget(filePath);
      this.#versions.set(filePath, version);
      const bytes = Buffer.from(lines.join(''));
      const range = { path: filePath, startLine, bytes };
      this.#seen.saw(totalLines === null ? range : { ...range, lineCount: totalLines });
    }
  }

  /** The file is gone, and the model knows it. */
  forget(filePath: string): void {
    this.#seen.forget(filePath);
    this.#versions.delete(filePath);
  }

  /** The only file that it was shown; null if there are more, or none. */
  get onlyFile(): string | null {
    const [only = null, ...others] = this.#versions.keys();
    return others.length === 0 ? only : null;
  }

  /** The edits with their hashes, and every fault. Paths become those of the real files. */
  async fill(given: readonly ModelEdit[], where: FillContext): Promise<FilledEdits> {
    const edits: ProposedEdit[] = [];
    const faults: EditFault[] = [];
    const context = {
      root: this.#root,
      ...where,
      saw: (shown: readonly ShownLines[]) => this.saw(shown),
      hasSeenWhole: (file: string, version: string) =>
        this.#versions.get(file) === version && this.#seen.isWhole(file),
    };
    for (const written of given) {
      const edit = await this.#inProject(written, where);
      const { file_path } = edit;
      if (where.buffers.conflicts.has(file_path)) {
        faults.push({ edit_id: this.#nextId(), code: 'conflict', message: `${file_path} ${IN_CONFLICT}` });
        continue;
      }
      const placed = await placedEdits(edit, context);
      if (!placed.ok) {
        const { message, hint } = placed.error;
        const words = hint === undefined ? message : `${message} ${hint}`;
        faults.push({ edit_id: this.#nextId(), code: 'unseen', message: words });
        continue;
      }
      for (const draft of placed.value) {
        const filled = this.#seen.fill(await this.#inProject(draft, where), this.#nextId());
        // Some models repeat an edit.
        if (filled.ok && edits.some((one) => isSameEdit(one, filled.edit))) continue;
        if (filled.ok) edits.push(filled.edit);
        else faults.push(filled.fault);
      }
    }
    return { edits, faults };
  }

  /**
   * Code that a model wrote out, as edits of new files or of files that it was shown completely, with the fences they
   * came from. No edits at all if one fence names a file or shares its lines but fits nowhere: half a change may be
   * worse than none. `asked`: the request, if the model was asked to write out the whole file.
   */
  async editsOfFences(fences: readonly Fence[], where: FillContext, asked: string | null) {
    const edits: ModelEdit[] = [];
    const used: Fence[] = [];
    for (const fence of fences) {
      const file = fence.file ?? this.onlyFile;
      const found = file === null ? [] : await this.#editsOfFence(fence, { written: file, asked }, where);
      if (found === null) return { edits: [], used: [] };
      append(edits, found);
      if (found.length > 0) used.push(fence);
    }
    return { edits, used };
  }

  /** Empty if it changes nothing or is an example; null if its place is unclear. */
  async #editsOfFence(
    fence: Fence,
    { written, asked }: { readonly written: string; readonly asked: string | null },
    where: FillContext,
  ): Promise<readonly ModelEdit[] | null> {
    const { file: named, isDiff, range } = fence;
    const text = bareText(fence.text, written);
    const resolved = await resolveInProject(this.#root, written);
    const file_path = resolved.ok && resolved.value.exists ? resolved.value.relative : written;
    if (isDiff) return hunksInText(text, file_path).map(editOfText);
    const read = await textOf(file_path, this.#looking(where));
    const whole = { file_path, operation: 'insert', start_line: 1, whole: true } as const;
    const asWhole = [{ ...whole, new_text: `${text}\n` }];
    // A shown file of this name may be the intended one.
    const isNew = !read.ok && read.error.code === 'not_found' && this.#shownAs(written) === null;
    if (!read.ok) return isNew && named !== null ? asWhole : null;
    const { file, lines, version } = read.value;
    if (this.#versions.get(file.relative) !== version || !this.#seen.isWhole(file.relative)) return null;
    const [before, after] = [lines.map(bareLine), text.trimEnd().split('\n')];
    const isWhole = isWholeFile(before, after) || (asked !== null && isWholeAnswer(before, after, asked));
    if (isWhole && range === null) {
      if (leavesLinesOut(before, after)) return null;
      return before.join('\n').trimEnd() === text.trimEnd() ? [] : asWhole;
    }
    const place = range === null ? placeSnippet(before, after) : rangeOf(before, after, range);
    if (place === null) return named === null && !sharesLine(before, after) ? [] : null;
    const { start, end, newText: new_text } = place;
    if (leavesLinesOut(before.slice(start, end), after)) return null;
    if (new_text === before.slice(start, end).join('\n')) return [];
    return [{ file_path, operation: 'replace', start_line: start + 1, end_line: end, new_text }];
  }

  #looking(where: FillContext) {
    return { root: this.#root, ...where, saw: () => undefined, hasSeenWhole: () => false };
  }

  /** Distinguishes edits of several proposals in one attempt. */
  #nextId(): string {
    this.#edits += 1;
    return `e_${this.#edits}`;
  }

  /** A path that leaves the project stays unchanged; the check refuses it. */
  async #inProject<E extends ModelEdit>(edit: E, where: FillContext): Promise<E> {
    const file = await resolveInProject(this.#root, edit.file_path);
    if (!file.ok || file.value.relative === '') return edit;
    const { exists, relative } = file.value;
    const meant = exists ? null : await this.#quotedFile(relative, edit.old_text ?? '', where);
    return { ...edit, file_path: meant ?? relative };
  }

  /** The shown file of this name, if it contains the quote: small models guess the folder. */
  async #quotedFile(relative: string, quoted: string, where: FillContext): Promise<string | null> {
    const shown = quoted.trim() === '' ? null : this.#shownAs(relative);
    const text = shown === null ? null : await textOf(shown, this.#looking(where));
    const isThere =
      text?.ok === true && anchor(text.value.lines.map(bareLine), quoted, null).kind === 'found';
    return isThere ? shown : null;
  }

  /** The only shown file of this name. */
  #shownAs(relative: string): string | null {
    const name = path.basename(relative);
    const [found = null, ...others] = [...this.#versions.keys()].filter((one) => path.basename(one) === name);
    return others.length > 0 ? null : found;
  }
}

/** The lines that a block states, if it leaves none of them out. */
function rangeOf(
  before: readonly string[],
  after: readonly string[],
  { from, to }: NonNullable<Fence['range']>,
): PlacedSnippet | null {
  const isThere = to <= before.length && showsAll(before.slice(from - 1, to), after);
  return isThere ? { start: from - 1, end: to, newText: realigned(after, before).join('\n') } : null;
}

/** New lines one blank off the line above, at a depth unknown to the file, belong below that line: a copying slip. */
function realigned(lines: readonly string[], file: readonly string[]): readonly string[] {
  const depthOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
  const known = new Set(file.map(depthOf));
  return lines.map((line, at) => {
    const [own, above] = [depthOf(line), depthOf(lines[at - 1] ?? '')];
    const isSlip = !known.has(own) && known.has(above) && Math.abs(own - above) === 1 && !/^\s*\*/.test(line);
    return isSlip ? ' '.repeat(above) + line.slice(own) : line;
  });
}
