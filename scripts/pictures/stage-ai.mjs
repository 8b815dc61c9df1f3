/**
 * The AI of the pictures: prints a conversation from a file, keeps a session file as an AI CLI does, and accepts pastes
 * into its input box. It answers nothing more.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SESSION = '5b1f6a52-0c1e-4c55-9d6b-2f0a9f1c7e10';
const BULLET = '●';
const config = path.join(process.env.HOME ?? '', '.claude');
const turns = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const now = Date.now();

// In the process table it looks like an AI CLI whose session files we know.
process.title = 'claude';

const projects = path.join(config, 'projects', process.cwd().replace(/[^A-Za-z0-9]/g, '-'));
const session = path.join(projects, `${SESSION}.jsonl`);
mkdirSync(projects, { recursive: true });
let parent = null;

function record(type, uuid, message, time) {
  const timestamp = new Date(time).toISOString();
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
  appendFileSync(session, `${JSON.stringify(line)}\n`);
  parent = uuid;
}

for (const [index, { prompt, answer, minutesAgo }] of turns.entries()) {
  const time = now - minutesAgo * 60_000;
  record('user', `u${index}`, { role: 'user', content: prompt }, time);
  const content = [{ type: 'text', text: answer }];
  record(
    'assistant',
    `a${index}`,
    { id: `m${index}`, role: 'assistant', stop_reason: 'end_turn', content },
    time,
  );
}
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
const said = (prompt) => prompt.split('\n').map((line, index) => dim(`${index === 0 ? '❯' : ' '} ${line}`));
const rows = turns.flatMap(({ prompt, answer }) => [
  ...said(prompt),
  '',
  ...answer.split('\n').map((line, index) => (line === '' ? '' : `${index === 0 ? BULLET : ' '} ${line}`)),
  '',
]);
let typed = '';

function draw() {
  // A rule in the last column would wrap.
  const rule = dim('─'.repeat((process.stdout.columns ?? 80) - 1));
  const input = typed.split('\n').map((line, index) => `${index === 0 ? '❯' : ' '} ${line}`);
  const box = [rule, ...input, rule, dim('  ? for shortcuts')];
  process.stdout.write(`\u001b[H\u001b[2J${[...rows, ...box].join('\r\n')}\u001b[2A\r\u001b[2C`);
}

process.stdout.on('resize', draw);
process.stdin.setRawMode?.(true);
process.stdin.setEncoding('utf8').on('data', (text) => {
  const pasted = /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(text)?.[1];
  if (pasted !== undefined) typed += pasted.replaceAll('\r', '\n');
  else if (text === '\r' && typed !== '') {
    record('user', `u${rows.length}`, { role: 'user', content: typed }, Date.now());
    rows.push(...said(typed), '');
    typed = '';
  }
  draw();
});
process.stdout.write('\u001b[?2004h');
draw();
