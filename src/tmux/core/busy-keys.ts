/** The keys that submit a prompt to a working AI CLI. The preview explains what each of them does. */

interface BusyKeys {
  /** Lets the current work end first; `Enter` if there is no such key. */
  readonly queue: 'Enter' | 'Tab' | 'M-Enter';
  /** Keys that send it at once; null if the program has none. */
  readonly steer: readonly string[] | null;
  /** The steering keys act on a prompt that is already waiting: Enter comes first. */
  readonly steersQueued?: boolean;
}

const ENTER: BusyKeys = { queue: 'Enter', steer: null };

const KEYS: Readonly<Record<string, BusyKeys>> = {
  // Enter discards the answer written so far.
  codex: { queue: 'Tab', steer: ['Enter'] },
  // Enter adds the prompt with the next tool result.
  pi: { queue: 'M-Enter', steer: ['Enter'] },
  // Enter waits for the next tool result; the two keys end the answer at once. Older versions lack them.
  claude: { queue: 'Enter', steer: ['C-x', 'C-s'], steersQueued: true },
};

/** The keys for a prompt while this AI CLI works. */
export const busyKeys = (cli: string): BusyKeys => KEYS[cli] ?? ENTER;
