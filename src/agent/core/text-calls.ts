/**
 * Tool calls that a model wrote into its words, because its server does not know the form in which it was trained to
 * call: JSON in tags or fences, names beside JSON, XML of several kinds, Python. Pure; finds nothing in ordinary prose.
 */
import { isRecord } from '../../lib/is-record.ts';
import { type Arguments, isToolName, lenientObject, scanObject } from './tool-call.ts';

/** A call as it was written. */
export interface TextCall {
  readonly name: string;
  readonly arguments: Arguments | null;
}

/** Calls that are read out of one answer's words. */
const CALLS_MAX = 16;

/** Without what a model thinks aloud before it answers. The tag that opens it may stand in the prompt. */
export function withoutThoughts(text: string): string {
  const closed = text.replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)>\s*/i, '');
  return closed.replace(/^\s*<(?:think|thinking|thought|reasoning)>[\s\S]*$/i, '');
}

/** What is said before the first call. */
export const wordsBefore = (text: string): string =>
  (text.split(/<[\w|｜]|\[TOOL_CALLS|```|[[{]|^\s*(?:Thought|Action):/m)[0] ?? '').trim();

/** All calls in `text`, in the first form in which there are some. */
export function callsInText(text: string): readonly TextCall[] {
  for (const form of [taggedCalls, namedJson, namedXml, tagsOfTools, pythonCalls, jsonBlocks]) {
    const calls = form(text).filter(({ name }) => isToolName(name));
    if (calls.length > 0) return calls.slice(0, CALLS_MAX);
  }
  return [];
}

const TAGGED =
  /(?:<(tool_call|function_call|tool|tool_use)>|<\|(?:tool_call|python_tag)\|>|\[TOOL_CALLS\])\s*([\s\S]*?)(?=<\/\1>|<\|\w+\|>|<tool_call>|\[TOOL_CALLS\]|$)/g;

/** `<tool_call>{…}</tool_call>` and its like; the name may stand before pairs of keys and values. */
function taggedCalls(text: string): TextCall[] {
  return [...text.matchAll(TAGGED)].flatMap((match) => {
    const piece = match[2] ?? '';
    const json = callsOfJson(piece);
    const name = /^\s*([\w.]+)\s*<arg_key>/.exec(piece)?.[1];
    if (json.length > 0 || name === undefined) return json;
    const pairs = piece.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g);
    return [{ name, arguments: valuesOf(pairs) }];
  });
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

function namedJson(text: string): TextCall[] {
  return NAMED_JSON.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: head, 1: name = '', index }) => {
      const rest = text.slice(index + head.length);
      return { name, arguments: lenientObject(rest.slice(0, scanObject(rest).end ?? rest.length)) };
    }),
  );
}

const INVOKE =
  /<(?:invoke|function|tool)(?:=| name=)["']?([\w.]+)["']?>([\s\S]*?)(?=<\/(?:invoke|function|tool)>|<(?:invoke|function)[= ]|$)/g;
const PARAMETER =
  /<parameter(?:=| name=)["']?(\w+)["']?[^>]*>([\s\S]*?)(?=<\/parameter>|<parameter[= ]|<\/function>|$)/g;

function namedXml(text: string): TextCall[] {
  return [...text.matchAll(INVOKE)].map(([, name = '', body = '']) => ({
    name,
    arguments: valuesOf(body.matchAll(PARAMETER)),
  }));
}

/** The tag names the tool; the tags inside are its arguments. */
function tagsOfTools(text: string): TextCall[] {
  return [...text.matchAll(/^\s*<(\w+)>\s*(<\w+>[\s\S]*?)(?:^\s*<\/\1>|<\/\1>\s*$|$(?![\s\S]))/gm)].map(
    ([, name = '', body = '']) => ({ name, arguments: valuesOf(body.matchAll(/<(\w+)>([\s\S]*?)<\/\1>/g)) }),
  );
}

const PYTHON_VALUE =
  /(\w+)\s*=\s*("""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\d+|True|False|None|\[[\s\S]*\])/g;

function pythonCalls(text: string): TextCall[] {
  const inFence = /```tool_code\s*\n([\s\S]*?)\n?```/.exec(text)?.[1];
  const code = inFence ?? (/^\s*\[?\w+\([\s\S]*\)\]?\s*$/.test(text) ? text : '');
  return [
    ...code.matchAll(
      /(?:^|[[\s,(])(\w+)\(((?:"""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^)"'])*)\)/g,
    ),
  ].map(([, name = '', given = '']) => ({
    name,
    arguments: lenientObject(
      `{${[...given.matchAll(PYTHON_VALUE)].map(([, key = '', value = '']) => `"${key}": ${pythonText(value)}`).join(', ')}}`,
    ),
  }));
}

const pythonText = (value: string): string =>
  value.startsWith('"""') ? JSON.stringify(value.slice(3, -3)) : value;

function jsonBlocks(text: string): TextCall[] {
  const fenced = [...text.matchAll(/```(?:json|tool_code|tool_call)?\s*\n([[{][\s\S]*?[\]}])\s*\n?```/g)];
  if (fenced.length > 0) return fenced.flatMap(([, piece = '']) => callsOfJson(piece));
  return /^\s*[[{]/.test(text) ? callsOfJson(text) : [];
}

/** One call, or a list of them. */
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
    const args = isRecord(given) ? given : typeof given === 'string' ? lenientObject(given) : {};
    return [{ name, arguments: args }];
  });
}

/** Values as text, without the line ends that only set them off; lists and objects as such. */
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
