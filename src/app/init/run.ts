/** Plans and carries out `copane init` and `--remove`. A plan holds all writes; if one fails, all are undone. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { prepareHookFolder } from '../responses/pane-hooks.ts';
import type { FilePart, InitPlace, Integration, LinkPart, Part } from './integration.ts';
import { digestOf, type FileRecord, type InitRecord, InitRecords, NO_RECORD } from './records.ts';
import {
  makeFolders,
  readUserFile,
  readUserLink,
  removeEmptyFolders,
  type UserFile,
  writeUserFile,
  writeUserLink,
} from './user-files.ts';

/** One write of a plan. */
export type FileChange =
  | {
      readonly kind: 'file';
      readonly found: UserFile;
      readonly after: string | null;
      readonly about: readonly string[];
    }
  | {
      readonly kind: 'link';
      readonly file: string;
      readonly before: string | null;
      readonly after: string | null;
      readonly about: readonly string[];
    };

export interface InitPlan {
  readonly kind: 'add' | 'remove';
  readonly changes: readonly FileChange[];
  /** The record after the plan is carried out. */
  readonly record: InitRecord;
  readonly backups: ReadonlyMap<string, string>;
  /** Messages shown beside the changes. */
  readonly notes: readonly string[];
}

/** The named parts; by default all that are not optional. */
function chosen(
  integration: Integration,
  place: InitPlace,
  names: readonly string[] | null,
): Result<readonly Part[]> {
  const all = integration.parts(place);
  if (names === null) return ok(all.filter(({ optional }) => optional !== true));
  const unknown = names.find((name) => !all.some((part) => part.name === name));
  if (unknown === undefined) return ok(all.filter(({ name }) => names.includes(name)));
  const known = [...new Set(all.map(({ name }) => name))].join(', ');
  return fail('invalid', `"${integration.name}" has no part "${unknown}"`, `It has: ${known}.`);
}

/** The changes that set a program up; none if it is already set up. */
export function planInit(
  integration: Integration,
  place: InitPlace,
  names: readonly string[] | null,
): Result<InitPlan> {
  const parts = chosen(integration, place, names);
  if (!parts.ok) return parts;
  const records = new InitRecords(place.stateDir);
  const before = records.read(integration.name);
  const changes: FileChange[] = [];
  let files = before.files;
  const backups = new Map<string, string>();
  for (const [file, own] of groupByFile(parts.value)) {
    const edit = planFile(file, own, place, integration, { records, before });
    if (!edit.ok) return edit;
    if (edit.value === null) continue;
    changes.push(edit.value.change);
    if (edit.value.backup !== null) backups.set(edit.value.backup.name, edit.value.backup.text);
    files = [...files.filter((known) => known.file !== file), edit.value.record];
  }
  for (const link of parts.value.filter((part) => part.kind === 'link')) {
    const now = readUserLink(link);
    if (!now.ok) return now;
    if (now.value === link.target) continue;
    changes.push({
      kind: 'link',
      file: link.file,
      before: now.value,
      after: link.target,
      about: [link.about],
    });
  }
  const named = [...new Set([...before.parts, ...parts.value.map(({ name }) => name)])];
  return ok({ kind: 'add', changes, record: { ...before, parts: named, files }, backups, notes: [] });
}

interface FileEdit {
  readonly change: FileChange;
  readonly record: FileRecord;
  readonly backup: { readonly name: string; readonly text: string } | null;
}

interface Kept {
  readonly records: InitRecords;
  readonly before: InitRecord;
}

/** The edit of one file; null if there is nothing to change. */
function planFile(
  file: string,
  parts: readonly FilePart[],
  place: InitPlace,
  integration: Integration,
  { records, before }: Kept,
): Result<FileEdit | null> {
  const found = readUserFile(file, place.home);
  if (!found.ok) return found;
  let text = found.value.text;
  for (const part of parts) {
    const added = part.add(text);
    if (!added.ok) return leftAlone(file, added.error.message);
    text = added.value;
  }
  if (text === found.value.text || text === null) return ok(null);
  const original = originalOf(found.value, integration, place, { records, before });
  const name = `${integration.name}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}.backup`;
  const change: FileChange = {
    kind: 'file',
    found: found.value,
    after: text,
    about: parts.map(({ about }) => about),
  };
  const record = { file, backup: original === null ? null : name, written: digestOf(text) };
  return ok({ change, record, backup: original === null ? null : { name, text: original } });
}

/** The file without our edits: the backup if nobody edited the file since, otherwise the text without our lines. */
function originalOf(
  found: UserFile,
  integration: Integration,
  place: InitPlace,
  { records, before }: Kept,
): string | null {
  if (found.text === null) return null;
  const known = before.files.find(({ file }) => file === found.file);
  const backup = known === undefined ? undefined : records.backupOf(known);
  if (known?.written === digestOf(found.text) && backup !== undefined) return backup;
  const stripped = strip(found.text, backup ?? null, partsOf(integration, place, found.file));
  return stripped.ok ? stripped.value : found.text;
}

/** The parts in a file; in one that we wrote while the environment named another place, those of files of its kind. */
function partsOf(integration: Integration, place: InitPlace, file: string): readonly FilePart[] {
  const all = integration.parts(place).filter((part) => part.kind === 'file');
  const own = all.filter((part) => part.file === file);
  return own.length > 0 ? own : all.filter((part) => path.extname(part.file) === path.extname(file));
}

function strip(text: string, original: string | null, parts: readonly FilePart[]): Result<string | null> {
  let rest: string | null = text;
  for (const part of parts.filter((candidate) => candidate.isIn(text))) {
    if (rest === null) break;
    const removed = part.remove(rest, original);
    if (!removed.ok) return removed;
    rest = removed.value;
  }
  return ok(rest);
}

/** The changes that undo the set-up of a program. */
export function planRemove(integration: Integration, place: InitPlace): Result<InitPlan> {
  const records = new InitRecords(place.stateDir);
  const before = records.read(integration.name);
  const parts = integration.parts(place);
  const files = new Set([
    ...before.files.map(({ file }) => file),
    ...parts.flatMap((part) => (part.kind === 'file' ? [part.file] : [])),
  ]);
  const changes: FileChange[] = [];
  const notes: string[] = [];
  const left: FileRecord[] = [];
  for (const file of files) {
    const planned = planRestore(file, integration, place, { records, before });
    if (!planned.ok) {
      notes.push(planned.error.message);
      left.push(...before.files.filter((known) => known.file === file));
    } else if (planned.value !== null) changes.push(planned.value);
  }
  for (const link of parts.filter((part): part is LinkPart => part.kind === 'link')) {
    const now = readUserLink(link);
    // Something else replaced our link: leave it.
    if (!now.ok || now.value === null) continue;
    changes.push({ kind: 'link', file: link.file, before: now.value, after: null, about: [link.about] });
  }
  return ok({ kind: 'remove', changes, record: { ...NO_RECORD, files: left }, backups: new Map(), notes });
}

function planRestore(
  file: string,
  integration: Integration,
  place: InitPlace,
  { records, before }: Kept,
): Result<FileChange | null> {
  const found = readUserFile(file, place.home);
  if (!found.ok) return found;
  const { text } = found.value;
  if (text === null) return ok(null);
  const known = before.files.find((record) => record.file === file);
  const backup = known === undefined ? undefined : records.backupOf(known);
  const about = [`as it was before "copane init ${integration.name}"`];
  if (known?.written === digestOf(text) && backup !== undefined) {
    return ok({ kind: 'file', found: found.value, after: backup, about });
  }
  const stripped = strip(text, backup ?? null, partsOf(integration, place, file));
  if (!stripped.ok) return leftAlone(file, stripped.error.message);
  if (stripped.value === text) return ok(null);
  // A file that existed before copane stays, even if it becomes empty.
  const after = stripped.value === null && backup != null ? '' : stripped.value;
  return ok({ kind: 'file', found: found.value, after, about: ['without the lines of copane'] });
}

function leftAlone(file: string, why: string) {
  return fail('refused', `${file} is left alone: ${why}`, 'Fix it first. Nothing was written.');
}

function groupByFile(parts: readonly Part[]): ReadonlyMap<string, readonly FilePart[]> {
  return Map.groupBy(
    parts.filter((part): part is FilePart => part.kind === 'file'),
    ({ file }) => file,
  );
}

/** Carries out a plan. Backups and the record are on disk first; a failure undoes earlier writes. */
export function carryOut(integration: Integration, place: InitPlace, plan: InitPlan): Result<void> {
  const records = new InitRecords(place.stateDir);
  const isRemoval = plan.kind === 'remove';
  const old = records.read(integration.name);
  const folders = isRemoval ? [] : plan.changes.flatMap((change) => makeFolders(pathOf(change)));
  const record = isRemoval ? old : { ...plan.record, folders: [...old.folders, ...folders] };
  if (!isRemoval) prepareHookFolder(place.stateDir);
  const kept = records.write(integration.name, record, plan.backups);
  if (!kept.ok) return kept;
  const done: FileChange[] = [];
  for (const change of plan.changes) {
    const written = write(change, change.after);
    if (!written.ok) {
      for (const back of done) undo(back);
      return written;
    }
    done.push(change);
  }
  if (!isRemoval) return ok(undefined);
  removeEmptyFolders(old.folders);
  return records.write(integration.name, plan.record, new Map());
}

const pathOf = (change: FileChange): string => (change.kind === 'file' ? change.found.real : change.file);

function write(change: FileChange, after: string | null): Result<void> {
  return change.kind === 'file' ? writeUserFile(change.found, after) : writeUserLink(change.file, after);
}

function undo(change: FileChange): void {
  if (change.kind === 'link') writeUserLink(change.file, change.before);
  else writeUserFile({ ...change.found, text: change.after }, change.found.text);
}

/** Which parts of an integration are installed, of this copane or another one. */
export function partsPresent(integration: Integration, place: InitPlace): ReadonlySet<string> {
  const present = integration.parts(place).filter((part) => {
    if (part.kind === 'link') {
      const link = readUserLink(part);
      return link.ok && link.value !== null;
    }
    const found = readUserFile(part.file, place.home);
    return found.ok && found.value.text !== null && part.isIn(found.value.text);
  });
  return new Set(present.map(({ name }) => name));
}
