/**
 * The AI of the pictures: prints a conversation from a file, keeps a session file of it as an AI CLI does, and
 * waits with an empty input box. It answers nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SESSION = '5b1f6a52-0c1e-4c55-9d6b-2f0a9f1c7e10';
const BULLET = '●';
const config = path.join(process.env.HOME ?? '', '.claude');
const turns = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const now = Date.now();

// Who reads the process table finds an AI CLI whose session files are known.
process.title = 'claude';

const projects = path.join(config, 'projects', process.cwd().replace(/[^A-Za-z0-9]/g, '-'));
mkdirSync(projects, { recursive: true });
let parent = null;
const lines = turns.flatMap(({ prompt, answer, minutesAgo }, index) => {
  const timestamp = new Date(now - minutesAgo * 60_000).toISOString();
  const row = (type, uuid, message) => {
    const line = {
      parentUuid: parent,
      isSidechain: false,
      type,
      message,
      uuid,
      timestamp,
      sessionId: SESSION,
      cwd: process.cwd(),
    };
    parent = uuid;
    return JSON.stringify(line);
  };
  return [
    row('user', `u${index}`, { role: 'user', content: prompt }),
    row('assistant', `a${index}`, {
      id: `m${index}`,
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: answer }],
    }),
  ];
});
writeFileSync(path.join(projects, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
mkdirSync(path.join(config, 'sessions'), { recursive: true });
writeFileSync(
  path.join(config, 'sessions', `${process.pid}.json`),
  JSON.stringify({
    pid: process.pid,
    sessionId: SESSION,
    cwd: process.cwd(),
    startedAt: now - 3_600_000,
    updatedAt: now - 11_000,
    status: 'idle',
  }),
);

const dim = (text) => `\u001b[2m${text}\u001b[22m`;
const rows = turns.flatMap(({ prompt, answer }) => [
  dim(`❯ ${prompt}`),
  '',
  ...answer.split('\n').map((line, index) => (line === '' ? '' : `${index === 0 ? BULLET : ' '} ${line}`)),
  '',
]);

function draw() {
  // A rule in the last column would wrap.
  const rule = dim('─'.repeat((process.stdout.columns ?? 80) - 1));
  const box = [rule, '❯ ', rule, dim('  ? for shortcuts')];
  process.stdout.write(`\u001b[H\u001b[2J${[...rows, ...box].join('\r\n')}\u001b[2A\r\u001b[2C`);
}

process.stdout.on('resize', draw);
process.stdin.setRawMode?.(true);
process.stdin.on('data', () => undefined);
process.stdout.write('\u001b[?2004h');
draw();
