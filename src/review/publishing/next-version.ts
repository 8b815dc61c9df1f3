/** The next version of an open suggestion. Keeps decisions and comments on unchanged hunks; the rest is open. Pure. */
import { count } from '../../lib/count.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Change, Subject } from '../core/change.ts';
import { movedLines } from '../core/moved-lines.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredChange, StoredComment, StoredFile, StoredSuggestion } from '../records/records.ts';
import { changesOf, isBegun, unpackChange } from '../records/stored-file.ts';
import { describeComment } from '../showing/describe-comment.ts';
import { type Content, fresh } from './replace.ts';

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
  const carried = subjects.map((subject, position) =>
    carryFile(before, { subject, position, file: files[position] as StoredFile }, stored.inPlace),
  );
  const changes = carried.flatMap((one) => one.changes);
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
        ...versionWords(before, { version, known, now }),
        ...lostWords(before, changes),
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

/** Keeps a file's records if everything in it stays; otherwise starts from the current file. */
function carryFile(
  before: Loaded,
  { subject, position, file }: FileOfVersion,
  inPlace: boolean,
): { readonly file: StoredFile; readonly changes: readonly StoredChange[] } {
  const at = before.subjects.findIndex((one) => isSameFile(one, subject));
  const old = before.files[at];
  if (old === undefined) return { file, changes: [] };
  const roots = idsOf([subject]);
  const parts = old.parts.filter(([root]) => roots.has(root));
  const ids = partsIn(subject, { ...old, parts });
  const known = partsIn(before.subjects[at], old);
  const all = [...before.changes.values()].filter((change) => change.file === at);
  const stays = all.flatMap((change) => {
    const [was, is] = [known.get(change.id), ids.get(change.id)];
    if (was === undefined || is === undefined) return [];
    return [{ ...change, comments: change.comments.map((comment) => movedComment(was, is, comment)) }];
  });
  const begun = all.filter((change) => isBegun([unpackChange(change)]));
  const isKept = inPlace ? old.base?.blob === file.base?.blob : begun.every(({ id }) => ids.has(id));
  const isBased = inPlace || begun.length === 0;
  const isSameText = subject.oldBlob !== null && before.subjects[at]?.oldBlob === subject.oldBlob;
  const gone = all.filter(({ id, comments }) => !ids.has(id) && comments.length > 0);
  const said = remarksOn(subject, known, gone).map((of) => fresh({ ...of, file: position }));
  if (isKept) {
    const kept = isBased ? file : { ...old, unmoved: old.unmoved && isSameText };
    const same = stays.map((change) => ({ ...change, file: position }));
    return { file: { ...kept, parts }, changes: [...same, ...said] };
  }
  const changes = stays
    .filter(({ decision, comments }) => decision === 'rejected' || comments.length > 0)
    .map(({ id, comments, decision }) =>
      fresh({ id, file: position, comments, decision: decision === 'rejected' ? decision : 'pending' }),
    );
  return { file: { ...file, parts }, changes: [...changes, ...said] };
}

/** A file's changes by id: whole ones, and the parts of split ones. */
function partsIn(subject: Subject | undefined, file: StoredFile): ReadonlyMap<string, Change> {
  const all = subject === undefined ? [] : [...subject.changes, ...changesOf(subject, file)];
  return new Map(all.map((change) => [change.id, change]));
}

/** Moves comments on vanished hunks to new hunks about the same lines, so that request and answer are read together. */
function remarksOn(
  subject: Subject,
  known: ReadonlyMap<string, Change>,
  gone: readonly StoredChange[],
): readonly Pick<StoredChange, 'id' | 'comments' | 'decision'>[] {
  const said = new Map<string, StoredComment[]>();
  for (const { id, comments } of gone) {
    const old = known.get(id);
    if (old === undefined) continue;
    const about = subject.changes.filter((one) => !known.has(one.id) && isAboutSameLines(old, one));
    for (const comment of comments) {
      const places = about.map((now) => ({ id: now.id, comment: movedComment(old, now, comment) }));
      const place = places.find((one) => !isLineGone(one.comment)) ?? places[0];
      if (place !== undefined) said.set(place.id, [...(said.get(place.id) ?? []), place.comment]);
    }
  }
  return [...said].map(([id, comments]) => ({ id, comments, decision: 'pending' }));
}

function isAboutSameLines({ hunk: one }: Change, { hunk: other }: Change): boolean {
  if (one?.oldStart == null || other?.oldStart == null) return false;
  return (
    one.oldStart < other.oldStart + Math.max(1, other.oldCount) &&
    other.oldStart < one.oldStart + Math.max(1, one.oldCount)
  );
}

/** Moves a comment to the same lines of another hunk; if they are gone, to the whole hunk, with a quote of them. */
function movedComment(old: Change, now: Change, comment: StoredComment): StoredComment {
  if (typeof comment === 'string' || comment.lines === null) return comment;
  const lines = movedLines(old, now, comment.lines);
  const isWithin = lines !== null && lines.first >= 1 && lines.last <= (now.body?.count ?? 0);
  const { quote: _, ...said } = comment;
  return { ...said, lines, ...(isWithin ? {} : { quote: describeComment(old, comment).quote }) };
}

const isLineGone = (comment: StoredComment) =>
  typeof comment !== 'string' && comment.lines === null && comment.quote !== undefined;

const isSameFile = (one: Subject, other: Subject) =>
  one.oldPath === other.oldPath && one.newPath === other.newPath && one.operation === other.operation;

/** Comments on hunks without a replacement. */
function lostWords({ changes }: Loaded, now: readonly StoredChange[]): readonly string[] {
  const textsOf = (all: Iterable<StoredChange>) =>
    [...all].flatMap(({ comments }) => comments.map((one) => (typeof one === 'string' ? one : one.text)));
  const kept = new Set(textsOf(now));
  return textsOf(changes.values())
    .filter((text) => !kept.has(text))
    .map((text) => `A comment was on a hunk that is gone: ${text}`);
}

/** What has changed since the previous version, for people. */
function versionWords(
  { changes }: Loaded,
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
  const taken = gone.filter((id) =>
    ['accepted', 'modified'].includes(changes.get(id)?.decision ?? ''),
  ).length;
  const left =
    taken === 0
      ? []
      : [
          `${count(taken, 'accepted hunk')} of an earlier version ${taken === 1 ? 'stays' : 'stay'} in the files.`,
        ];
  return [`Version ${version}: ${words.join(', ')}.`, ...left];
}
