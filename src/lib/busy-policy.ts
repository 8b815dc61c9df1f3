/** What an AI CLI can do with a prompt while it works. */

/** Whether it hides its input box while it works, and so takes no input. */
export const takesNothing = (cli: string): boolean => cli === 'aider';

/** Whether it has one key that queues the prompt until it is done, and another that interrupts with it. */
export const holdsApart = (cli: string): boolean => cli === 'codex';
