/** What an AI CLI that works can do with a prompt. */

/** Whether it has a key that holds the prompt until it is done, and another that breaks in with it. */
export function holdsApart(cli: string): boolean {
  return cli === 'codex';
}
