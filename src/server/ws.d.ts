/** Types for the used part of ws, which has none of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket extends EventEmitter {
    static readonly OPEN: 1;
    constructor(url: string, options?: { readonly headers?: Readonly<Record<string, string>> });
    readonly readyState: number;
    readonly bufferedAmount: number;
    readonly isPaused: boolean;
    send(data: string | Uint8Array, done?: (error?: Error) => void): void;
    /** One fragment of a message. */
    send(data: string, options: { readonly fin: boolean }): void;
    ping(): void;
    pause(): void;
    resume(): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: {
      readonly noServer: true;
      readonly maxPayload: number;
      readonly perMessageDeflate: false;
      readonly allowSynchronousEvents: false;
      readonly clientTracking: false;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (socket: WebSocket) => void,
    ): void;
  }
}
