/** Misbehaving models and servers: each job ends in the intended proposal, or in a sentence that names the cause. */
import { gzipSync } from 'node:zlib';
import type { FaultCase } from './case.ts';
import { after, type Call, callDelta, calls, chunk, cutInto, DONE, events, plain, words } from './replies.ts';

const BETA = { file_path: 'b.md', operation: 'replace', start_line: 2, end_line: 2, new_text: 'BETA\n' };
const QUOTE = { file_path: 'b.md', old_text: 'beta', new_text: 'BETA' };
const read = (file_path = 'b.md', more: object = {}): Call => ['read_file', { file_path, ...more }];
const propose = (...edits: readonly object[]): Call => ['propose_edits', { edits }];
const AFTER = { files: { 'b.md': 'alpha\nBETA\ngamma\n' } };
const READ = calls(read());
const GOOD = calls(propose(QUOTE));

const LONG_TS = Array.from({ length: 900 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`).join(
  '',
);
const LONG_PY = Array.from(
  { length: 500 },
  (_, i) => `class C${i}:\n    def m(self, a):\n        return ${i}\n`,
).join('');
const LONG_MD = Array.from({ length: 500 }, (_, i) => `## Part ${i}\n\nText ${i}\n\n`).join('');

const MAPS: readonly FaultCase[] = [
  ...(
    [
      ['a long TypeScript file', 'long.ts', LONG_TS, /f890.*\[2671-2673\]/],
      ['a long Python file', 'long.py', LONG_PY, /C490.*\[1471-1473\]/],
      ['long notes', 'long.md', LONG_MD, /Part 490/],
    ] as const
  ).map(
    ([name, file, text, told]): FaultCase => ({
      name: `${name} comes with a map`,
      fault: 'maps',
      files: { [file]: text },
      answers: [calls(read(file)), GOOD],
      told,
      ends: AFTER,
    }),
  ),
  {
    name: 'a line that only the map tells of is read and edited',
    fault: 'maps',
    files: { 'long.ts': LONG_TS },
    answers: [
      calls(read('long.ts')),
      calls(read('long.ts', { start_line: 2671, end_line: 2673 })),
      calls(
        propose({
          file_path: 'long.ts',
          operation: 'replace',
          start_line: 2672,
          end_line: 2672,
          new_text: '  return -1;\n',
        }),
      ),
    ],
    ends: { files: { 'long.ts': LONG_TS.replace('return 890;', 'return -1;') } },
  },
];

const STALE: readonly FaultCase[] = [
  {
    name: 'the file changes before the proposal; it is read again by the very same call',
    fault: 'stale reads',
    answers: [
      READ,
      after({ 'b.md': 'new\nalpha\nbeta\ngamma\n' }, calls(propose(BETA))),
      READ,
      calls(propose({ ...BETA, start_line: 3, end_line: 3 })),
    ],
    ends: { files: { 'b.md': 'new\nalpha\nBETA\ngamma\n' } },
    maxRequests: 4,
  },
  {
    name: 'the file changes elsewhere; a quote still fits',
    fault: 'stale reads',
    answers: [READ, after({ 'b.md': 'new\nalpha\nbeta\ngamma\n' }, GOOD)],
    ends: { files: { 'b.md': 'new\nalpha\nBETA\ngamma\n' } },
  },
  {
    name: 'the file is deleted meanwhile',
    fault: 'stale reads',
    answers: [READ, after({ 'b.md': null }, GOOD)],
    ends: { says: /no file "b\.md"/ },
    maxRequests: 4,
  },
  {
    name: 'three readings of one text cost one',
    fault: 'stale reads',
    answers: [calls(read(), read(), read()), GOOD],
    ends: AFTER,
  },
  {
    name: 'lines that were never read, with a quote',
    fault: 'stale reads',
    answers: [calls(propose({ ...BETA, old_text: 'beta' }))],
    ends: AFTER,
  },
];

const one = (name: string, ...answers: FaultCase['answers']): FaultCase => ({
  name,
  fault: 'forms of edits',
  answers: [READ, ...answers],
  ends: AFTER,
});

const FORMS: readonly FaultCase[] = [
  one('numbers as text', calls(propose({ ...BETA, start_line: '2', end_line: '2' }))),
  one('fields that nobody asked for', calls(propose({ ...QUOTE, confidence: 1, id: 'x' }))),
  one('"path"', calls(propose({ path: 'b.md', old_str: 'beta', new_str: 'BETA' }))),
  one('a prefix of the tool', calls(['functions.propose_edits', { edits: [QUOTE] }])),
  one('the tool in other letters', calls(['Propose_Edits', { edits: [QUOTE] }])),
  one('the tool in camel case', calls(['proposeEdits', { edits: [QUOTE] }])),
  one(
    'the tool of another program',
    calls(['Edit', { file_path: 'b.md', old_string: 'beta', new_string: 'BETA' }]),
  ),
  one('arguments in arguments', calls(['propose_edits', { arguments: { edits: [QUOTE] } }])),
  one(
    'arguments encoded twice',
    calls(['propose_edits', JSON.stringify(JSON.stringify({ edits: [QUOTE] }))]),
  ),
  one('edits encoded twice', calls(['propose_edits', { edits: JSON.stringify([QUOTE]) }])),
  one(
    'a call in tags',
    words(
      `<tool_call>${JSON.stringify({ name: 'propose_edits', arguments: { edits: [QUOTE] } })}</tool_call>`,
    ),
  ),
  one('SEARCH/REPLACE', words('b.md\n```\n<<<<<<< SEARCH\nbeta\n=======\nBETA\n>>>>>>> REPLACE\n```')),
  one(
    'a unified diff',
    words('```diff\n--- a/b.md\n+++ b/b.md\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma\n```'),
  ),
  one('a patch', words('*** Begin Patch\n*** Update File: b.md\n@@\n-beta\n+BETA\n*** End Patch')),
  one('line numbers copied along', calls(propose({ ...BETA, new_text: '2→BETA\n' }))),
  {
    name: 'a fence around the new text',
    fault: 'forms of edits',
    files: { 'x.ts': 'const a = 1;\nconst b = 2;\n' },
    answers: [
      calls(read('x.ts')),
      calls(propose({ file_path: 'x.ts', old_text: 'const b = 2;', new_text: '```ts\nconst b = 3;\n```' })),
    ],
    ends: { files: { 'x.ts': 'const a = 1;\nconst b = 3;\n' } },
  },
  one('a Markdown link as a path', calls(propose({ ...QUOTE, file_path: '[b.md](b.md)' }))),
  one('a Markdown link with other words', calls(propose({ ...QUOTE, file_path: '[the notes](./b.md)' }))),
  one(
    'a line off by one, with a quote',
    calls(propose({ ...BETA, start_line: 3, end_line: 3, old_text: 'beta' })),
  ),
  one(
    'lines from 0, with a quote',
    calls(propose({ ...BETA, start_line: 1, end_line: 1, old_text: 'beta' })),
  ),
  one(
    'two calls with one id',
    events(chunk(callDelta([read(), propose(QUOTE)], ['same', 'same'])) + chunk({}, 'tool_calls') + DONE),
  ),
  one('the edit said twice', calls(propose(QUOTE, QUOTE))),
  {
    name: 'LF in the answer, CRLF in the file',
    fault: 'forms of edits',
    answers: [
      calls(read('crlf.txt')),
      calls(propose({ file_path: 'crlf.txt', old_text: 'one\ntwo\n', new_text: 'one\n2\n' })),
    ],
    ends: { files: { 'crlf.txt': 'one\r\n2\r\nthree\r\n' } },
  },
  {
    name: 'a whole file of CRLF in LF',
    fault: 'forms of edits',
    answers: [
      calls(read('crlf.txt')),
      calls(['write_file', { path: 'crlf.txt', content: 'one\n2\nthree\n' }]),
    ],
    ends: { files: { 'crlf.txt': 'one\r\n2\r\nthree\r\n' } },
  },
  {
    ...one('an edit that changes nothing', calls(propose({ ...QUOTE, new_text: 'beta' }))),
    ends: { says: /nothing to change|no change/i },
  },
  {
    ...one(
      'edits of the same lines',
      calls(propose({ ...QUOTE, old_text: 'alpha\nbeta' }, { ...QUOTE, old_text: 'beta\ngamma' })),
    ),
    ends: { says: /overlap/ },
  },
  {
    ...one(
      'a whole file with its rest left out',
      calls(['write_file', { path: 'b.md', content: 'ALPHA\n… rest unchanged\n' }]),
    ),
    ends: { says: /leaves lines out/ },
  },
  one(
    'a good edit beside a bad one',
    calls(propose(QUOTE, { ...QUOTE, old_text: 'nowhere', new_text: 'x' })),
  ),
];

const bound = (name: string, ends: FaultCase['ends'], ...answers: FaultCase['answers']): FaultCase => ({
  name,
  fault: 'bounds and sight',
  answers,
  ends,
});

const BOUNDS: readonly FaultCase[] = [
  bound(
    'an answer cut at the limit goes on',
    AFTER,
    words('b.md\n<<<<<<< SEARCH\nbe', 'length'),
    words('ta\n=======\nBETA\n>>>>>>> REPLACE\n'),
  ),
  bound(
    'an answer that is always cut',
    { says: /cut off/ },
    words('Let me think about it once more. ', 'length'),
  ),
  bound(
    'a call cut at the limit',
    AFTER,
    events(
      chunk(callDelta([['propose_edits', JSON.stringify({ edits: [QUOTE, QUOTE] }).slice(0, 90)]])) +
        chunk({}, 'length') +
        DONE,
    ),
    GOOD,
  ),
  bound('one sentence for ever', { says: /repeat/ }, words('And again the same sentence. '.repeat(4_000))),
  bound('one character for ever', { says: /repeat/ }, words('a'.repeat(200_000))),
  bound('a list without end', { says: /repeat/ }, words('- an item\n'.repeat(20_000))),
  bound(
    'reasoning and no answer',
    { says: /empty/ },
    events(chunk({ role: 'assistant', reasoning_content: 'I wonder.' }) + chunk({}, 'stop') + DONE),
  ),
  bound('thoughts in tags and no answer', { says: /empty/ }, words('<think>I wonder whether')),
  bound('a refusal', { says: /can't help/ }, words("I'm sorry, but I can't help with that.")),
  bound(
    'a refusal in a field of its own',
    { says: /can't|filter/ },
    events(chunk({ role: 'assistant', refusal: "I can't do that." }) + chunk({}, 'stop') + DONE),
  ),
  bound('a content filter', { says: /filter/ }, words('', 'content_filter')),
  bound('nothing at all', { says: /empty|nothing/ }, words('')),
  bound('a promise', AFTER, words("Sure, I'll edit b.md now:"), GOOD),
  // One read, the same read three times, and a last chance that is not taken.
  { ...bound('one call for ever', { says: /repeated the same calls/ }, READ), maxRequests: 5 },
  bound(
    'tools that do not exist',
    { says: /run_shell_command/ },
    calls(['run_shell_command', { command: 'cat b.md' }]),
  ),
];

const wire = (name: string, ends: FaultCase['ends'], ...answers: FaultCase['answers']): FaultCase => ({
  name,
  fault: 'the wire',
  answers,
  ends,
  // A temporary fault is retried before anyone is told: the same request, four times in all.
  maxRequests: 4,
});

const goodText = Buffer.concat(GOOD.body).toString();
const inPieces = (input: object, size: number) => {
  const text = JSON.stringify(input);
  const first = callDelta([['propose_edits', '']]);
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
  const deltas = parts.map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }));
  return events([chunk(first), ...deltas, chunk({}, 'tool_calls'), DONE]);
};

const ARGUMENTS = JSON.stringify({ edits: [QUOTE] });
/** A call of `propose_edits` with only these parts of a delta. */
const callAs = ({ arguments: given, ...parts }: Readonly<Record<string, unknown>>) => {
  const named = { type: 'function', function: { name: 'propose_edits', arguments: given } };
  return events(chunk({ tool_calls: [{ ...parts, ...named }] }) + chunk({}, 'tool_calls') + DONE);
};

const WIRE: readonly FaultCase[] = [
  wire('arguments letter by letter', AFTER, inPieces({ edits: [QUOTE] }, 1)),
  wire(
    'bytes that cut characters',
    { files: { 'b.md': 'alpha\nBETA 🦊日本\ngamma\n' } },
    cutInto(calls(propose({ ...QUOTE, new_text: 'BETA 🦊日本' })), 1),
  ),
  wire('a stream cut in a call, then whole', AFTER, { ...events(goodText.slice(0, 200)), isCut: true }, GOOD),
  wire('no reason for the end', AFTER, events(chunk(callDelta([propose(QUOTE)])) + DONE)),
  wire('no [DONE]', AFTER, events(chunk(callDelta([propose(QUOTE)])) + chunk({}, 'tool_calls'))),
  wire('"stop" behind a call', AFTER, events(chunk(callDelta([propose(QUOTE)])) + chunk({}, 'stop') + DONE)),
  wire('a call without an id', AFTER, callAs({ index: 0, arguments: ARGUMENTS })),
  wire('a call without an index', AFTER, callAs({ id: 'x', arguments: ARGUMENTS })),
  wire('arguments as an object', AFTER, callAs({ index: 0, id: 'x', arguments: { edits: [QUOTE] } })),
  wire(
    'content as a list of parts',
    AFTER,
    events(
      chunk({
        role: 'assistant',
        content: [{ type: 'text', text: 'b.md\n<<<<<<< SEARCH\nbeta\n=======\nBETA\n>>>>>>> REPLACE\n' }],
      }) +
        chunk({}, 'stop') +
        DONE,
    ),
  ),
  wire(
    'comments and keep-alives',
    AFTER,
    events(`: hello\n\n:\n\n${goodText.replaceAll('\n\n', '\n\n: ping\n\n')}`),
  ),
  wire('CRLF between events', AFTER, events(goodText.replaceAll('\n', '\r\n'))),
  wire('a BOM before the stream', AFTER, events(`\uFEFF${goodText}`)),
  wire('events under another content type', AFTER, { ...GOOD, headers: { 'content-type': 'text/plain' } }),
  wire('a packed stream', AFTER, {
    ...GOOD,
    headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
    body: [gzipSync(goodText)],
  }),
  wire(
    'empty choices between pieces',
    AFTER,
    events(
      `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}\n\n${goodText}`,
    ),
  ),
  wire(
    'empty choices and nothing else',
    { says: /empty|nothing/ },
    events(
      `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}\n\n${DONE}`,
    ),
  ),
  wire(
    'an error inside the stream',
    { says: /the engine is overloaded/ },
    events(`data: {"error":{"message":"the engine is overloaded","code":503}}\n\n${DONE}`),
  ),
  wire(
    'a login page',
    { says: /text\/html.*Sign in/s },
    plain('<!doctype html><title>Sign in</title>', 200, { 'content-type': 'text/html' }),
  ),
  wire(
    'JSON in place of a stream',
    { says: /application\/json/ },
    plain('{"choices":[{"message":{"content":"hi"}}]}'),
  ),
  wire('a stream of pings alone', { says: /event-stream.*no data came/ }, events(': ping\n\n: ping\n\n')),
  wire(
    'a page that calls itself a stream',
    { says: /event-stream.*no data came: Bad gateway/ },
    events('<!doctype html><title>Bad gateway</title>'),
  ),
  wire(
    'the end of an answer in the words of another protocol',
    { says: /First half, second half/ },
    words('First half, ', 'max_tokens'),
    words('second half.'),
  ),
  wire('an empty body', { says: /answered with nothing/ }, plain('')),
  wire(
    'a redirect',
    { says: /redirects to .*HTTP 307/ },
    plain('', 307, { location: 'http://127.0.0.1:9/v1/chat/completions' }),
  ),
  wire(
    '429, then an answer',
    AFTER,
    plain('{"error":{"message":"slow down"}}', 429, { 'retry-after': '0' }),
    GOOD,
  ),
  wire(
    '429 for an hour',
    { says: /3600 s/ },
    plain('{"error":{"message":"slow down"}}', 429, { 'retry-after': '3600' }),
  ),
  wire('500, then an answer', AFTER, plain('oops', 500), GOOD),
  wire(
    '529, then an answer',
    AFTER,
    plain('{"error":{"message":"overloaded"}}', 529, { 'retry-after': '0' }),
    GOOD,
  ),
  wire('401', { says: /does not accept the key.*401/s }, plain('{"error":{"message":"bad key"}}', 401)),
  wire('404', { says: /no such model/ }, plain('{"error":{"message":"no such model"}}', 404)),
  wire(
    'a conversation that is too long',
    { says: /exceeds/ },
    plain('{"error":{"message":"maximum context length is 4096 tokens"}}', 400),
  ),
];

const may = (name: string, edit: Call, says: RegExp): FaultCase => ({
  name,
  fault: 'what it may edit',
  answers: [calls(edit)],
  ends: { says },
});

const MAY: readonly FaultCase[] = [
  may(
    'a file outside of the project',
    propose({ file_path: '../out.md', operation: 'insert', start_line: 1, new_text: 'x\n' }),
    /leaves the root/,
  ),
  may(
    'a file of the system',
    propose({ file_path: '/etc/passwd', operation: 'insert', start_line: 1, new_text: 'x\n' }),
    /leaves the root/,
  ),
  may(
    'the configuration of git',
    propose({ file_path: '.git/config', operation: 'insert', start_line: 1, new_text: 'x\n' }),
    /\.git/,
  ),
  may(
    'a file that git ignores',
    propose({ file_path: 'noise.log', old_text: 'noise', new_text: 'x' }),
    /ignore|noise\.log/,
  ),
  may('a file that is not there', propose({ ...QUOTE, file_path: 'none.md' }), /no file "none\.md"/),
];

export const CASES: readonly FaultCase[] = [...MAPS, ...STALE, ...FORMS, ...BOUNDS, ...WIRE, ...MAY];
