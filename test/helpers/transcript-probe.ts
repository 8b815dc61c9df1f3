/**
 * Reads a Claude Code session in a process of its own and prints what it cost: `node transcript-probe.ts FILE TURNS`.
 * A process of its own, because the memory of a test runner says nothing.
 */
import { createClaudeReader } from '../../src/responses/transcripts/claude.ts';

const [file = '', turns = '1'] = process.argv.slice(2);
const session = createClaudeReader({ isAlive: () => false }).open({
  cli: 'claude',
  path: file,
  sessionId: 'probe',
  tie: 'folder',
  modifiedAt: 0,
});
const before = process.resourceUsage().maxRSS;
const snapshot = await session.read({ turns: Number(turns) });
const report = {
  grewMb: Math.round((process.resourceUsage().maxRSS - before) / 1024),
  turns: snapshot?.turns.length ?? null,
  last: snapshot?.turns.at(-1)?.response ?? null,
  complete: snapshot?.complete ?? null,
  problems: snapshot?.problems ?? [],
  failure: session.failure(),
};
console.log(JSON.stringify(report));
