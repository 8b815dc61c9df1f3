/** The bounds of the socket server. Each protects the leader from one client, by accident or by intent. */

export interface ServerLimits {
  /** A line in either direction, without its line feed. */
  readonly maxLineBytes: number;
  /** Connections at one time; one more gets an error and is closed. */
  readonly maxConnections: number;
  /** Answers that a client has not read; beyond it the client is dropped with a reason. */
  readonly maxUnsentBytes: number;
  /** How long a new connection may stay silent. */
  readonly firstByteTimeoutMs: number;
  /** How long a dropped client has to read why. */
  readonly dropGraceMs: number;
}
