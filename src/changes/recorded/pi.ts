/**
 * Edits in pi's sessions. Since 1.6 an edit records a patch, with LF and without a byte order mark; before that, only a
 * diff for display of the simplified text. `write` records the new text, never the previous one.
 */
import path from 'node:path';
import { headOf } from '../../responses/transcripts/files.ts';
import { asArray, asObject, asString, type JsonObject, parseJson } from '../../responses/transcripts/json.ts';
import { latin1 } from '../../review/core/bytes.ts';
import { exactText } from '../core/file-text.ts';
import { askedBytes } from '../core/own-part.ts';
import type { EditHunk, TurnEdit } from '../core/turn-edits.ts';
import { unifiedHunks } from '../core/unified-hunks.ts';
import { type CallAndResult, EditLog, pairCalls, type RecordedReader, side } from './port.ts';

const HEAD_BYTES = 8 * 1024;

export const readPiEdits: RecordedReader = async (turns, ref) => {
  const [first = ''] = (await headOf(ref.path, HEAD_BYTES)).split('\n', 1);
  const cwd = asString(asObject(parseJson(first))?.cwd) ?? '/';
  return turns.map(({ turn, facts }) => {
    const log = new EditLog();
    for (const pair of pairCalls(facts)) {
      if (pair.call?.name === 'bash') tellCommand(log, pair, cwd);
      else if (pair.call !== null) tellEdit(log, pair, cwd);
    }
    return log.turn(turn);
  });
};

function outcomeOf({ result }: CallAndResult): TurnEdit['outcome'] {
  if (result === null) return 'unknown';
  return result.value.isError === true ? 'failed' : 'applied';
}

function tellCommand(log: EditLog, pair: CallAndResult, cwd: string): void {
  const text = asString(pair.result?.value.text) ?? '';
  const code = /Command exited with code (\d+)/.exec(text)?.[1];
  const outcome = outcomeOf(pair);
  log.command({
    command: asString(asObject(pair.call?.value.input)?.command) ?? '',
    cwd,
    at: pair.call?.at ?? null,
    endedAt: pair.result?.at ?? null,
    exit: code !== undefined ? Number(code) : outcome === 'applied' ? 0 : null,
    callId: pair.id,
    outcome,
  });
}

function tellEdit(log: EditLog, pair: CallAndResult, cwd: string): void {
  const input = asObject(pair.call?.value.input) ?? {};
  const named = asString(input.path) ?? asString(input.file_path);
  if (named === null) return;
  const outcome = outcomeOf(pair);
  const at = (pair.result ?? pair.call)?.at ?? null;
  const calledAt = pair.call?.at ?? null;
  const shared = { path: path.resolve(cwd, named), at, calledAt, outcome };
  if (outcome === 'unknown') log.edit({ ...shared, kind: 'edit', lost: 'no-result' });
  else if (outcome !== 'applied') log.edit({ ...shared, kind: 'edit' });
  else if (pair.call?.name === 'write') {
    const after = exactText(asString(input.content) ?? '');
    log.edit({ ...shared, kind: 'add', ...side('after', after), lost: 'before-not-recorded' });
  } else log.edit({ ...shared, kind: 'edit', lineEnds: 'normalised', ...patchOf(pair), ...askedOf(input) });
}

function askedOf(input: JsonObject): Partial<TurnEdit> {
  const all = [...asArray(input.edits).map((each) => asObject(each)), input];
  const asked = all.flatMap((one) => {
    const [old, put] = [asString(one?.oldText), asString(one?.newText)];
    return old === null || put === null ? [] : [{ old, put }];
  });
  return asked.length === 0 ? {} : { asked: askedBytes(asked) };
}

function patchOf({ result }: CallAndResult): Partial<TurnEdit> {
  const details = asObject(result?.value.details);
  const patch = unifiedHunks(asString(details?.patch) ?? '');
  if (patch !== null && patch.length > 0) return { patch };
  const shown = screenHunks(asString(details?.diff) ?? '');
  return shown.length === 0 ? { lost: 'not-recorded' } : { patch: shown, lost: 'loose' };
}

const LINE = /^([ +-])\s*(\d+) (.*)$/s;

/** The hunks. Removed and context lines have old line numbers, added lines new ones. */
function screenHunks(diff: string): readonly EditHunk[] {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  let open: (typeof hunks)[number] | null = null;
  let shift = 0;
  for (const line of latin1(new TextEncoder().encode(diff)).split('\n')) {
    const [, marker, digits, text] = LINE.exec(line) ?? [];
    if (marker === undefined) {
      open = null;
      continue;
    }
    const number = Number(digits);
    if (open === null) {
      const old = marker === '+' ? number - shift : number;
      open = { oldStart: old, newStart: old + shift, lines: [] };
      hunks.push(open);
    }
    open.lines.push(`${marker}${text}\n`);
    if (marker === '+') shift += 1;
    else if (marker === '-') shift -= 1;
  }
  return hunks.map(withoutOld).filter(({ lines }) => lines.some((line) => line[0] !== ' '));
}

/** A hunk of only added lines has the number of the line before it. */
function withoutOld(hunk: EditHunk): EditHunk {
  return hunk.lines.every((line) => line[0] === '+') ? { ...hunk, oldStart: hunk.oldStart - 1 } : hunk;
}
