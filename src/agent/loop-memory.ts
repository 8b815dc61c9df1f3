/** What one attempt's model was shown of files, and by that which edits it may make. */
import { ok, type Result } from '../lib/result.ts';
import type { DraftEdit, EditFault, ProposedEdit } from '../protocol/agent.ts';
import { sha256 } from '../review/files/hash.ts';
import { SeenText } from './core/seen-text.ts';
import { resolveInProject } from './tools/project-path.ts';
import type { ShownLines } from './tools/tool.ts';

export class LoopMemory {
  readonly #root: string;
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

  /** The edits with their hashes, or every fault. Paths become those of the files that they lead to. */
  async fill(drafts: readonly DraftEdit[]): Promise<Result<readonly ProposedEdit[], readonly EditFault[]>> {
    const edits: ProposedEdit[] = [];
    const faults: EditFault[] = [];
    for (const [index, draft] of drafts.entries()) {
      const filled = this.#seen.fill(await this.#inProject(draft), `e_${index + 1}`);
      if (filled.ok) edits.push(filled.edit);
      else faults.push(filled.fault);
    }
    return faults.length > 0 ? { ok: false, error: faults } : ok(edits);
  }

  /** A path that leaves the project stays as it is: to refuse it is the check's part. */
  async #inProject(draft: DraftEdit): Promise<DraftEdit> {
    const file = await resolveInProject(this.#root, draft.file_path);
    return file.ok && file.value.relative !== '' ? { ...draft, file_path: file.value.relative } : draft;
  }
}
