/** Chains the edits of each file: the text before the first, the text after the last, and where the chain breaks. */
import { sameText } from './file-text.ts';
import type { ChainBreak, FileChain, FileText, TurnEdit } from './turn-edits.ts';

/** A file while its edits are being chained. */
interface OpenChain {
  readonly began: { readonly path: string; readonly existed: boolean; readonly text: FileText | undefined };
  path: string;
  exists: boolean;
  /** Undefined: the file exists and its text is unknown. */
  text: FileText | undefined;
  readonly edits: TurnEdit[];
  readonly breaks: ChainBreak[];
}

/** The applied edits by file, in order. A rename continues the chain of the old name. Breaks are always reported. */
export function chainEdits(edits: readonly TurnEdit[]): readonly FileChain[] {
  const ordered = edits.filter(({ outcome }) => outcome === 'applied').sort((a, b) => a.order - b.order);
  const byPath = new Map<string, OpenChain>();
  const all: OpenChain[] = [];
  const add = (edit: TurnEdit) => {
    const from = edit.movedFrom ?? edit.path;
    const known = byPath.get(from);
    const chain = known ?? begin(edit, from);
    if (known === undefined) all.push(chain);
    else noteBreak(chain, edit);
    take(chain, edit);
    byPath.delete(from);
    byPath.set(edit.path, chain);
  };
  for (const edit of ordered) for (const part of apart(edit, byPath)) add(part);
  return all.map(finish).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** A rename onto a file of the turn ends the chain of the old name and continues that of the new one. */
function apart(edit: TurnEdit, byPath: ReadonlyMap<string, OpenChain>): readonly TurnEdit[] {
  const { kind, movedFrom, before, patch: _, ...rest } = edit;
  const target = byPath.get(edit.path);
  if (kind !== 'rename' || movedFrom === undefined || target === undefined) return [edit];
  const deletion: TurnEdit = { ...rest, path: movedFrom, kind: 'delete', before, after: undefined };
  if (!target.exists) return [deletion, { ...rest, kind: 'add' }];
  return [deletion, { ...rest, kind: 'edit', before: target.text }];
}

function begin(edit: TurnEdit, from: string): OpenChain {
  const existed = edit.kind !== 'add';
  return {
    began: { path: from, existed, text: existed ? edit.before : undefined },
    path: from,
    exists: existed,
    text: edit.before,
    edits: [],
    breaks: [],
  };
}

/** An edit must start from the text that the previous edit left. */
function noteBreak(chain: OpenChain, edit: TurnEdit): void {
  // It may have overwritten a file: then the earlier text does not matter.
  if (edit.kind === 'add' && edit.lost === 'before-not-recorded') return;
  const found = edit.kind !== 'add';
  const { order } = edit;
  if (chain.exists !== found) chain.breaks.push({ order, why: 'changed' });
  else if (!found) return;
  else if (chain.text === undefined || edit.before === undefined) {
    // Hunks with line numbers are checked when they are combined.
    if (edit.patch === undefined) chain.breaks.push({ order, why: 'unknown' });
  } else if (!sameText(chain.text, edit.before)) chain.breaks.push({ order, why: 'changed' });
}

function take(chain: OpenChain, edit: TurnEdit): void {
  chain.edits.push(edit);
  chain.path = edit.path;
  chain.exists = edit.kind !== 'delete';
  chain.text = chain.exists ? edit.after : undefined;
}

function finish({ began, path, exists, text, edits, breaks }: OpenChain): FileChain {
  const kind = kindOf(began.existed, exists, began.path !== path);
  return {
    // A file that was renamed and then deleted is reported under its first name.
    path: kind === 'delete' ? began.path : path,
    ...(kind === 'rename' ? { movedFrom: began.path } : {}),
    kind,
    ...(began.text === undefined ? {} : { before: began.text }),
    ...(text === undefined ? {} : { after: text }),
    edits,
    breaks,
  };
}

function kindOf(existed: boolean, exists: boolean, moved: boolean): FileChain['kind'] {
  if (!existed) return exists ? 'add' : null;
  if (!exists) return 'delete';
  return moved ? 'rename' : 'edit';
}
