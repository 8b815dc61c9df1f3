/** The next version of an open suggestion. Keeps decisions and comments on unchanged hunks; the rest is open. Pure. */
import { count } from '../../lib/count.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Subject } from '../core/change.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredFile, StoredSuggestion } from '../records/records.ts';
import { isBegun, unpackChange } from '../records/stored-file.ts';
import {
  type FileBefore,
  filesOf,
  fresh,
  type KeptHunks,
  keptHunks,
  lostOf,
  lostWords,
  withMoved,
} from './kept-hunks.ts';
import type { Content } from './replace.ts';

type Published = Pick<Loaded, 'stored' | 'subjects' | 'files'>;

/** Refuses a version of a different source. `author`: the publisher; null: the user. */
export function checkVersion(
  { stored: before }: Loaded,
  { target, inPlace }: StoredSuggestion,
  author: string | null,
): Result<void> {
  const { id } = before;
  if (author !== null && before.author !== author) return fail('not_found', `Suggestion not found: ${id}`);
  const publish = 'Publish it as a suggestion of its own.';
  if (before.end !== null)
    return fail('refused', `Suggestion ${id} is ${before.end}; it cannot get another version.`, publish);
  if (before.turns !== undefined || before.write === 'on-save')
    return fail('refused', `Suggestion ${id} was not published by an author; it has no versions.`, publish);
  if (before.target !== target)
    return fail('refused', `Suggestion ${id} is for ${before.target}, this change for ${target}.`, publish);
  if (before.inPlace !== inPlace)
    return fail(
      'refused',
      `One version of suggestion ${id} is already in the files, the other one is not.`,
      publish,
    );
  return ok(undefined);
}

/** The version to store: the suggestion with its new number, what it added, and earlier decisions. */
export function nextVersion(before: Loaded, { stored, subjects, files }: Published): Published & Content {
  const was = filesOf(before);
  const carried = subjects.map((subject, position) =>
    carryFile(was, { subject, position, file: files[position] as StoredFile }, stored.inPlace),
  );
  const changes = carried.flatMap((one) => one.changes);
  const gone = goneFrom(was, subjects, carried);
  const version = (before.stored.version ?? 1) + 1;
  const known = idsOf(before.subjects);
  const now = idsOf(subjects);
  const arrived = [...now].flatMap((id) => {
    const number = known.has(id) ? before.stored.arrived?.[id] : version;
    return number === undefined ? [] : [[id, number] as const];
  });
  const { id, createdAt, author, replaces, asked } = before.stored;
  return {
    subjects,
    files: carried.map(({ file }) => file),
    changes,
    stored: {
      ...stored,
      id,
      createdAt,
      ...(author === undefined ? {} : { author }),
      ...(replaces === undefined ? {} : { replaces }),
      ...(asked === undefined ? {} : { asked }),
      description: stored.description === '' ? before.stored.description : stored.description,
      version,
      arrived: Object.fromEntries(arrived),
      notes: [
        ...stored.notes,
        ...versionWords(gone, { version, known, now }),
        ...lostWords(lostOf(gone), before.stored),
      ],
      revision: before.stored.revision + 1,
      decidedCount: changes.filter(({ decision }) => decision !== 'pending').length,
    },
  };
}

const idsOf = (subjects: readonly Subject[]) =>
  new Set(subjects.flatMap(({ changes }) => changes.map(({ id }) => id)));

interface FileOfVersion {
  readonly subject: Subject;
  readonly position: number;
  readonly file: StoredFile;
}

/** Keeps a file's records; in place, starts from the current file if its base differs. */
function carryFile(
  before: readonly FileBefore[],
  { subject, position, file }: FileOfVersion,
  inPlace: boolean,
): Carried {
  const was = before.find((one) => isSameFile(one.subject, subject));
  if (was === undefined) return { file, changes: [], gone: [] };
  const { file: old, changes: all } = was;
  const { parts, changes: stays, gone } = keptHunks(was, subject);
  if (!inPlace || old.base?.blob === file.base?.blob) {
    const isBased = inPlace || !isBegun(all.map(unpackChange));
    const isSameText = subject.oldBlob !== null && was.subject.oldBlob === subject.oldBlob;
    const kept = isBased ? file : { ...old, unmoved: old.unmoved && isSameText };
    const same = stays.map((change) => ({ ...change, file: position }));
    return { file: { ...kept, parts }, changes: withMoved(same, gone, position), gone };
  }
  const changes = stays
    .filter(({ decision, comments }) => decision === 'rejected' || comments.length > 0)
    .map(({ id, comments, decision }) =>
      fresh({ id, file: position, comments, decision: decision === 'rejected' ? decision : 'pending' }),
    );
  return { file: { ...file, parts }, changes: withMoved(changes, gone, position), gone };
}

interface Carried extends Pick<KeptHunks, 'changes' | 'gone'> {
  readonly file: StoredFile;
}

const isSameFile = (one: Subject, other: Subject) =>
  one.oldPath === other.oldPath && one.newPath === other.newPath && one.operation === other.operation;

/** Records of hunks that are gone, including those of files that are gone, whose comments no hunk shows. */
function goneFrom(
  before: readonly FileBefore[],
  subjects: readonly Subject[],
  carried: readonly Carried[],
): KeptHunks['gone'] {
  const ofFiles = before.flatMap(({ subject, changes }) =>
    subjects.some((one) => isSameFile(subject, one)) ? [] : changes,
  );
  const lost = ofFiles.map((change) => ({
    change,
    comments: change.comments.map((comment) => ({ on: null, comment })),
  }));
  return [...carried.flatMap(({ gone }) => gone), ...lost];
}

/** What has changed since the previous version, for people. */
function versionWords(
  all: KeptHunks['gone'],
  { version, known, now }: { version: number; known: ReadonlySet<string>; now: ReadonlySet<string> },
): readonly string[] {
  const added = [...now].filter((id) => !known.has(id)).length;
  const gone = [...known].filter((id) => !now.has(id));
  const stays = now.size - added;
  const words = [
    ...(added > 0 ? [`${count(added, 'hunk')} new or changed`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
    ...(stays > 0 ? [`${stays} as before`] : []),
  ];
  const taken = all.filter(({ change }) => ['accepted', 'modified'].includes(change.decision)).length;
  const left =
    taken === 0
      ? []
      : [
          `${count(taken, 'accepted hunk')} of an earlier version ${taken === 1 ? 'stays' : 'stay'} in the files.`,
        ];
  return [`Version ${version}: ${words.join(', ')}.`, ...left];
}
