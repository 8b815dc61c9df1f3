import { describe, expect, it } from 'vitest';
import { featuresOf, parseTmuxVersion } from './features.ts';

describe('tmux features', () => {
  it.each([
    ['tmux 3.1c', { supported: false }],
    ['tmux 3.2a', { supported: true, joinPads: true, tellsBracketedPaste: false }],
    ['tmux 3.3a', { supported: true, joinPads: true }],
    ['tmux 3.4', { joinPads: false, readOnlyPoisonsKeys: false }],
    ['tmux 3.7c', { tellsBracketedPaste: true, readOnlyPoisonsKeys: true }],
    ['tmux next-3.8', { tellsBracketedPaste: true }],
    ['tmux openbsd-7.4', { supported: true, joinPads: false }],
  ])('%s', (text, expected) => {
    const version = parseTmuxVersion(text);
    if (version === null) throw new Error('not read');
    expect(featuresOf(version)).toMatchObject(expected);
  });

  it('an unreadable version counts as unknown', () => {
    expect(parseTmuxVersion('zellij')).toBeNull();
  });
});
