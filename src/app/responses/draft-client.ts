/** A companion's drafts, stored by the host: saves send only changes, and a change by another client is loaded once. */
import { ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { StoredDraft } from '../../protocol/commands/draft.ts';
import type { Draft, DraftKey } from '../../protocol/draft.ts';
import { editBetween } from '../../responses/core/draft-edit.ts';

export class DraftClient {
  readonly #client: Client;
  /** The latest known version on the host of the drafts used most recently. */
  readonly #known = new Map<string, StoredDraft>();

  constructor(client: Client) {
    this.#client = client;
  }

  async load(key: DraftKey): Promise<Result<StoredDraft>> {
    const loaded = await this.#client.request('draft/load', { key });
    if (loaded.ok) this.#remember(loaded.value);
    return loaded;
  }

  /** Refused if `baseRevision` is not the newest. */
  async save(key: DraftKey, draft: Draft, baseRevision: number): Promise<Result<StoredDraft>> {
    const known = this.#known.get(nameOf(key));
    const change = known?.revision === baseRevision ? { edit: editBetween(known.draft, draft) } : { draft };
    const saved = await this.#client.request('draft/save', { key, baseRevision, ...change });
    if (!saved.ok) return saved;
    const stored = { ...saved.value, draft };
    this.#remember(stored);
    return ok(stored);
  }

  /** Calls `listener` with the newest version of a loaded draft after another client changed it. */
  onExternalChange(listener: (stored: StoredDraft) => void): () => void {
    const announced = new Map<string, number>();
    const fetch = async (key: DraftKey): Promise<void> => {
      const name = nameOf(key);
      let loaded = await this.load(key);
      // Changes that arrived during loading may be missing.
      while (loaded.ok && loaded.value.revision < (announced.get(name) ?? 0)) loaded = await this.load(key);
      announced.delete(name);
      if (loaded.ok) listener(loaded.value);
    };
    return this.#client.subscribe(({ body }) => {
      if (body.type !== 'draft/changed' || body.client === this.#client.id) return;
      const name = nameOf(body.key);
      const known = this.#known.get(name);
      if (known === undefined || known.revision >= body.revision) return;
      const isLoading = announced.has(name);
      announced.set(name, body.revision);
      if (!isLoading) void fetch(body.key);
    });
  }

  #remember(stored: StoredDraft): void {
    const name = nameOf(stored.key);
    this.#known.delete(name);
    this.#known.set(name, stored);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Covers the followed draft and the one before it, whose last save may be in progress. */
const KNOWN_MAX = 4;

const nameOf = ({ project, pane }: DraftKey) => JSON.stringify([project, pane]);
