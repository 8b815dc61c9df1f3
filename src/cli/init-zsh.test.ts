import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addZshBlock, removeZshBlock, zshInitScript } from './init-zsh.ts';

const SHELL = '/opt/copane/shell';

describe('the block in .zshrc', () => {
  it('comes out byte for byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '#', ' ', '\r', 'é'), maxLength: 30 }),
        (text) => {
          const added = addZshBlock(text, SHELL);
          expect(added).not.toBeNull();
          expect(removeZshBlock(added ?? '')).toBe(text);
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
    const added = addZshBlock('alias ll="ls -l"\n', SHELL) ?? '';
    expect(addZshBlock(added, SHELL)).toBeNull();
    expect(removeZshBlock('nothing of ours\n')).toBeNull();
  });
});

it('quotes the folder', () => {
  expect(zshInitScript('/opt/copane/shell')).toBe(
    '[[ -r /opt/copane/shell/ashlet.zsh ]] && source /opt/copane/shell/ashlet.zsh\n',
  );
  expect(zshInitScript("/o p't")).toContain("'/o p'\\''t/ashlet.zsh'");
});
