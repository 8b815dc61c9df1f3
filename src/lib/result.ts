/** Expected failures as values: a code for programs, a sentence for people, a next step. An exception is a bug. */

/** What went wrong, by kind; each maps to one exit code (`exitCodeOf`) and one HTTP status. */
export type FailureCode =
  /** Bad input: usage, an unreadable file, a value of the wrong type. */
  | 'invalid'
  /** Refused or in conflict; nothing was written. */
  | 'refused'
  /** A limit was reached; the same request may succeed later. Nothing was written. */
  | 'limit'
  /** A pane, marker, transcript or id that does not exist. */
  | 'not_found'
  /** The text is in the AI CLI's composer; Enter had no effect. */
  | 'staged'
  /** The text was sent, but its arrival is not confirmed. */
  | 'unconfirmed'
  /** A defect, or a failure of the environment (disk full, tmux died). */
  | 'internal';

/** A failure that a person can resolve. `message` says what happened, `hint` what to do next. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
}

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** Makes a failed result; `hint` is the next step for the reader. */
export function fail(
  code: FailureCode,
  message: string,
  hint?: string,
): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: hint === undefined ? { code, message } : { code, message, hint } };
}

/** All values, or the first failure. */
export function allOk<T>(results: readonly Result<T>[]): Result<T[]> {
  const values: T[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
}

const EXIT_CODES: Readonly<Record<FailureCode, number>> = {
  internal: 1,
  invalid: 2,
  refused: 3,
  limit: 3,
  not_found: 4,
  staged: 5,
  unconfirmed: 6,
};

/** A failure's exit code: 1 internal, 2 usage, 3 refused or at a limit, 4 not found, 5 staged, 6 unconfirmed. */
export const exitCodeOf = (failure: Failure): number => EXIT_CODES[failure.code];

/** The message as a complete sentence, the form for every reader outside this process. */
export const sentence = (message: string): string =>
  message.replace(CLAUSE, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/**
 * For stderr: the sentence, then the next step. A line end in the sentence is of a file's name or of a program's output:
 * what follows is marked, or it could pass for a line of ours.
 */
export const formatFailure = ({ message, hint }: Failure): string => {
  const said = sentence(message).replaceAll('\n', '\n  | ');
  return hint === undefined ? said : `${said}\n  ${hint}`;
};

/** The beginning of a message that other messages may continue. A message that begins with a name is not changed. */
const CLAUSE =
  /^(?:an?|another|cannot|changes|every|give|its?|line|more|no|nobody|not|nothing|only|pane|several|stopped|that|the|there|these|they|this|those|three|too|two)(?=\s)/;

/** Ends an exhaustive `switch`: a missing case is an error at compile time and at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

/** The message of any thrown value; for a file system error, without its code and system call. */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [, what, files] = SYSTEM_MESSAGE.exec(thrown.message) ?? [];
  if (what === undefined) return thrown.message;
  return files === undefined ? what : `${what}: ${files.split("' -> '").join(' → ')}`;
}

/** The form that Node uses: `ENOENT: no such file or directory, open '/a'`. */
const SYSTEM_MESSAGE = /^E[A-Z0-9]+: ([^,]+), [a-z]+(?: '(.+)')?$/;

/** The message with a full stop, unless it already ends in punctuation. */
export const withStop = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`);
