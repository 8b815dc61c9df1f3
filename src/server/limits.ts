/** The limits of the socket server. Each protects the leader from a faulty or hostile client. */

export interface ServerLimits {
  /** A line in either direction, without its line feed. */
  readonly maxLineBytes: number;
  /** Open connections; one more gets an error and is closed. */
  readonly maxConnections: number;
  /** Unread answers; beyond this the client is dropped with a reason. */
  readonly maxUnsentBytes: number;
  /** How long a new connection may stay silent. */
  readonly firstByteTimeoutMs: number;
  /** How long a dropped client has to read the reason. */
  readonly dropGraceMs: number;
}
