/** What the AI is asked to do to files, case by case, with each AI CLI's own tools. */
import { CLIENTS, type ClientName } from './client-catalog.ts';
import type { Script, ScriptedReply, ScriptedTool } from './scripted-model/script.ts';

/** One change of one file, independent of how a CLI makes it. */
type Act =
  | { readonly kind: 'edit'; readonly file: string; readonly old: string; readonly put: string }
  | { readonly kind: 'write'; readonly file: string; readonly content: string }
  | { readonly kind: 'delete' | 'read'; readonly file: string }
  | { readonly kind: 'move'; readonly file: string; readonly to: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'cell'; readonly file: string; readonly cell: string; readonly source: string }
  | { readonly kind: 'task'; readonly prompt: string };

export interface EditCase {
  readonly name: string;
  /** The case's initial files by name; a name that begins with `../` is outside the project. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of files that do not exist at first. */
  readonly fresh?: readonly string[];
  /** What you write into files after they were committed and before the turn. */
  readonly dirty?: Readonly<Record<string, string>>;
  /** Symbolic links that exist at first, each with its target. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folders of the project that are separate repositories. */
  readonly repositories?: readonly string[];
  /** Each list is one answer of the AI; the next follows when all of it is done. */
  readonly steps: readonly (readonly Act[])[];
  /** A line that a human adds to this file once the first step has changed it: before that line, or at the end. */
  readonly human?: {
    readonly file: string;
    readonly line: string;
    readonly before?: string;
    /** This long after the first step, ms. */
    readonly afterMs?: number;
  };
  /** A sub-agent's prompt and actions. */
  readonly subagent?: readonly (readonly Act[])[];
  /** AI CLIs that have it; default: all. */
  readonly only?: readonly ClientName[];
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');
const edit = (file: string, old: string, put: string): Act => ({ kind: 'edit', file, old, put });
const NOTEBOOK = `${JSON.stringify({
  cells: [
    { cell_type: 'code', execution_count: null, id: 'c1', metadata: {}, outputs: [], source: ['print(1)'] },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
})}\n`;
const LARGE = numbered(60_000);

/** Each has its own files, so that all can be requested in one session. */
export const EDIT_CASES: readonly EditCase[] = [
  { name: 'edit', files: { 'e.txt': numbered(20) }, steps: [[edit('e.txt', 'line 3\n', 'line THREE\n')]] },
  {
    name: 'several edits of one file',
    files: { 's.txt': numbered(20) },
    steps: [
      [edit('s.txt', 'line 3\n', 'line THREE\nmore\n')],
      [edit('s.txt', 'line 15\nline 16\n', 'line 15b\n')],
    ],
  },
  {
    name: 'new file',
    files: {},
    fresh: ['n.txt'],
    steps: [[{ kind: 'write', file: 'n.txt', content: 'hello\nworld\n' }]],
  },
  {
    name: 'file written over',
    files: { 'o.txt': numbered(9) },
    steps: [
      [{ kind: 'read', file: 'o.txt' }],
      [{ kind: 'write', file: 'o.txt', content: 'line 1\nTWO\nlast' }],
    ],
  },
  { name: 'delete', files: { 'd.txt': 'gone\n' }, steps: [[{ kind: 'delete', file: 'd.txt' }]] },
  {
    name: 'rename',
    files: { 'r.txt': numbered(5) },
    fresh: ['r2.txt'],
    steps: [[{ kind: 'move', file: 'r.txt', to: 'r2.txt' }]],
  },
  {
    name: 'two parallel edits',
    files: { 'p.txt': numbered(20) },
    steps: [[edit('p.txt', 'line 3\n', 'line THREE\n'), edit('p.txt', 'line 9\n', 'line NINE\n')]],
  },
  {
    name: 'edit by a command (sed -i)',
    files: { 'c.txt': numbered(9) },
    steps: [[{ kind: 'run', command: 'sed -i s/line.4/X/ c.txt' }]],
  },
  {
    name: 'formatter after the edit',
    files: { 'f.txt': numbered(9) },
    steps: [
      [edit('f.txt', 'line 4\n', 'line  FOUR\n')],
      [{ kind: 'run', command: 'sed -i "s/  / /g" f.txt' }],
    ],
  },
  {
    name: 'human edit during the turn',
    files: { 'h.txt': numbered(20) },
    steps: [[edit('h.txt', 'line 3\n', 'line THREE\n')], [edit('h.txt', 'line 9\n', 'line NINE\n')]],
    human: { file: 'h.txt', line: 'mine\n' },
  },
  {
    name: 'CRLF file',
    files: { 'crlf.txt': 'one\r\ntwo\r\nthree\r\n' },
    steps: [[edit('crlf.txt', 'two', 'TWO')]],
  },
  {
    name: 'byte order mark',
    files: { 'bom.txt': '\ufeffone\ntwo\nthree\n' },
    steps: [[edit('bom.txt', 'two', 'TWO')]],
  },
  {
    name: 'no last line end',
    files: { 'nonl.txt': 'one\ntwo\nthree' },
    steps: [[edit('nonl.txt', 'three', 'THREE')]],
  },
  {
    name: 'tabs',
    files: { 'tabs.txt': '\tone\n\t\ttwo\n\tthree\n' },
    steps: [[edit('tabs.txt', '\t\ttwo', '\t\tTWO')]],
  },
  {
    name: '60,000 lines',
    files: { 'large.txt': LARGE },
    steps: [[edit('large.txt', 'line 30000\n', 'line MIDDLE\n')]],
  },
  {
    name: 'file outside of the project',
    files: { '../outside.txt': 'one\ntwo\n' },
    steps: [[edit('../outside.txt', 'two\n', 'TWO\n')]],
  },
  {
    name: 'notebook',
    files: { 'nb.ipynb': NOTEBOOK },
    steps: [
      [{ kind: 'read', file: 'nb.ipynb' }],
      [{ kind: 'cell', file: 'nb.ipynb', cell: 'c1', source: 'print(2)' }],
    ],
    only: ['claude', 'claude-old'],
  },
  {
    name: 'sub-agent',
    files: { 'agent.txt': numbered(9) },
    steps: [[{ kind: 'task', prompt: 'Subagent job, please.' }]],
    subagent: [[edit('agent.txt', 'line 4\n', 'line FOUR\n')]],
    only: ['claude', 'claude-old', 'opencode'],
  },
];

/** A formatter that the AI CLI runs after its own edits. */
const HOOKED = 'hooked.txt';
const HOOK = JSON.stringify({
  hooks: {
    PostToolUse: [
      { matcher: 'Edit|Write', hooks: [{ type: 'command', command: `sed -i 's/  / /g' ${HOOKED}` }] },
    ],
  },
});

const run = (command: string): Act => ({ kind: 'run', command });

/** aider edits only the files in its chat. */
const NOT_AIDER: readonly ClientName[] = CLIENTS.map(({ name }) => name).filter((name) => name !== 'aider');

/** Cases that only snapshots reveal. With the text in `dirty`, the work of commands is the AI's alone. */
export const SEEN_CASES: readonly EditCase[] = [
  {
    name: 'binary file by a command',
    files: { 'bin.dat': 'a\0b\n' },
    steps: [[run("printf 'c\\000d\\n' > bin.dat")]],
  },
  { name: 'permission by a command', files: { 'mode.sh': 'true\n' }, steps: [[run('chmod +x mode.sh')]] },
  {
    name: 'new folder by a command',
    files: {},
    fresh: ['deep/er/x.txt', 'deep/y z.txt'],
    steps: [[run("mkdir -p deep/er && echo x > deep/er/x.txt && echo y > 'deep/y z.txt'")]],
  },
  {
    name: 'rename and edit by a command',
    files: { 'ren.txt': numbered(9) },
    fresh: ['ren2.txt'],
    steps: [[run('mv ren.txt ren2.txt && sed -i s/line.4/X/ ren2.txt')]],
  },
  {
    name: 'git commit by the AI',
    files: { 'gc.txt': numbered(9) },
    steps: [[run('sed -i s/line.4/X/ gc.txt && git add -A && git commit -qm work')]],
  },
  {
    name: 'git checkout by the AI',
    files: { 'co.txt': numbered(9) },
    dirty: { 'co.txt': numbered(12) },
    steps: [[run('git checkout -q -- co.txt')]],
  },
  {
    name: 'git stash and pop',
    files: { 'st.txt': numbered(9) },
    dirty: { 'st.txt': numbered(12) },
    steps: [[run('git stash -q && git stash pop -q && sed -i s/line.4/X/ st.txt')]],
  },
  {
    name: 'git reset --hard',
    files: { 'rs.txt': numbered(9) },
    dirty: { 'rs.txt': numbered(12) },
    steps: [[edit('rs.txt', 'line 4\n', 'line FOUR\n')], [run('git reset -q --hard')]],
  },
  {
    name: 'edit through a link',
    files: { 'linked.txt': numbered(9) },
    links: { 'link.txt': 'linked.txt' },
    steps: [[edit('link.txt', 'line 4\n', 'line FOUR\n')]],
  },
  {
    name: 'edit in a submodule',
    files: { 'sub/m.txt': numbered(9) },
    repositories: ['sub'],
    steps: [[edit('sub/m.txt', 'line 4\n', 'line FOUR\n')]],
  },
  {
    name: 'command in a submodule',
    files: { 'module/m.txt': numbered(9) },
    repositories: ['module'],
    steps: [[run('sed -i s/line.4/X/ module/m.txt')]],
  },
  {
    name: 'formatter of a hook',
    files: { [HOOKED]: numbered(9), '.claude/settings.json': HOOK },
    steps: [[edit(HOOKED, 'line 4\n', 'line  FOUR\n')]],
    only: ['claude', 'claude-old'],
  },
  {
    name: 'human edit beside that of the AI',
    files: { 'hh.txt': numbered(20) },
    steps: [[edit('hh.txt', 'line 3\n', 'line THREE\n')], [edit('hh.txt', 'line 9\n', 'line NINE\n')]],
    human: { file: 'hh.txt', line: 'mine\n', before: 'line 4\n' },
    only: NOT_AIDER,
  },
  {
    name: 'human edit long after that of the AI',
    files: { 'hl.txt': numbered(20) },
    steps: [[edit('hl.txt', 'line 3\n', 'line THREE\n')], [edit('hl.txt', 'line 9\n', 'line NINE\n')]],
    // It cannot have been an AI CLI's hook.
    human: { file: 'hl.txt', line: 'mine\n', before: 'line 4\n', afterMs: 5_000 },
    only: NOT_AIDER,
  },
];

export const REFUSED: EditCase = {
  name: 'edit refused',
  files: { 'no.txt': numbered(9) },
  steps: [[edit('no.txt', 'line 4\n', 'line FOUR\n')]],
};

export const INTERRUPTED: EditCase = {
  name: 'interrupted turn',
  files: { 'i.txt': numbered(9) },
  steps: [[edit('i.txt', 'line 4\n', 'line FOUR\n')]],
};
export const INTERRUPT_AT = 'Slowly I say';
export const INTERRUPTED_COMMAND: EditCase = {
  name: 'interrupted command',
  files: { 'ic.txt': numbered(9) },
  steps: [[run('sed -i s/line.4/X/ ic.txt; sleep 77')]],
};

export const RESUMED: EditCase = {
  name: 'session resumed',
  files: { 'again.txt': numbered(9) },
  steps: [[edit('again.txt', 'line 4\n', 'line FOUR\n')]],
};

export const REWOUND: EditCase = {
  name: 'rewind',
  files: { 'back.txt': numbered(9) },
  steps: [[edit('back.txt', 'line 4\n', 'line FOUR\n')]],
};
/** Says something and changes nothing. */
export const AFTER_REWIND: EditCase = { name: 'words alone', files: {}, steps: [] };

export const ALL_CASES: readonly EditCase[] = [
  ...EDIT_CASES,
  REFUSED,
  INTERRUPTED,
  INTERRUPTED_COMMAND,
  RESUMED,
  REWOUND,
];

/** The prompt by which the model recognizes the case. */
export function promptFor({ name }: EditCase): string {
  return `Do the case "${name}", please.`;
}

/** Codex and aider read no file before they overwrite it. */
export function stepsFor(name: ClientName, { steps }: EditCase): EditCase['steps'] {
  const isBare = name === 'codex' || name === 'aider';
  return isBare ? steps.filter((acts) => acts.some(({ kind }) => kind !== 'read')) : steps;
}

/** Pause between the first step and the next, for a human who edits at the same time. */
const HUMAN_PAUSE_MS = 4_000;
/** No model answers sooner: by then the companion has looked at what you wrote before you asked. */
const FIRST_PAUSE_MS = 1_500;

function pauseBefore({ human, dirty, steps }: EditCase, step: number): number {
  const isByCommand = steps[0]?.some(({ kind }) => /^(?:run|delete|move)$/.test(kind)) === true;
  if (step === 0) return dirty === undefined && !isByCommand ? 0 : FIRST_PAUSE_MS;
  return human === undefined ? 0 : HUMAN_PAUSE_MS + (human.afterMs ?? 0);
}

export function editScript(name: ClientName, project: string): Script {
  const reply = (acts: readonly Act[], firstDelayMs: number): ScriptedReply =>
    name === 'aider'
      ? { text: acts.map(block).join('\n'), firstDelayMs }
      : { text: 'Next.', tools: acts.flatMap((act) => toolsOf(name, act, project)), firstDelayMs };
  const turns = [...ALL_CASES, ...SEEN_CASES, AFTER_REWIND].map((one) => {
    const replies = stepsFor(name, one).map((acts, at) => reply(acts, pauseBefore(one, at)));
    const slow = { text: `${INTERRUPT_AT} it. `.repeat(200), chunkSize: 6, chunkDelayMs: 300 };
    const last: ScriptedReply = one === INTERRUPTED ? slow : { text: 'All done.' };
    return {
      when: promptFor(one),
      replies: name === 'aider' && replies.length > 0 ? replies : [...replies, last],
    };
  });
  const jobs = EDIT_CASES.flatMap((one) =>
    one.subagent === undefined
      ? []
      : [
          {
            when: 'Subagent job',
            replies: [...one.subagent.map((acts) => reply(acts, 0)), { text: 'The job is done.' }],
          },
        ],
  );
  // The job first: a client may repeat the whole conversation in its sub-agent's prompt.
  return { withoutTools: name === 'aider', turns: [...jobs, ...turns] };
}

/** aider has no tools: blocks to search and replace, and shell commands in fences. */
function block(act: Act): string {
  if (act.kind === 'run') return `\`\`\`bash\n${act.command}\n\`\`\`\n`;
  if (act.kind === 'delete') return `\`\`\`bash\nrm ${act.file}\n\`\`\`\n`;
  if (act.kind === 'move') return `\`\`\`bash\nmv ${act.file} ${act.to}\n\`\`\`\n`;
  const [file, old, put] =
    act.kind === 'edit'
      ? [act.file, act.old, act.put]
      : act.kind === 'write'
        ? [act.file, '', act.content]
        : ['', '', ''];
  if (file === '') return 'Nothing to do.\n';
  const lines = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return `${file}\n\`\`\`\n<<<<<<< SEARCH\n${lines(old)}=======\n${lines(put)}>>>>>>> REPLACE\n\`\`\`\n`;
}

function toolsOf(name: ClientName, act: Act, project: string): readonly ScriptedTool[] {
  const at = 'file' in act ? `${project}/${act.file}`.replace(/\/[^/]+\/\.\.\//, '/') : '';
  if (act.kind === 'delete' && name !== 'codex') return shell(name, `rm ${act.file}`);
  if (act.kind === 'move' && name !== 'codex') return shell(name, `mv ${act.file} ${act.to}`);
  if (act.kind === 'run') return shell(name, act.command);
  switch (name) {
    case 'claude':
    case 'claude-old':
      // Older versions refuse to change an unread file, newer ones outside the project.
      return act.kind === 'edit' && (name === 'claude-old' || act.file.startsWith('../'))
        ? [...claudeTools({ kind: 'read', file: act.file }, at), ...claudeTools(act, at)]
        : claudeTools(act, at);
    case 'codex':
      return codexTools(act, at);
    case 'gemini':
      return geminiTools(act, at);
    case 'opencode':
      return opencodeTools(act, at);
    default:
      return piTools(act, at);
  }
}

function shell(name: ClientName, command: string): readonly ScriptedTool[] {
  switch (name) {
    case 'codex':
      return [{ name: 'exec_command', input: { cmd: command } }];
    case 'gemini':
      return [{ name: 'run_shell_command', input: { command, description: 'Run it' } }];
    case 'claude':
    case 'claude-old':
      return [{ name: 'Bash', input: { command, description: 'Run it' } }];
    default:
      return [{ name: 'bash', input: { command, description: 'Run it' } }];
  }
}

function claudeTools(act: Act, file_path: string): readonly ScriptedTool[] {
  if (act.kind === 'edit')
    return [{ name: 'Edit', input: { file_path, old_string: act.old, new_string: act.put } }];
  if (act.kind === 'write') return [{ name: 'Write', input: { file_path, content: act.content } }];
  // A whole large file is refused.
  const part = file_path.endsWith('large.txt') ? { offset: 29_990, limit: 20 } : {};
  if (act.kind === 'read') return [{ name: 'Read', input: { file_path, ...part } }];
  if (act.kind === 'cell')
    return [
      {
        name: 'NotebookEdit',
        input: { notebook_path: file_path, cell_id: act.cell, new_source: act.source },
      },
    ];
  if (act.kind !== 'task') return [];
  const input = { description: 'A job', prompt: act.prompt, subagent_type: 'general-purpose' };
  return [{ name: 'Agent', input }];
}

/** By a command: a model unknown to Codex gets no tool of that name, and the record is the same. */
const patch = (body: string): readonly ScriptedTool[] => [
  {
    name: 'exec_command',
    input: { cmd: `apply_patch <<'PATCH'\n*** Begin Patch\n${body}*** End Patch\nPATCH` },
  },
];
const marked = (marker: string, text: string) =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${marker}${line}\n`)
    .join('');

function codexTools(act: Act, file: string): readonly ScriptedTool[] {
  if (act.kind === 'edit') {
    return patch(`*** Update File: ${file}\n@@\n${marked('-', act.old)}${marked('+', act.put)}`);
  }
  if (act.kind === 'write') return patch(`*** Add File: ${file}\n${marked('+', act.content)}`);
  if (act.kind === 'delete') return patch(`*** Delete File: ${file}\n`);
  if (act.kind === 'move')
    return patch(`*** Update File: ${file}\n*** Move to: ${act.to}\n@@\n-line 3\n+line THREE\n`);
  return [];
}

function geminiTools(act: Act, file_path: string): readonly ScriptedTool[] {
  if (act.kind === 'edit') {
    const input = { file_path, instruction: 'Change it', old_string: act.old, new_string: act.put };
    return [{ name: 'replace', input }];
  }
  if (act.kind === 'write') return [{ name: 'write_file', input: { file_path, content: act.content } }];
  return act.kind === 'read' ? [{ name: 'read_file', input: { file_path } }] : [];
}

function opencodeTools(act: Act, filePath: string): readonly ScriptedTool[] {
  if (act.kind === 'edit')
    return [
      { name: 'read', input: { filePath } },
      { name: 'edit', input: { filePath, oldString: act.old, newString: act.put } },
    ];
  if (act.kind === 'write') return [{ name: 'write', input: { filePath, content: act.content } }];
  if (act.kind === 'read') return [{ name: 'read', input: { filePath } }];
  if (act.kind !== 'task') return [];
  return [{ name: 'task', input: { description: 'A job', prompt: act.prompt, subagent_type: 'general' } }];
}

function piTools(act: Act, file: string): readonly ScriptedTool[] {
  if (act.kind === 'edit')
    return [{ name: 'edit', input: { path: file, edits: [{ oldText: act.old, newText: act.put }] } }];
  if (act.kind === 'write') return [{ name: 'write', input: { path: file, content: act.content } }];
  return act.kind === 'read' ? [{ name: 'read', input: { path: file } }] : [];
}
