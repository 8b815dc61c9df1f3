/** Which test holds which report about shell plugins; `field-reports.test.ts` checks that each is there. */

interface FieldReport {
  readonly what: string;
  /** Where people told of it. */
  readonly from?: string;
  readonly file: string;
  /** The title of the test. */
  readonly test: string;
}

const OPTIONS = 'test/e2e/shell/harmless/options.test.ts';
const PROCESSES = 'test/e2e/shell/harmless/processes.test.ts';
const KEYS = 'test/e2e/shell/harmless/keys.test.ts';
const ROW = 'test/e2e/shell/harmless/row.test.ts';
const PLUGINS = 'test/e2e/shell/harmless/plugins.test.ts';
const TRANSITIONS = 'test/e2e/shell/transitions.test.ts';
const TROUBLE = 'test/e2e/shell/daemon-trouble.test.ts';
const HERE = 'test/e2e/shell/field-reports.test.ts';
const SOCKET = 'test/e2e/completion/socket.test.ts';
const SOCKET_SOURCES = 'test/e2e/completion/socket-sources.test.ts';
const ENDURANCE = 'test/full/shell-endurance.test.ts';
const TYPO = 'src/completion/core/typo.test.ts';
const WORDS = 'src/completion/core/words.test.ts';
const CTRL_C = 'gives a fresh prompt at each of 100 Ctrl-C, leaves no row and leaks no descriptor';
const LONG_LIFE = 'ten thousand requests and a hundred Ctrl-C leave nothing open';
const STDERR = 'leaves options, REPLY, traps of children and stderr as they were';
const AS_IT_IS = 'goes out and comes back as it is: tabs, newlines at its end, blanks in quotes';
const LOADS = 'loads in few milliseconds and twice without harm';
const BYTES = 'works in a buffer of several lines and with letters of several bytes';
const NO_PROCESS = 'starts none while typing';

/** What the first client of the contract does wrong. */
export const FIRST_CLIENT_DEFECTS: readonly FieldReport[] = [
  { what: 'the cursor goes out in characters', file: ROW, test: BYTES },
  {
    what: 'the cursor comes in in bytes and is taken for characters',
    file: ROW,
    test: 'places the cursor where a candidate says, counted in bytes',
  },
  { what: 'the cursor is counted before the text is changed', file: SOCKET, test: 'counts bytes' },
  { what: 'blanks in quotes are collapsed', file: HERE, test: AS_IT_IS },
  { what: 'newlines at the end of the line are lost', file: HERE, test: AS_IT_IS },
  { what: 'a descriptor is leaked at each Ctrl-C', file: OPTIONS, test: CTRL_C },
  {
    what: 'the row stays after Ctrl-C',
    file: TRANSITIONS,
    test: 'ANY → IDLE by Ctrl-C: nothing of the row stays, the status is 130',
  },
  { what: 'highlights pile up', file: ENDURANCE, test: LONG_LIFE },
  {
    what: 'ESC no longer leaves insert mode',
    file: KEYS,
    test: 'vi mode: ESC goes to command mode at once and takes the row away',
  },
  {
    what: 'TAB forgets what it did before',
    file: KEYS,
    test: 'TAB calls the widget that was bound before, whether it came before or after us',
  },
  {
    what: 'the newest line of the history is guessed',
    file: TRANSITIONS,
    test: 'history by Ctrl-P is noticed as well',
  },
  {
    what: 'wide text wraps',
    file: ROW,
    test: 'is cut to the width, wide letters and all, and drops the hint first',
  },
  {
    what: 'control characters of a candidate reach the screen',
    file: TROUBLE,
    test: 'an escape sequence',
  },
  {
    what: 'half an answer freezes the editor',
    file: TROUBLE,
    test: 'half an answer does not hold the editor up',
  },
  { what: 'loading waits for the daemon', file: PROCESSES, test: LOADS },
  {
    what: 'a socket of another user is trusted',
    file: HERE,
    test: 'a socket of another user gets no letter',
  },
  {
    what: 'the line goes to a model as it is',
    file: 'test/e2e/completion/model.test.ts',
    test: 'is told no secret: not of the history, not of the line, not of the folder',
  },
  { what: 'stderr is lost', file: OPTIONS, test: STDERR },
];

/** What people reported of other plugins. */
export const FIELD_REPORTS: readonly FieldReport[] = [
  {
    what: 'what another plugin displays is accepted',
    from: 'zsh-users/zsh-autosuggestions#661',
    file: PLUGINS,
    test: 'zsh-autosuggestions after',
  },
  {
    what: 'a suggestion stays after Ctrl-C',
    from: 'sorin-ionescu/prezto#1093',
    file: OPTIONS,
    test: CTRL_C,
  },
  {
    what: 'a suggestion stays after Enter when a theme redraws',
    from: 'zsh-users/zsh-autosuggestions#525',
    file: HERE,
    test: 'is gone after Enter even when a theme draws the prompt anew in its own hook',
  },
  {
    what: 'a handler fires for a descriptor that was closed',
    from: 'zsh-users/zsh-autosuggestions#753',
    file: HERE,
    test: 'a ready descriptor that is not ours is let go, and closing twice closes nothing of others',
  },
  {
    what: 'an unrelated descriptor is closed',
    from: 'zsh-users/zsh-autosuggestions#630',
    file: HERE,
    test: 'a ready descriptor that is not ours is let go, and closing twice closes nothing of others',
  },
  {
    what: 'a pipe is leaked each time',
    from: 'marlonrichert/zsh-autocomplete#869',
    file: ENDURANCE,
    test: LONG_LIFE,
  },
  {
    what: 'stderr is gone after a while',
    from: 'marlonrichert/zsh-autocomplete#848',
    file: ENDURANCE,
    test: LONG_LIFE,
  },
  {
    what: 'closing fails and the terminal is unusable',
    from: 'Giammarco-Ferranti/deja#47',
    file: HERE,
    test: 'a ready descriptor that is not ours is let go, and closing twice closes nothing of others',
  },
  {
    what: 'Ctrl-C is dead after a request',
    from: 'zsh-users/zsh-autosuggestions#364',
    file: OPTIONS,
    test: CTRL_C,
  },
  { what: 'Ctrl-C is swallowed', from: 'marlonrichert/zsh-autocomplete#908', file: OPTIONS, test: CTRL_C },
  {
    what: 'a paste takes seconds',
    from: 'zsh-users/zsh-autosuggestions#141',
    file: ROW,
    test: 'a paste is one request',
  },
  {
    what: 'a setting is misread, and nothing is suggested',
    from: 'zsh-users/zsh-autosuggestions#322',
    file: PROCESSES,
    test: 'asks on an empty line when no letter is required',
  },
  {
    what: 'a long paste stalls the redraw',
    from: 'zsh-users/zsh-syntax-highlighting#513',
    file: HERE,
    test: 'of many thousand letters, pasted, is not work for us',
  },
  {
    what: 'colours of another plugin vanish',
    from: 'zsh-users/zsh-syntax-highlighting#756',
    file: PLUGINS,
    test: 'zsh-syntax-highlighting after',
  },
  { what: 'a colour sticks', from: 'zsh-users/zsh-autosuggestions#698', file: ENDURANCE, test: LONG_LIFE },
  {
    what: 'a stale end is shown behind another line',
    from: 'zsh-users/zsh-autosuggestions#541',
    file: HERE,
    test: 'goes when a widget writes another line',
  },
  {
    what: 'newlines and carriage returns double the text',
    from: 'zsh-users/zsh-autosuggestions#333',
    file: HERE,
    test: AS_IT_IS,
  },
  {
    what: 'ESC in vi mode: the suggestion comes back',
    from: 'zsh-users/zsh-autosuggestions#562',
    file: KEYS,
    test: 'vi mode: ESC goes to command mode at once and takes the row away',
  },
  {
    what: 'each key after ESC makes ESC slower',
    from: 'jeffreytse/zsh-vi-mode#111',
    file: KEYS,
    test: 'vi mode without escape sequences stays without them',
  },
  {
    what: 'loading twice wraps for ever',
    from: 'aws/amazon-q-developer-cli#2010',
    file: PROCESSES,
    test: LOADS,
  },
  {
    what: 'numbers leak into a suggestion',
    from: 'aws/amazon-q-developer-cli#445',
    file: 'src/completion/core/model-prompt.test.ts',
    test: 'always extends the typed line, or offers nothing',
  },
  { what: 'every prompt lags', from: 'aws/amazon-q-developer-cli#844', file: PROCESSES, test: LOADS },
  {
    what: 'an unknown name wakes the package manager',
    from: 'marlonrichert/zsh-autocomplete#416',
    file: HERE,
    test: 'with an unknown name wakes no handler of unknown names',
  },
  {
    what: 'a process for each key',
    from: 'marlonrichert/zsh-autocomplete#548',
    file: PROCESSES,
    test: NO_PROCESS,
  },
  {
    what: 'a long history takes a second a key',
    from: 'zsh-users/zsh-autosuggestions#164',
    file: SOCKET_SOURCES,
    test: 'may have a million lines: answers come from the first moment on',
  },
  { what: 'bytes are taken for characters', from: 'kislyuk/argcomplete#228', file: ROW, test: BYTES },
  {
    what: 'signs that the locale has not',
    from: 'starship/starship#5963',
    file: ROW,
    test: 'speaks ASCII where the locale is not UTF-8',
  },
  {
    what: 'lines that begin with a blank',
    from: 'dvorka/hstr#447',
    file: KEYS,
    test: 'a line that begins with a blank is never sent',
  },
  {
    what: 'passwords come back as suggestions',
    from: 'zsh-users/zsh-autosuggestions#491',
    file: 'src/completion/core/rank.test.ts',
    test: 'learns no private line and no secret',
  },
  {
    what: 'a resize leaves a double',
    from: 'fish-shell/fish-shell#2320',
    file: ROW,
    test: 'leaves nothing after a resize or a clear-screen',
  },
  {
    what: 'it works for the first command only',
    from: 'microsoft/inshellisense#366',
    file: HERE,
    test: 'comes for the second command too, whatever a theme does to the hooks',
  },
  {
    what: 'a line is taken for an option',
    from: 'atuinsh/atuin#1479',
    file: HERE,
    test: 'that looks like an option is not an option',
  },
  {
    what: 'one surface knows the folder, the other does not',
    from: 'atuinsh/atuin#1618',
    file: WORDS,
    test: 'prefers recent lines, lines of the folder, and the usual next line',
  },
  {
    what: 'a handler that is not let go is called again',
    from: 'mafredri/zsh-async#64',
    file: OPTIONS,
    test: 'children do not inherit the connection',
  },
  {
    what: 'a correction takes seconds and misses',
    from: 'nvbn/thefuck#1403',
    file: TYPO,
    test: 'prefers frequently used words',
  },
];
