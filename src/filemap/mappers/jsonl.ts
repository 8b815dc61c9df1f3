/** JSON lines: kinds of records, their keys and lines. For an AI CLI's session, the outline of its conversation. */
import { isRecord } from '../../lib/is-record.ts';
import { parseRecord } from '../../lib/parse-json.ts';
import { formatCount } from '../core/describe.ts';
import { type LineMapper, type OpenSymbol, oneLine, SymbolList } from '../core/outline.ts';
import type { Language } from '../language.ts';

/** How many records, from the start of the file, are searched for keys. */
const SAMPLED_RECORDS = 200;
const MAX_KINDS = 200;
/** Longer records are counted by their beginning: a user's prompt is shorter. */
const MAX_PARSED_CHARS = 64 * 1024;
const MAX_TITLE_CHARS = 100;

type Json = Readonly<Record<string, unknown>>;

function kindOf({ type, role }: Json): string {
  return typeof type === 'string' ? type : typeof role === 'string' ? role : 'record';
}

function scan(): LineMapper {
  const turns = new SymbolList();
  const kinds = new Map<string, { symbol: OpenSymbol; count: number; keys: Set<string> }>();
  let turn: OpenSymbol | null = null;
  let invalid = 0;
  let sampled = 0;

  const sample = (record: Json, number: number): void => {
    const kind = kindOf(record);
    let known = kinds.get(kind);
    if (known === undefined) {
      if (kinds.size >= MAX_KINDS) return;
      known = {
        symbol: { name: oneLine(kind), kind: 'records', startLine: number, endLine: number },
        count: 0,
        keys: new Set(),
      };
      kinds.set(kind, known);
    }
    known.count++;
    known.symbol.endLine = number;
    if (sampled <= SAMPLED_RECORDS) for (const key of Object.keys(record)) known.keys.add(key);
  };

  return {
    push: (line, number) => {
      if (line.length < 2) return;
      if (turn !== null) turn.endLine = number;
      sampled++;
      // Parsing everything would cost more than reading it: after the sample, only possible prompts are parsed.
      if (line.length > MAX_PARSED_CHARS || (sampled > SAMPLED_RECORDS && !line.includes('"user"'))) {
        sample(kindOnly(line), number);
        return;
      }
      const record = parseRecord(line);
      if (record === null) {
        invalid++;
        return;
      }
      sample(record, number);
      const prompt = promptOf(record);
      if (prompt === null) return;
      turn = { name: titleOf(prompt), kind: 'turn', startLine: number, endLine: number };
      turns.add(turn, undefined);
    },
    end: () => {
      const groups = [...kinds.values()].map(({ symbol, count, keys }) => ({
        ...symbol,
        signature: ` ×${formatCount(count)}${keys.size > 0 ? ` {${oneLine([...keys].slice(0, 12).join(', '))}}` : ''}`,
      }));
      const notes = invalid > 0 ? [`lines that are not JSON objects: ${invalid}`] : [];
      const hasTurns = turns.symbols.length > 0;
      return { symbols: hasTurns ? turns.symbols : groups, imports: [], notes: [...notes, ...turns.notes()] };
    },
  };
}

/** The record's kind from its text, without parsing. */
function kindOnly(line: string): Json {
  const type = /"type"\s*:\s*"([^"]{1,80})"/.exec(line.slice(0, 4096))?.[1];
  return type === undefined ? {} : { type };
}

interface Prompt {
  readonly text: string;
  readonly time: string | null;
}

/** A message of the user, in the forms that AI CLIs write: bare, in `message`, in `payload`. */
function promptOf(record: Json): Prompt | null {
  for (const message of [record, record.message, record.payload]) {
    if (!isRecord(message) || message.role !== 'user') continue;
    const text = textOf(message.content).trim();
    if (text === '' || text.startsWith('<')) return null;
    const time = record.timestamp ?? message.timestamp;
    return { text, time: timeOf(time) };
  }
  return null;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      isRecord(part) && typeof part.text === 'string' && part.type !== 'tool_result' ? part.text : '',
    )
    .filter((text) => text !== '')
    .join(' ');
}

/** `2026-01-02 03:04`, in the file's time zone. */
function timeOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const date = new Date(value < 1e11 ? value * 1000 : value);
    return Number.isNaN(date.getTime()) ? null : timeOf(date.toISOString());
  }
  const match = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(value) : null;
  return match === null ? null : `${match[1]} ${match[2]}`;
}

function titleOf({ text, time }: Prompt): string {
  const words = oneLine(text);
  const cut = words.length > MAX_TITLE_CHARS ? `${words.slice(0, MAX_TITLE_CHARS - 1)}…` : words;
  return time === null ? cut : `${time} ${cut}`;
}

export const jsonl: Language = { name: 'JSONL', extensions: ['jsonl', 'ndjson'], scan };
