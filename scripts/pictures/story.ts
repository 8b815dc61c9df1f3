/** What the pictures tell: one small project, a conversation about it, a suggestion and an instruction. Pure. */
import type { Tree } from '../../test/helpers/git-fixture.ts';

const LINES = `/** Splits text that comes in pieces into lines. */
export class Lines {
  /** What waits for the end of its line. */
  rest = '';

  constructor(emit) {
    this.emit = emit;
  }

  push(text) {
    const parts = (this.rest + text).split('\\n');
    this.rest = parts.pop();
    for (const line of parts) this.emit(line);
  }

  /** How many characters wait for the end of their line. */
  get waiting() {
    return this.rest.length;
  }

  end() {
    this.rest = '';
  }
}
`;

const LINES_AFTER = LINES.replace('class Lines', 'class LineSplitter')
  .replace("split('\\n')", 'split(/\\r?\\n/)')
  .replace(
    "  end() {\n    this.rest = '';",
    "  end() {\n    if (this.rest !== '') this.emit(this.rest);\n    this.rest = '';",
  );

const READ = `import { createReadStream } from 'node:fs';
import { Lines } from './lines.js';

export async function readLines(file, onLine) {
  const lines = new Lines(onLine);
  for await (const chunk of createReadStream(file, 'utf8')) {
    lines.push(chunk);
  }
}
`;

const READ_AFTER = READ.replace(
  '    lines.push(chunk);\n  }\n',
  '    lines.push(chunk);\n  }\n  lines.end();\n',
);

const TEST = `import { expect, test } from 'vitest';
import { Lines } from '../src/lines.js';

test('a line cut in two is put together again', () => {
  const seen = [];
  const lines = new Lines((line) => seen.push(line));
  lines.push('on');
  lines.push('e\\n');
  expect(seen).toEqual(['one']);
});
`;

const TEST_AFTER = `${TEST}
test('the last line needs no newline', () => {
  const seen = [];
  const lines = new Lines((line) => seen.push(line));
  lines.push('one\\ntwo');
  lines.end();
  expect(seen).toEqual(['one', 'two']);
});
`;

const NOTES = `# Parser

## Setup

npm install

See [Setup](#setup) in the guide.
`;

/** The project before the change. */
export const PROJECT: Tree = {
  'README.md': NOTES,
  'docs/guide.md': '# Guide\n\n## Setup\n\nNode 22 or newer.\n',
  'docs/faq.md': '# Questions\n\nWhere do I start? In [Setup](guide.md#setup).\n',
  'src/lines.js': LINES,
  'src/read.js': READ,
  'test/lines.test.js': TEST,
};

/** What the AI changed in its sandbox. */
export const SANDBOX: Tree = {
  'src/lines.js': LINES_AFTER,
  'src/read.js': READ_AFTER,
  'test/lines.test.js': TEST_AFTER,
};

export const SUGGESTION = 'Emit the last line of a stream';

/** Its notes on its hunks, as \`copane publish --note\` takes them. */
export const HUNK_NOTES = [
  'src/lines.js:1=says better what it does',
  'src/lines.js:2=files from Windows end their lines with CRLF',
  'src/lines.js:3=the cause: what was kept is thrown away here',
  'src/read.js:1=nobody called end()',
];

interface Turn {
  readonly prompt: string;
  readonly answer: string;
  readonly minutesAgo: number;
}

/** The conversation, oldest first. */
export const CONVERSATION: readonly Turn[] = [
  { prompt: 'Where are lines split?', answer: 'In `src/lines.js`, class `Lines`.', minutesAgo: 9 },
  {
    prompt: 'Write a test for a line that comes in two pieces.',
    answer: 'Done: `test/lines.test.js`. It passes.',
    minutesAgo: 6,
  },
  {
    prompt: 'Why does the reader lose the last line?',
    minutesAgo: 2,
    answer: [
      'Because nothing flushes what is kept:',
      '',
      '1. `push` keeps an incomplete line in `rest`.',
      '2. `end` throws `rest` away.',
      '3. `readLines` does not even call `end`.',
      '',
      'Shall I emit `rest` in `end`, and call it?',
    ].join('\n'),
  },
];

/** Notes between the lines of the last answer: how many lines further down, and the text. */
export const NOTES_BETWEEN = [
  { down: 2, text: 'what about CRLF?' },
  { down: 2, text: 'then call it in a finally' },
];

export const INSTRUCTION = 'Rename the heading Setup to Install, and the links to it';

const replace = (file_path: string, line: number, new_text: string) => ({
  file_path,
  operation: 'replace',
  start_line: line,
  end_line: line,
  new_text,
  rationale: 'Renamed.',
});

/** What the agent's model does. */
export const MODEL_REPLIES = [
  {
    text: 'I look for the heading and its links.',
    tools: [
      { name: 'search_project', input: { query: '## Setup' } },
      { name: 'search_project', input: { query: '#setup' } },
    ],
  },
  { tools: [{ name: 'read_file', input: { file_path: 'docs/faq.md' } }] },
  {
    text: 'Two headings are renamed, and the two links to them.',
    tools: [
      {
        name: 'propose_edits',
        input: {
          edits: [
            replace('README.md', 3, '## Install\n'),
            replace('README.md', 7, 'See [Install](#install) in the guide.\n'),
            replace('docs/guide.md', 3, '## Install\n'),
            replace('docs/faq.md', 3, 'Where do I start? In [Install](guide.md#install).\n'),
          ],
        },
      },
    ],
  },
];

/** Earlier shell commands, by frequency. */
export const HISTORY: Readonly<Record<string, number>> = {
  'git status --short': 12,
  'git commit -m "Emit the last line"': 4,
  'git push': 6,
  'npm test -- lines': 5,
  'npm run build': 2,
  'docker compose logs -f api': 3,
  'docker compose up -d': 2,
};

/** What is typed now, and whether the suggestion is accepted. */
export const TYPED = [
  { input: 'docker compose l', takes: null },
  { input: 'npm t', takes: 'npm test -- lines' },
  { input: 'gti push', takes: 'git push' },
  { input: 'git com', takes: null },
  { input: 'git st', takes: 'git status --short' },
] as const;
