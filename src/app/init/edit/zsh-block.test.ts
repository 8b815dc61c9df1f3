import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addZshBlock, removeZshBlock, zshInitScript } from './zsh-block.ts';

const SHELL = '/opt/copane/shell';

describe('the block in .zshrc', () => {
  it('comes out byte for byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '#', ' ', '\r', 'é'), maxLength: 30 }),
        (text) => {
          const added = addZshBlock(text, SHELL);
          expect(added).not.toBe(text);
          expect(removeZshBlock(added)).toBe(text);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('comes out although lines were added behind it', () => {
    const added = addZshBlock('a', SHELL);
    expect(removeZshBlock(`${added}export B=1\n`)).toBe('a\nexport B=1\n');
  });

  it('is written once', () => {
    const added = addZshBlock('alias ll="ls -l"\n', SHELL);
    expect(addZshBlock(added, SHELL)).toBe(added);
    expect(removeZshBlock('nothing of ours\n')).toBe('nothing of ours\n');
  });

  it('gives way to the one of a copane that lies elsewhere', () => {
    const other = addZshBlock('a=1\n', '/elsewhere/shell');
    expect(addZshBlock(other, SHELL)).toBe(addZshBlock('a=1\n', SHELL));
  });
});

it('quotes the folder', () => {
  expect(zshInitScript('/opt/copane/shell')).toBe(
    '[[ -r /opt/copane/shell/ashlet.zsh ]] && source /opt/copane/shell/ashlet.zsh\n',
  );
  expect(zshInitScript("/o p't")).toContain("'/o p'\\''t/ashlet.zsh'");
});
