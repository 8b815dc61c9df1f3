/**
 * File maps in pi: a whole-file read that was cut is followed by the outline of the file, as an entry of its own
 * that opens and closes with Ctrl+O. The model gets the map inside of that read's result: a message between the
 * results of parallel calls would break the request. Reads as pi reads; a map that cannot be made costs nothing.
 */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentMessage,
  createReadToolDefinition,
  type ExtensionAPI,
  type ExtensionContext,
  type ReadInput,
} from '@mariozechner/pi-coding-agent';
import { Box, Text } from '@mariozechner/pi-tui';

const FILE_MAP = 'file-map';
const MAP_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** A map may take a quarter of the room that is left; code has about three bytes a token. */
const BYTES_PER_TOKEN = 3;
const MAX_CONTEXT_SHARE = 0.25;
const MAX_MAP_BYTES = 100 * 1024;

interface Details {
  readonly filePath: string;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly symbolCount: number;
  readonly language: string;
  /** The read that this is the map to. */
  readonly toolCallId: string;
}

interface MadeMap {
  readonly text: string;
  readonly collapsed: string;
  readonly details: Omit<Details, 'toolCallId'>;
}

export default function fileMap(pi: ExtensionAPI): void {
  /** Maps on their way, by the call that they belong to; an entry goes when its call ends, however it ends. */
  const pendingMaps = new Map<string, Promise<MadeMap | null>>();

  const own = createReadToolDefinition(process.cwd());
  pi.registerTool({
    ...own,
    async execute(toolCallId: string, params: ReadInput, signal, onUpdate, context) {
      const result = await createReadToolDefinition(context.cwd).execute(
        toolCallId,
        params,
        signal,
        onUpdate,
        context,
      );
      const isWhole = params.offset === undefined && params.limit === undefined;
      if (isWhole && result.details?.truncation?.truncated) {
        pendingMaps.set(toolCallId, makeMap(path.resolve(context.cwd, params.path), context));
      }
      return result;
    },
  });

  pi.on('tool_result', async ({ toolCallId, isError }) => {
    const pending = pendingMaps.get(toolCallId);
    pendingMaps.delete(toolCallId);
    const map = isError ? null : await pending;
    if (!map) return;
    const details: Details = { ...map.details, toolCallId };
    pi.sendMessage(
      { customType: FILE_MAP, content: map.text, display: true, details },
      { deliverAs: 'steer' },
    );
  });
  pi.on('agent_end', () => pendingMaps.clear());
  pi.on('session_shutdown', () => pendingMaps.clear());

  pi.on('context', ({ messages }) => ({ messages: withMapsInResults(messages) }));

  pi.registerMessageRenderer<Details>(FILE_MAP, ({ content, details }, { expanded }, theme) => {
    const box = new Box(1, 0, (text) => theme.bg('customMessageBg', text));
    const head = theme.fg('accent', collapsedLine(details));
    box.addChild(new Text(expanded ? `${head}\n${content}` : `${head}${theme.fg('dim', ' │ Ctrl+O')}`, 0, 0));
    return box;
  });
}

/**
 * What the model is sent: each map as a second text block of the result that it belongs to. A map whose result is
 * no longer part of the conversation has lost its meaning and is left out.
 */
export function withMapsInResults(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const maps = new Map<string, string>();
  for (const message of messages) {
    if (message.customType === FILE_MAP)
      maps.set((message.details as Details).toolCallId, String(message.content));
  }
  if (maps.size === 0) return messages;
  return messages
    .filter((message) => message.customType !== FILE_MAP)
    .map((message) => {
      const text = message.role === 'toolResult' ? maps.get(message.toolCallId ?? '') : undefined;
      if (text === undefined || !Array.isArray(message.content)) return message;
      return { ...message, content: [...message.content, { type: 'text', text }] };
    });
}

function collapsedLine({ filePath, symbolCount, totalLines, language }: Details): string {
  const count = (value: number, noun: string) =>
    `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;
  return `File Map: ${path.basename(filePath)} │ ${count(symbolCount, 'symbol')} │ ${count(totalLines, 'line')} │ ${language}`;
}

function makeMap(file: string, context: ExtensionContext): Promise<MadeMap | null> {
  const args = ['map', file, '--json', '--max-bytes', String(mapBudget(context))];
  return new Promise((resolve) => {
    execFile(
      copaneCommand(),
      args,
      { timeout: MAP_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout) => {
        if (error !== null) return resolve(null);
        try {
          resolve(JSON.parse(stdout) as MadeMap);
        } catch {
          // Cut off, or another program of that name: the read stands without a map.
          resolve(null);
        }
      },
    );
  });
}

function mapBudget(context: ExtensionContext): number {
  const usage = context.getContextUsage();
  if (usage === undefined) return MAX_MAP_BYTES;
  const leftTokens = Math.max(0, usage.contextWindow - (usage.tokens ?? 0));
  return Math.max(1, Math.min(MAX_MAP_BYTES, Math.floor(leftTokens * MAX_CONTEXT_SHARE * BYTES_PER_TOKEN)));
}

/** The program that this extension came with, wherever it is linked from. */
function copaneCommand(): string {
  const here = path.dirname(realpathSync(fileURLToPath(import.meta.url)));
  return process.env.COPANE_BIN ?? path.resolve(here, '../../bin/copane');
}
