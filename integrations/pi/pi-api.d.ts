/** What is used of pi, which brings these modules itself when it loads an extension. */
declare module '@mariozechner/pi-coding-agent' {
  export interface TextContent {
    readonly type: 'text';
    readonly text: string;
  }

  export interface ReadInput {
    readonly path: string;
    readonly offset?: number;
    readonly limit?: number;
  }

  export interface ReadResult {
    readonly content: readonly unknown[];
    readonly details?: { readonly truncation?: { readonly truncated: boolean } };
  }

  export interface ExtensionContext {
    readonly cwd: string;
    /** Tokens in use, null while unknown; undefined before a model is chosen. */
    getContextUsage(): { readonly tokens: number | null; readonly contextWindow: number } | undefined;
    /** The file is undefined for a session that is not kept. */
    readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
  }

  export interface ToolDefinition<Input, Output> {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: unknown;
    readonly promptSnippet?: string;
    readonly promptGuidelines?: readonly string[];
    execute(
      toolCallId: string,
      params: Input,
      signal: AbortSignal | undefined,
      onUpdate: unknown,
      context: ExtensionContext,
    ): Promise<Output>;
  }

  /** A message of the conversation, as the events show it. */
  export interface AgentMessage {
    readonly role: string;
    readonly customType?: string;
    readonly toolCallId?: string;
    readonly content: unknown;
    readonly details?: unknown;
  }

  export interface Theme {
    fg(color: string, text: string): string;
    bg(color: string, text: string): string;
  }

  export interface CustomMessage<Details> {
    readonly customType: string;
    readonly content: string;
    readonly display: boolean;
    readonly details: Details;
  }

  export interface ExtensionAPI {
    registerTool(tool: ToolDefinition<never, unknown>): void;
    registerMessageRenderer<Details>(
      customType: string,
      render: (
        message: CustomMessage<Details>,
        state: { readonly expanded: boolean },
        theme: Theme,
      ) => unknown,
    ): void;
    sendMessage<Details>(
      message: CustomMessage<Details>,
      options?: { readonly deliverAs?: 'steer' | 'followUp' | 'nextTurn' },
    ): void;
    on(
      event: 'tool_result',
      handler: (
        event: { readonly toolCallId: string; readonly isError: boolean },
        context: ExtensionContext,
      ) => unknown,
    ): void;
    on(
      event: 'session_start' | 'agent_end' | 'session_shutdown',
      handler: (event: object, context: ExtensionContext) => unknown,
    ): void;
    on(
      event: 'before_agent_start',
      handler: (event: { readonly prompt?: string }, context: ExtensionContext) => unknown,
    ): void;
    on(event: 'context', handler: (event: { readonly messages: readonly AgentMessage[] }) => unknown): void;
  }

  /** pi's own `read`, cut at 2,000 lines or 50 KB with one notice. */
  export function createReadToolDefinition(cwd: string): ToolDefinition<ReadInput, ReadResult>;
}

declare module '@mariozechner/pi-tui' {
  export class Text {
    constructor(text: string, paddingX: number, paddingY: number);
  }
  export class Box {
    constructor(paddingX: number, paddingY: number, paint: (text: string) => string);
    addChild(child: unknown): void;
  }
}
