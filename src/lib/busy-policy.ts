/** What an AI CLI can do with a prompt while it works. */

/** Whether it has one key that queues the prompt until it is done, and another that interrupts with it. */
export function holdsApart(cli: string): boolean {
  return cli === 'codex';
}
