/** The keys that submit a prompt to an AI CLI while it works. The preview says in words what each of them does. */

interface BusyKeys {
  /** Lets the work end first; where there is no such key, `Enter`. */
  readonly queue: 'Enter' | 'Tab' | 'M-Enter';
  /** Presses that send it at once; null: its program has none. */
  readonly steer: readonly string[] | null;
  /** The steering presses are for a prompt that waits already: Enter comes first. */
  readonly steersQueued?: boolean;
}

const ENTER: BusyKeys = { queue: 'Enter', steer: null };

const KEYS: Readonly<Record<string, BusyKeys>> = {
  // Enter throws away what it has written so far.
  codex: { queue: 'Tab', steer: ['Enter'] },
  // Enter goes into its work with the next tool result.
  pi: { queue: 'M-Enter', steer: ['Enter'] },
  // Enter waits for the next tool result; the two keys end the answer where it is. Older versions do not have them.
  claude: { queue: 'Enter', steer: ['C-x', 'C-s'], steersQueued: true },
};

/** The keys for a prompt while this AI CLI works. */
export const busyKeys = (cli: string): BusyKeys => KEYS[cli] ?? ENTER;
