/** Tool calls that a model wrote in its text: JSON in tags or fences, names beside JSON, XML, Python. Pure. */
import { isRecord } from '../../lib/is-record.ts';
import { type Arguments, isToolName, lenientObject, scanObject } from './tool-call.ts';

export interface TextCall {
  readonly name: string;
  readonly arguments: Arguments | null;
}

/** A call and its place in the text: `[from, to)`. */
interface PlacedCall extends TextCall {
  readonly from: number;
  readonly to: number;
}

/** The most calls read from the text of one answer. */
const CALLS_MAX = 16;

/** Removes thoughts that a model writes before its answer. Their opening tag may be in the prompt. */
export function withoutThoughts(text: string): string {
  const closed = text.replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)>\s*/i, '');
  return closed.replace(/^\s*<(?:think|thinking|thought|reasoning)>[\s\S]*$/i, '');
}

/** The words before, between and after calls. */
export function wordsBeside(text: string, calls: readonly PlacedCall[]): string {
  const starts = [...calls.map(({ from }) => from), text.length];
  const said = starts.map((start, at) => bareWords(text.slice(calls[at - 1]?.to ?? 0, start)));
  return said.filter(Boolean).join('\n\n');
}

/** Marks that open and close calls, and results that a model makes up, are not part of the words. */
const CLOSING = /^(?:\s|<\/[\w-]+>|<[|｜/][^<>\n]{0,60}>|`{3}(?=\s|$)|[\]}])+/;
const OPENING = /(?:^|\s)(?:<[\w|｜/][^<>\n]{0,60}>|`{3}\w{0,12}|\[TOOL_CALLS\]){1,3}$/;
const NO_WORDS = /<[|｜]|<\w{0,20}(?:response|result|output)s?>|^\s*(?:Thought|Action|Observation):/im;

function bareWords(gap: string): string {
  let words = (gap.replace(CLOSING, '').split(NO_WORDS)[0] ?? '').trim();
  while (OPENING.test(words)) words = words.replace(OPENING, '').trimEnd();
  return words;
}

/** All calls in `text`, in the first form that occurs. */
export function callsInText(
  text: string,
  isCall = ({ name }: TextCall) => isToolName(name),
): readonly PlacedCall[] {
  for (const form of [taggedCalls, namedJson, namedXml, tagsOfTools, pythonCalls, jsonBlocks]) {
    const calls = form(text).filter(isCall);
    if (calls.length > 0) return calls.slice(0, CALLS_MAX);
  }
  return [];
}

const TAGGED =
  /(?:<(tool_call|function_call|tool|tool_use)>|<\|(?:tool_call|python_tag)\|>|\[TOOL_CALLS\])\s*([\s\S]*?)(?=<\/\1>|<\|\w+\|>|<tool_call>|\[TOOL_CALLS\]|$)/g;

/** `<tool_call>{…}</tool_call>` and similar; the name may come before pairs of keys and values. */
function taggedCalls(text: string): PlacedCall[] {
  return [...text.matchAll(TAGGED)].flatMap((match) => {
    const piece = match[2] ?? '';
    const json = callsOfJson(piece);
    const name = /^\s*([\w.]+)\s*<arg_key>/.exec(piece)?.[1];
    if (json.length > 0 || name === undefined) return placedAt(match, json);
    const pairs = piece.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g);
    return placedAt(match, [{ name, arguments: valuesOf(pairs) }]);
  });
}

function placedAt(
  { 0: { length }, index: from }: { readonly 0: string; readonly index: number },
  calls: readonly TextCall[],
): PlacedCall[] {
  return calls.map((call) => ({ ...call, from, to: from + length }));
}

/** A name, then its arguments as JSON. */
const NAMED_JSON = [
  /\bto=([\w.]+)[^{]*?<\|message\|>\s*(?=\{)/g,
  /\[TOOL_CALLS\]\s*(\w+)\s*(?:\[ARGS\])?\s*(?=\{)/g,
  /<\|tool_call_begin\|>\s*([\w.]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/g,
  /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*([\w.]+)\s*(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*(?=\{)/g,
  /^\s*Action:\s*`?([\w.]+)`?\s*\n\s*Action Input:\s*(?=\{)/gm,
  /<function(?:=| name=)["']?([\w.]+)["']?>\s*(?=\{)/g,
  /<function-name>([\w.]+)<\/function-name>\s*<arguments>\s*(?=\{)/g,
];

function namedJson(text: string): PlacedCall[] {
  return NAMED_JSON.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: head, 1: name = '', index: from }) => {
      const rest = text.slice(from + head.length);
      const given = rest.slice(0, scanObject(rest).end ?? rest.length);
      const to = from + head.length + given.length;
      return { name, arguments: lenientObject(given), from, to };
    }),
  );
}

const INVOKE =
  /<(?:invoke|function|tool)(?:=| name=)["']?([\w.]+)["']?>([\s\S]*?)(?=<\/(?:invoke|function|tool)>|<(?:invoke|function)[= ]|$)/g;
const PARAMETER =
  /<parameter(?:=| name=)["']?(\w+)["']?[^>]*>([\s\S]*?)(?=<\/parameter>|<parameter[= ]|<\/function>|$)/g;

function namedXml(text: string): PlacedCall[] {
  return [...text.matchAll(INVOKE)].flatMap((match) => {
    const [, name = '', body = ''] = match;
    return placedAt(match, [{ name, arguments: valuesOf(body.matchAll(PARAMETER)) }]);
  });
}

/** The tag names the tool; the tags inside are its arguments. */
function tagsOfTools(text: string): PlacedCall[] {
  const tags = /^\s*<(\w+)>\s*(<\w+>[\s\S]*?)(?:^\s*<\/\1>|<\/\1>\s*$|$(?![\s\S]))/gm;
  return [...text.matchAll(tags)].flatMap((match) => {
    const [, name = '', body = ''] = match;
    return placedAt(match, [{ name, arguments: valuesOf(body.matchAll(/<(\w+)>([\s\S]*?)<\/\1>/g)) }]);
  });
}

const PYTHON_VALUE =
  /(\w+)\s*=\s*("""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\d+|True|False|None|\[[\s\S]*\])/g;

function pythonCalls(text: string): PlacedCall[] {
  const fence = /```tool_code\s*\n([\s\S]*?)\n?```/.exec(text);
  const code = fence?.[1] ?? (/^\s*\[?\w+\([\s\S]*\)\]?\s*$/.test(text) ? text : '');
  const found = [
    ...code.matchAll(
      /(?:^|[[\s,(])(\w+)\(((?:"""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^)"'])*)\)/g,
    ),
  ].map(([, name = '', given = '']) => ({
    name,
    arguments: lenientObject(
      `{${[...given.matchAll(PYTHON_VALUE)].map(([, key = '', value = '']) => `"${key}": ${pythonText(value)}`).join(', ')}}`,
    ),
  }));
  return placedAt(fence ?? { 0: text, index: 0 }, found);
}

const pythonText = (value: string): string =>
  value.startsWith('"""') ? JSON.stringify(value.slice(3, -3)) : value;

function jsonBlocks(text: string): PlacedCall[] {
  const fenced = [...text.matchAll(/```(?:json|tool_code|tool_call)?\s*\n([[{][\s\S]*?[\]}])\s*\n?```/g)];
  if (fenced.length > 0) return fenced.flatMap((match) => placedAt(match, callsOfJson(match[1] ?? '')));
  if (/^\s*\[/.test(text)) return placedAt({ 0: text, index: 0 }, callsOfJson(text));
  return objectsAtEnd(text).flatMap((object) => placedAt(object, callsOfJson(object[0])));
}

/** The objects at the end of the text, each on its own lines: an object followed by words is an example. */
function objectsAtEnd(text: string) {
  const found: { 0: string; index: number }[] = [];
  const starts = /^[ \t]*(?=\{)/gm;
  let end = 0;
  for (let start = starts.exec(text); start !== null; start = starts.exec(text)) {
    if (hasWords(text.slice(end, start.index))) found.length = 0;
    const index = start.index + start[0].length;
    end = index + (scanObject(text.slice(index)).end ?? text.length - index);
    if (found.length < CALLS_MAX) found.push({ 0: text.slice(index, end), index });
    starts.lastIndex = end;
  }
  return hasWords(text.slice(end)) ? [] : found;
}

/** Commas and a model's own marks between calls are not words. */
const hasWords = (text: string): boolean => /[^\s,;]/.test(text.replace(/<[\w|/｜]{1,40}>|`{3}/g, ''));

function callsOfJson(written: string): TextCall[] {
  const list = written.trim().startsWith('[') ? lenientObject(`{"list":${written}}`)?.list : null;
  const values: unknown[] = Array.isArray(list) ? list : [lenientObject(written)];
  return values.flatMap((value) => {
    if (!isRecord(value)) return [];
    const named = isRecord(value.function) ? value.function : value;
    const name = [named.name, named.tool, named.tool_name, named.function, named.action].find(
      (one) => typeof one === 'string',
    );
    if (typeof name !== 'string') return [];
    const given =
      named.arguments ?? named.args ?? named.parameters ?? named.input ?? named.params ?? named.action_input;
    // Edits alone, without their enclosing field.
    if (Array.isArray(given)) return [{ name, arguments: { edits: given } }];
    // Arguments beside the name.
    const { name: _, tool: __, type: ___, id: ____, ...beside } = named;
    const args = isRecord(given) ? given : typeof given === 'string' ? lenientObject(given) : beside;
    return [{ name, arguments: args }];
  });
}

/** Values as text, without the line ends around them; lists and objects as they are. */
function valuesOf(pairs: Iterable<RegExpMatchArray>): Arguments {
  return Object.fromEntries(
    [...pairs].map(([, key = '', written = '']) => {
      const value = written.replace(/^[ \t]*\n|\n[ \t]*$/g, '');
      const name = key.trim();
      const isText = !/^\s*[[{]/.test(value);
      return [name, isText ? (value.includes('\n') ? value : value.trim()) : parsed(value)];
    }),
  );
}

const parsed = (value: string): unknown => lenientObject(`{"value":${value}}`)?.value ?? value;
