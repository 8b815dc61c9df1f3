/** A part of an integration that is one marked block of a configuration file. */
import { ok } from '../../../lib/result.ts';
import type { FilePart } from '../integration.ts';
import { addBlock, hasBlock, removeBlock } from './marked-block.ts';

/** `lines` make the block, each with its line end. A file that holds nothing else is removed with them. */
export function blockPart(
  part: Pick<FilePart, 'name' | 'file' | 'about'> & { readonly lines: string },
): FilePart {
  const { lines, ...place } = part;
  return {
    kind: 'file',
    ...place,
    add: (text) => ok(addBlock(text ?? '', lines)),
    remove: (text, original) => {
      const rest = removeBlock(text);
      return ok(rest === '' && original === null ? null : rest);
    },
    isIn: hasBlock,
  };
}
