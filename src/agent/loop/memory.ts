/** What a model was shown of files in one attempt, and so which edits it may make. */
import type { DraftEdit, EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { sha256 } from '../../review/files/hash.ts';
import { SeenText } from '../core/seen-text.ts';
import type { ModelEdit } from '../model-edit.ts';
import type { KeptBackContext } from '../tools/kept-back.ts';
import { resolveInProject } from '../tools/project-path.ts';
import type { ShownLines } from '../tools/tool.ts';
import { placedEdits, textOf } from './anchors.ts';
import type { WrittenFile } from './edits.ts';
import type { WorkingBuffers } from './port.ts';

/** Where quoted lines are looked up. */
export interface FillContext extends Omit<KeptBackContext, 'root'> {
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
}

/** The part of a proposal that can be checked, and the faults of the rest. */
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

/** How much of a file a text must contain to count as the whole file. */
const WHOLE_LEAST_SHARE = 0.5;

export class LoopMemory {
  readonly #root: string;
  #edits = 0;
  readonly #seen = new SeenText(sha256);
  readonly #versions = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The model was shown these. Of a file that changed in between, what it saw before is void. */
  saw(shown: readonly ShownLines[]): void {
    for (const { filePath, startLine, lines, totalLines, version } of shown) {
      if (this.#versions.get(filePath) !== version) this.#seen.forget(filePath);
      this.#versions.set(filePath, version);
      const bytes = Buffer.from(lines.join(''));
      const range = { path: filePath, startLine, bytes };
      this.#seen.saw(totalLines === null ? range : { ...range, lineCount: totalLines });
    }
  }

  /** The only file that it was shown; null when there are more, or none. */
  get onlyFile(): string | null {
    const [only = null, ...others] = this.#versions.keys();
    return others.length === 0 ? only : null;
  }

  /** The edits with their hashes, and every fault. Paths become those of the files that they lead to. */
  async fill(given: readonly ModelEdit[], where: FillContext): Promise<FilledEdits> {
    const edits: ProposedEdit[] = [];
    const faults: EditFault[] = [];
    const context = {
      root: this.#root,
      ...where,
      saw: (shown: readonly ShownLines[]) => this.saw(shown),
      hasSeenWhole: (path: string, version: string) =>
        this.#versions.get(path) === version && this.#seen.isWhole(path),
    };
    for (const edit of given) {
      const { file_path: path } = await this.#inProject(edit);
      if (where.buffers.conflicts.has(path)) {
        faults.push({ edit_id: this.#nextId(), code: 'conflict', message: `${path} ${IN_CONFLICT}` });
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
        const filled = this.#seen.fill(await this.#inProject(draft), this.#nextId());
        // Some models say an edit twice.
        if (filled.ok && edits.some((one) => isSameEdit(one, filled.edit))) continue;
        if (filled.ok) edits.push(filled.edit);
        else faults.push(filled.fault);
      }
    }
    return { edits, faults };
  }

  /** Whether the text is a whole file: a new one, or one that was read and is mostly repeated. */
  async isWholeFile({ file_path, new_text }: WrittenFile, where: FillContext): Promise<boolean> {
    const context = { root: this.#root, ...where, saw: () => undefined, hasSeenWhole: () => false };
    const text = await textOf(file_path, context);
    if (!text.ok) return text.error.code === 'not_found';
    const { file, lines, version } = text.value;
    const isRead = this.#versions.get(file.relative) === version && this.#seen.isWhole(file.relative);
    const said = new Set(new_text.split('\n').map((line) => line.trim()));
    const back = lines.filter((line) => said.has(line.trim()));
    return isRead && back.length >= lines.length * WHOLE_LEAST_SHARE;
  }

  /** Edits of several proposals of one attempt are told apart. */
  #nextId(): string {
    this.#edits += 1;
    return `e_${this.#edits}`;
  }

  /** A path that leaves the project stays as it is; the check refuses it. */
  async #inProject(draft: DraftEdit): Promise<DraftEdit> {
    const file = await resolveInProject(this.#root, draft.file_path);
    return file.ok && file.value.relative !== '' ? { ...draft, file_path: file.value.relative } : draft;
  }
}
