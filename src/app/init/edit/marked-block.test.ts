import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zshCode } from '../zsh-code.ts';
import { addBlock, removeBlock } from './block-part.ts';

const LINES = 'source /opt/copane/shell\n';

describe('the block in a configuration', () => {
  it('is removed byte for byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '#', ' ', '\r', 'é'), maxLength: 30 }),
        (text) => {
          const added = addBlock(text, LINES);
          expect(added).not.toBe(text);
          expect(removeBlock(added)).toBe(text);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('is removed even if lines were added after it', () => {
    const added = addBlock('a', LINES);
    expect(removeBlock(`${added}export B=1\n`)).toBe('a\nexport B=1\n');
  });

  it('is written once', () => {
    const added = addBlock('alias ll="ls -l"\n', LINES);
    expect(addBlock(added, LINES)).toBe(added);
    expect(removeBlock('nothing of ours\n')).toBe('nothing of ours\n');
  });

  it('is replaced by the block of a copane elsewhere', () => {
    const other = addBlock('a=1\n', 'source /elsewhere/shell\n');
    expect(addBlock(other, LINES)).toBe(addBlock('a=1\n', LINES));
  });
});

it('quotes the folder', () => {
  expect(zshCode({ root: '/opt/copane' })).toBe(
    '[[ -r /opt/copane/shell/ashlet.zsh ]] && source /opt/copane/shell/ashlet.zsh\n',
  );
  expect(zshCode({ root: "/o p't" })).toContain("'/o p'\\''t/shell/ashlet.zsh'");
});
