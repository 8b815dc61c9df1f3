/** A part of an integration that consists of one marked block in a configuration file. */
import { ok } from '../../../lib/result.ts';
import type { FilePart } from '../integration.ts';
import { addBlock, hasBlock, removeBlock } from './marked-block.ts';

/** `lines` form the block, each with its line end. Removal deletes a file that holds nothing else. */
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
