/** Names for kubectl, from its kubeconfig and its discovery cache. Asks no cluster and starts nothing. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../lib/is-record.ts';
import { wordList } from '../../lib/word-list.ts';
import { readTextOf } from '../../platform/regular-file.ts';
import type { Named } from './source.ts';

const CONFIG_MAX_BYTES = 256 * 1024;
const GROUP_MAX_BYTES = 1024 * 1024;
const GROUPS_MAX = 64;

/** Types that every cluster has, the most used first. */
const COMMON = wordList(
  `pods services deployments nodes namespaces configmaps secrets ingresses events jobs cronjobs statefulsets
  daemonsets replicasets persistentvolumeclaims persistentvolumes serviceaccounts`,
);

/** Verbs followed by a type of resource. */
const VERBS = new Set(wordList('get describe delete edit explain label annotate patch'));
const CONTEXT_VERBS = new Set(wordList('use-context get-contexts delete-context rename-context set-context'));
/** Options with a value of their own. */
const VALUED =
  /^(?:-[nflocsv]|--(?:namespace|context|cluster|user|kubeconfig|filename|selector|output|container|server))$/;

export type KubectlWanted = 'contexts' | 'namespaces' | 'resources';

/** What may follow the words of a kubectl command; null for anything else. */
export function kubectlWants(command: readonly string[]): KubectlWanted | null {
  const [name, ...rest] = command;
  if (name === 'kubectx') return rest.length === 0 ? 'contexts' : null;
  if (name === 'kubens') return rest.length === 0 ? 'namespaces' : null;
  if (name !== 'kubectl' && name !== 'oc') return null;
  const last = rest.at(-1) ?? '';
  if (last === '--context') return 'contexts';
  if (last === '-n' || last === '--namespace') return 'namespaces';
  if (VALUED.test(last)) return null;
  const plain = rest.filter((word, at) => !word.startsWith('-') && !VALUED.test(rest[at - 1] ?? ''));
  const [verb = '', second = ''] = plain;
  if (verb === 'config' && plain.length === 2) return CONTEXT_VERBS.has(second) ? 'contexts' : null;
  return VERBS.has(verb) && plain.length === 1 ? 'resources' : null;
}

export interface KubectlPlace {
  readonly home: string;
  /** `$KUBECONFIG`: files, separated by colons. */
  readonly kubeconfig: string | undefined;
}

/** Names of one kind; none if a file is missing or broken. */
export async function kubectlNames(wanted: KubectlWanted, place: KubectlPlace): Promise<readonly Named[]> {
  const folder = path.join(place.home, '.kube');
  const files = place.kubeconfig
    ? place.kubeconfig.split(':').filter(path.isAbsolute)
    : [path.join(folder, 'config')];
  const configs = await Promise.all(files.map(readConfig));
  const contexts = configs.flatMap(({ contexts: found }) => found);
  if (wanted === 'contexts') return contexts.map(({ name, cluster }) => ({ name, description: cluster }));
  if (wanted === 'namespaces') {
    const named = contexts.map(({ namespace }) => namespace).filter((name) => name !== '');
    return [...new Set([...named, 'default', 'kube-system'])].map((name) => ({ name }));
  }
  const current = configs.find((config) => config.current !== '')?.current;
  const cluster = contexts.find(({ name }) => name === current)?.cluster;
  const server =
    configs.flatMap(({ clusters }) => clusters).find(({ name }) => name === cluster)?.server ?? '';
  const known = await resourcesOf(path.join(folder, 'cache', 'discovery'), server);
  const first = known.size === 0 ? COMMON : COMMON.filter((name) => known.has(name));
  return [...first, ...[...known].filter((name) => !COMMON.includes(name)).sort()].map((name) => ({ name }));
}

const NO_CONFIG = { current: '', contexts: [], clusters: [] };

async function readConfig(file: string) {
  let value: unknown;
  try {
    value = parse(await readTextOf(file, CONFIG_MAX_BYTES));
  } catch {
    // The file is being edited.
    return NO_CONFIG;
  }
  if (!isRecord(value)) return NO_CONFIG;
  return {
    current: textIn(value, 'current-context'),
    contexts: entriesOf(value, 'contexts', 'context').map(({ name, inner }) => ({
      name,
      cluster: textIn(inner, 'cluster'),
      namespace: textIn(inner, 'namespace'),
    })),
    clusters: entriesOf(value, 'clusters', 'cluster').map(({ name, inner }) => ({
      name,
      server: textIn(inner, 'server'),
    })),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const textIn = (value: Fields, key: string): string => (typeof value[key] === 'string' ? value[key] : '');

/** The entries of a list in the kubeconfig: a name, and the fields under `key`. */
function entriesOf(config: Fields, list: string, key: string): readonly { name: string; inner: Fields }[] {
  const entries = Array.isArray(config[list]) ? config[list].filter(isRecord) : [];
  return entries
    .map((entry) => ({ name: textIn(entry, 'name'), inner: isRecord(entry[key]) ? entry[key] : {} }))
    .filter(({ name }) => name !== '');
}

/** Depth of the lists below a server's folder: `apps/v1/serverresources.json`. Deeper ones are another server's. */
const GROUP_MAX_DEPTH = 3;

/** The types in kubectl's cache of a server; the folder is named as by `computeDiscoverCacheDir`. */
async function resourcesOf(discovery: string, server: string): Promise<ReadonlySet<string>> {
  const host = server
    .replace('https://', '')
    .replace('http://', '')
    .replace(/[^(\w/.)]/g, '_');
  const found = new Set<string>();
  if (host === '' || host.split('/').some((part) => part.startsWith('.'))) return found;
  const root = path.join(discovery, host);
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const lists = names.filter(
    (one) => path.basename(one) === 'serverresources.json' && one.split('/').length <= GROUP_MAX_DEPTH,
  );
  for (const name of lists.slice(0, GROUPS_MAX)) {
    const text = await readTextOf(path.join(root, name), GROUP_MAX_BYTES);
    for (const [, resource = ''] of text.matchAll(/"name":"([a-z][a-z0-9-]*)","singularName"/g))
      found.add(resource);
  }
  return found;
}
