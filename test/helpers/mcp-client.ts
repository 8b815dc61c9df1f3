/** The MCP library's own client against our server, over stdio and HTTP, in the older and the current protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { COPANE } from './product.ts';
import type { Json } from './suggestion-server.ts';

export type Era = 'legacy' | 'modern';

export interface ToolResult {
  readonly isError: boolean;
  readonly body: Json;
  /** What current clients show to the model. */
  readonly text: string;
}

export interface McpPlace {
  readonly home: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly era?: Era;
  readonly name?: string;
}

export class TestMcp {
  readonly client: Client;
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;

  private constructor(client: Client, transport: StdioClientTransport | StreamableHTTPClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  /** `copane mcp`, started as an AI CLI does it. */
  static async stdio({ home, cwd, args = [], era = 'legacy', name = 'Test AI' }: McpPlace): Promise<TestMcp> {
    const { PATH = '' } = process.env;
    const transport = new StdioClientTransport({
      command: COPANE,
      args: ['mcp', ...args],
      env: { PATH, HOME: home },
      cwd,
    });
    return TestMcp.#connect(transport, era, name);
  }

  static async http(url: string, token: string | null, era: Era = 'legacy'): Promise<TestMcp> {
    const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    return TestMcp.#connect(transport, era, 'Test AI');
  }

  static async #connect(
    transport: StdioClientTransport | StreamableHTTPClientTransport,
    era: Era,
    name: string,
  ): Promise<TestMcp> {
    const client = new Client(
      { name, version: '1' },
      era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    await client.connect(transport);
    return new TestMcp(client, transport);
  }

  async call(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    onProgress?: (message: string) => void,
  ): Promise<ToolResult> {
    const result = await this.client.callTool(
      { name, arguments: { ...args } },
      onProgress === undefined ? {} : { onprogress: ({ message = '' }) => onProgress(message) },
    );
    const [content] = result.content as { type: string; text: string }[];
    const text = content?.text ?? '';
    // An error is plain text; a tool's own error is JSON.
    const body = result.structuredContent ?? (text.startsWith('{') ? JSON.parse(text) : undefined);
    return { isError: result.isError === true, body, text };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
