/** Tracks the newest request of each shell session, which supersedes the older one. */

export class Sessions<Ticket> {
  readonly #newest = new Map<string, Ticket>();

  /** Makes `ticket` the newest of its session; returns the one that it supersedes, if that is still open. */
  begin(sessionId: string, ticket: Ticket): Ticket | null {
    if (sessionId === '') return null;
    const older = this.#newest.get(sessionId) ?? null;
    this.#newest.set(sessionId, ticket);
    return older;
  }

  /** Closes `ticket`, answered or not. */
  end(sessionId: string, ticket: Ticket): void {
    if (this.#newest.get(sessionId) === ticket) this.#newest.delete(sessionId);
  }
}
