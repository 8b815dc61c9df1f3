/**
 * The licences of the packages whose code or data the build includes. Packages are found by the files in the build, so
 * none can be bundled without its licence.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/** The package folder of a file, as `node_modules/…/name`; null for our own files. */
export function packageFolder(file: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

function readPackage(root: string, folder: string): BundledPackage {
  const at = path.join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const texts = readdirSync(at)
    .filter((file) => LICENCE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(path.join(at, file), 'utf8').trim());
  return { name, version, licence: license ?? 'see below', texts };
}

/** The text of `dist/licences.txt`: what is included, under which licence, with each licence text once. */
export function licencesOf(root: string, files: readonly string[]): string {
  const folders = [...new Set(files.map(packageFolder))].filter(
    (folder) => folder !== null && existsSync(path.join(root, folder, 'package.json')),
  );
  const packages = folders
    .map((folder) => readPackage(root, folder ?? ''))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byText = new Map<string, BundledPackage[]>();
  for (const one of packages) {
    const text = one.texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  const parts = [...byText].map(([text, ones]) => {
    const names = ones.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join('\n');
    return `${names}\n\n${text === '' ? 'The package names its licence and brings no text of it.' : text}\n`;
  });
  return `Packages whose code or data is part of this build, with their licences.\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}
