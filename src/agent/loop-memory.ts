/** What one attempt's model was shown of files, and by that which edits it may make. */
import type { DraftEdit, EditFault, ProposedEdit } from '../protocol/agent.ts';
import { sha256 } from '../review/files/hash.ts';
import { SeenText } from './core/seen-text.ts';
import { placedEdits } from './loop-anchors.ts';
import type { WorkingBuffers } from './loop-port.ts';
import type { ModelEdit } from './model-edit.ts';
import type { KeptBackContext } from './tools/kept-back.ts';
import { resolveInProject } from './tools/project-path.ts';
import type { ShownLines } from './tools/tool.ts';

/** Where quoted lines are looked up. */
export interface FillContext extends Omit<KeptBackContext, 'root'> {
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
}

/** What of a proposal can be checked, and what is wrong with the rest. */
export interface FilledEdits {
  readonly edits: readonly ProposedEdit[];
  readonly faults: readonly EditFault[];
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
        if (filled.ok) edits.push(filled.edit);
        else faults.push(filled.fault);
      }
    }
    return { edits, faults };
  }

  /** Edits of several proposals of one attempt are told apart. */
  #nextId(): string {
    this.#edits += 1;
    return `e_${this.#edits}`;
  }

  /** A path that leaves the project stays as it is: to refuse it is the check's part. */
  async #inProject(draft: DraftEdit): Promise<DraftEdit> {
    const file = await resolveInProject(this.#root, draft.file_path);
    return file.ok && file.value.relative !== '' ? { ...draft, file_path: file.value.relative } : draft;
  }
}
