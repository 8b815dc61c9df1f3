/** Writes the generated documents; with `--check` it only lists the outdated ones, and exits 1. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { configSchema } from '../src/protocol/config.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './command-docs/completions.ts';
import { manPage } from './command-docs/man-page.ts';
import { commandTable } from './command-docs/table.ts';
import { hiddenTable } from './hidden-table.ts';
import { renderKeysPage } from './keys-page.ts';
import { asyncApi, protocolJsonSchema } from './protocol-docs/async-api.ts';
import { commandsJsonSchema } from './protocol-docs/commands.ts';
import { openApi } from './protocol-docs/open-api.ts';
import { renderProtocolPage } from './protocol-docs/page.ts';
import { signTable } from './sign-table.ts';

const root = path.resolve(import.meta.dirname, '..');

const commands = await commandTable();
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** The JSON Schema of the configuration, for editors. */
function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ title: 'copane configuration', ...schema }, null, 2)}\n`;
}

/** One entry per document: its path and content. */
export const GENERATED_DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/config.schema.json': configJsonSchema,
  'docs/keys.md': renderKeysPage,
  'docs/openapi.json': openApi,
  'docs/asyncapi.json': asyncApi,
  'docs/protocol.md': renderProtocolPage,
  'docs/protocol.schema.json': protocolJsonSchema,
  'docs/commands.schema.json': commandsJsonSchema,
  'docs/copane.1': () => manPage(commands, version),
  'shell/completions/_copane': () => zshCompletion(commands),
  'shell/completions/copane.bash': () => bashCompletion(commands),
  'shell/completions/copane.fish': () => fishCompletion(commands),
  'nvim/lua/copane/hidden_table.lua': hiddenTable,
  'nvim/lua/copane/review/sign_table.lua': signTable,
};

/** The documents whose file differs from the sources. */
export function outdatedDocuments(): readonly string[] {
  return Object.entries(GENERATED_DOCUMENTS).flatMap(([file, make]) => {
    const found = path.join(root, file);
    return existsSync(found) && readFileSync(found, 'utf8') === make() ? [] : [file];
  });
}

function writeDocuments(files: readonly string[]): void {
  for (const file of files) {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, GENERATED_DOCUMENTS[file]?.() ?? '');
    console.log(`wrote ${file}`);
  }
}

if (import.meta.main) {
  const outdated = outdatedDocuments();
  if (!process.argv.includes('--check')) writeDocuments(outdated);
  else if (outdated.length > 0) {
    console.error(`out of date: ${outdated.join(', ')}. Run "node scripts/generate-docs.ts".`);
    process.exitCode = 1;
  }
}
