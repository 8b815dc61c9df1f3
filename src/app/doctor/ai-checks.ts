/** Checks of the AI CLIs: which are installed, whether they are set up, and whether their session files can be read. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOnPath } from '../../platform/exec.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { AI_CLIS } from '../../protocol/cli-ids.ts';
import { RECORDED_VERSIONS } from '../../responses/screens/recorded-versions.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { Integration } from '../init/integration.ts';
import { initPlace } from '../init/place.ts';
import { INTEGRATIONS } from '../init/registry.ts';
import { partsPresent, planInit } from '../init/run.ts';
import { readerOf } from '../responses/ai-pane.ts';
import { openTmux, type TmuxAccess } from '../tmux.ts';
import { type Check, type CheckReport, type DoctorContext, report } from './check.ts';

/** The largest package.json that is read. */
const PACKAGE_MAX_BYTES = 4 * 1024 * 1024;

type KnownCli = (typeof AI_CLIS)[number];
const VERSION_TIMEOUT_MS = 3_000;

export const aiCliCheck: Check = {
  name: 'AI CLI',
  look: async (context) => {
    const found = AI_CLIS.flatMap((cli) => {
      const program = findOnPath(cli, context.env);
      return program === null ? [] : [{ cli, program }];
    });
    if (found.length === 0) {
      const listed = await openTmux(context.env).panes.listAi();
      const running = listed.ok
        ? listed.value.find(({ cli }) => cli !== 'generic' && cli !== 'tour')
        : undefined;
      if (running !== undefined) {
        const where = running.facts.identity.paneId;
        return report('AI CLI', 'ok', `none is on your PATH, but ${running.cli} runs in ${where}`);
      }
      const hint = `Install one of ${AI_CLIS.join(', ')}. Any other program works with marker lines.`;
      return report('AI CLI', 'warn', 'none is on your PATH', hint);
    }
    return Promise.all(found.map((each) => describe(context, each)));
  },
};

interface Installed {
  readonly cli: KnownCli;
  readonly program: string;
}

async function describe(context: DoctorContext, { cli, program }: Installed): Promise<CheckReport> {
  const version = versionBeside(cli, program) ?? (await askVersion(context, program));
  const integration = INTEGRATIONS.find(({ name }) => name === cli);
  const setUp = integration === undefined ? null : setUpOf(integration, context);
  const words = [
    version ?? 'version unknown',
    ...(version === null || version === RECORDED_VERSIONS[cli]
      ? []
      : [`rules made with ${RECORDED_VERSIONS[cli]}`]),
    `at ${program}`,
    ...(setUp === null ? [] : [setUp.words]),
  ];
  return report(
    cli,
    setUp?.trouble === null || setUp === null ? 'ok' : 'warn',
    words.join(', '),
    setUp?.trouble ?? null,
  );
}

interface SetUp {
  readonly words: string;
  /** The hint; null if nothing is wrong. */
  readonly trouble: string | null;
}

/** Which parts of an integration are installed, and whether they point to this copane. */
function setUpOf(integration: Integration, { env }: DoctorContext): SetUp {
  const place = initPlace(env);
  const { name } = integration;
  const present = [...partsPresent(integration, place)];
  if (present.length === 0) return { words: `not set up (copane init ${name})`, trouble: null };
  const words = `set up: ${present.join(', ')}`;
  const plan = planInit(integration, place, present);
  if (!plan.ok) return { words, trouble: plan.error.message };
  if (plan.value.changes.length === 0) return { words, trouble: null };
  return { words: `${words}, but for another copane`, trouble: `Run: copane init ${name}` };
}

/** The version in the package that contains the program, read without starting it. */
function versionBeside(cli: KnownCli, program: string): string | null {
  const real = realpathSync(program);
  const inPath = /\/versions\/(\d+\.\d+[\w.-]*)$/.exec(real)?.[1];
  if (inPath !== undefined) return inPath;
  for (let folder = path.dirname(real); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (existsSync(file))
      return versionIn(cli, String(readRegularSync(file, { maxBytes: PACKAGE_MAX_BYTES })));
  }
  return null;
}

/** A package with another name only happens to contain the program. */
function versionIn(cli: KnownCli, text: string): string | null {
  try {
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    const isOwn = new RegExp(`(^|[/-])${cli}(-|$)`).test(String(name));
    return isOwn && typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** Some programs take seconds to start; the version is not worth a longer wait. */
async function askVersion({ run }: DoctorContext, program: string): Promise<string | null> {
  const asked = run(program, ['--version']);
  const outcome = await Promise.race([asked, sleep(VERSION_TIMEOUT_MS, null, { ref: false })]);
  if (outcome === null) return null;
  return /\d+\.\d+[\w.-]*/.exec(`${outcome.stdout.toString('utf8')} ${outcome.stderr}`)?.[0] ?? null;
}

export const setUpCheck: Check = {
  name: 'set-up',
  look: async (context) => {
    const others = INTEGRATIONS.filter(({ name }) => !AI_CLIS.some((cli) => cli === name));
    const found = others.map((integration) => ({ name: integration.name, ...setUpOf(integration, context) }));
    const trouble = found.find((each) => each.trouble !== null)?.trouble ?? null;
    const words = found.map(({ name, words: text }) => `${name}: ${text}`).join('; ');
    return report('set-up', trouble === null ? 'ok' : 'warn', words, trouble);
  },
};

export const sessionFileCheck: Check = {
  name: 'session files',
  look: async ({ env }) => {
    const access = openTmux(env);
    const listed = await access.panes.listAi();
    if (!listed.ok || listed.value.length === 0)
      return report('session files', 'ok', 'no AI pane is running');
    return Promise.all(listed.value.map((listing) => inspect(access, listing)));
  },
};

/** Reads the newest session of a pane's folder, as the companion would. */
async function inspect({ panes }: TmuxAccess, listing: PaneListing): Promise<CheckReport> {
  const name = 'session files';
  const who = `${listing.facts.identity.paneId} ${listing.cli}`;
  const reader = readerOf(listing);
  if (reader === null) return report(name, 'ok', `${who}: no known session; read from its screen`);
  const place = await panes.place(listing);
  const [ref] = await reader.find(place);
  if (ref === undefined) {
    const trouble = (await reader.trouble?.(place)) ?? null;
    if (trouble === null) return report(name, 'ok', `${who}: none yet`);
    return report(name, 'warn', `${who}: ${trouble}`, 'Its screen is read instead.');
  }
  const session = reader.open(ref);
  const snapshot = await session.read({ turns: 1 });
  if (snapshot === null) {
    const why = session.failure() ?? 'it cannot be read';
    return report(name, 'warn', `${who}: ${why}`, 'Its screen is read instead.');
  }
  if (snapshot.problems.length === 0) return report(name, 'ok', `${who}: ${ref.path}`);
  const hint = 'The parts that could not be read are left out.';
  return report(name, 'warn', `${who}: ${ref.path}: ${snapshot.problems.join('; ')}`, hint);
}
