import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AUTHOR_NAME } from '../suggestions/who.ts';
import { authorName } from './author-name.ts';

it.each([
  ['claude-code', 'claude'],
  ['Claude Code', 'claude'],
  ['codex-mcp-client', 'codex'],
  ['gemini-cli-mcp-client (copane)', 'gemini'],
  ['opencode', 'opencode'],
  ['Claude Code Router', 'claude-code-router'],
  ['../../reviewer', 'reviewer'],
  ['---', 'ai'],
  ['漢字', 'ai'],
  ['', 'ai'],
  [null, 'ai'],
])('%j is %s', (program, name) => {
  expect(authorName(program)).toBe(name);
});

it('is a name that can have a token, for any program name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (program) => {
      expect(authorName(program)).toMatch(AUTHOR_NAME);
    }),
  );
});
