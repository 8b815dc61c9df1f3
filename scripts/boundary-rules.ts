/**
 * Imports go down only: lib ← protocol ← core ← adapters ← app ← cli. Each rule states its reason.
 * `scripts/check-boundaries.ts` runs this, proves that enough modules were read, and plants violations.
 */
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

const CORE = '^src/([^/]+/core|review/desk)/';
const TEST = '\\.test\\.tsx?$';

/** Modules by which a process touches the world. `node:path` and `node:url` only compute. */
const IO =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|tls|dgram|dns|os|process|readline|worker_threads|sqlite|timers|timers/promises|tty|cluster|stream)$';

/** The rooms of the review engine; each may import only those above it in this list. */
const REVIEW_ROOMS = [
  'core',
  'desk',
  'files',
  'vcs',
  'records',
  'showing',
  'sources',
  'deciding',
  'sandboxes',
  'finishing',
  'proposals',
  'publishing',
] as const;

const reviewRooms = REVIEW_ROOMS.map(
  (room, at): IForbiddenRuleType => ({
    name: `review-${room}-looks-up`,
    comment:
      'A room of the review engine imports only rooms before it in the list, never the service at its door.',
    severity: 'error',
    from: { path: `^src/review/${room}/`, pathNot: TEST },
    to: { path: '^src/review/', pathNot: `^src/review/(${REVIEW_ROOMS.slice(0, at + 1).join('|')})/` },
  }),
);

/** The only places that start processes. */
const STARTERS =
  '^src/(platform/(run|exec)|tmux/control-client|app/tui/system-port|agent/acp/agent-process|completion/models/model-process|filemap/map-process)\\.ts$';
/** The only places that run a program and wait for it: one module per tool. */
const TOOLS =
  '^src/(platform/(tty|process-tree|process-state)|review/(vcs/(git|jj)|files/access-lists)|tmux/command|filemap/ctags|agent/(tools/ripgrep|providers/keychain|acp/pi-version)|completion/models/install|app/init/show|app/tui/state-calls|cli/doctor)\\.ts$';

/** Git obeys the configuration of the repository that it runs in: only one module calls git, with that disabled. */
export const gitRule = {
  name: 'git-has-one-door',
  only: 'src/review/vcs/git.ts',
  calls: /(['"`])(?:[\w./-]*\/)?git\1\s*,\s*\[/,
};

export const boundaryRules: IConfiguration = {
  forbidden: [
    ...reviewRooms,
    {
      name: 'no-cycles',
      comment: 'A cycle means that two modules are one, or that a type sits in the wrong place.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'lib-is-a-leaf',
      comment: 'Helpers that know the product stop being helpers.',
      severity: 'error',
      from: { path: '^src/lib/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/lib/' },
    },
    {
      name: 'protocol-is-schemas',
      comment: 'Messages are shared with every process and generated into docs: zod and lib, nothing else.',
      severity: 'error',
      from: { path: '^src/protocol/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(protocol|lib)/' },
    },
    {
      name: 'core-is-pure',
      comment: 'A core decides; reading, writing, clocks and screens are facts that its caller hands in.',
      severity: 'error',
      from: { path: `${CORE}|^src/lib/`, pathNot: TEST },
      to: { path: IO },
    },
    {
      name: 'core-has-no-surface',
      comment: 'Leaving Ink, ws or the terminal library must stay cheap.',
      severity: 'error',
      from: { path: CORE, pathNot: TEST },
      to: { path: '(^|/)node_modules/(ink|react|ws|node-pty|@lydell/node-pty|chalk|pino|hono|commander)/' },
    },
    {
      name: 'core-knows-no-adapter',
      comment: 'Adapters depend on cores, never the other way round.',
      severity: 'error',
      from: { path: CORE, pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(lib|protocol|[^/]+/core|review/desk)/' },
    },
    {
      name: 'no-core-to-core',
      comment:
        'Facts travel as data. Only the agent and the changes of turns may use the review engine: both end as reviews.',
      severity: 'error',
      from: { path: '^src/([^/]+)/core/', pathNot: `^src/(agent|changes)/core/|${TEST}` },
      to: { path: CORE, pathNot: '^src/$1/core/' },
    },
    {
      name: 'core-takes-types-from-protocol',
      comment: 'Schemas validate at the edges; a core that parses has a missing edge.',
      severity: 'error',
      from: { path: CORE, pathNot: TEST },
      to: { path: '^src/protocol/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-do-not-reach-up',
      comment: 'Only app constructs adapters; an adapter that knows the app cannot be tested alone.',
      severity: 'error',
      from: {
        path: '^src/(platform|store|tmux|responses|review|changes|agent|filemap|completion|server)/',
        pathNot: TEST,
      },
      to: { path: '^src/(app|ui|cli)/' },
    },
    {
      name: 'ui-gets-data',
      comment:
        'Screens and components get data and callbacks; what they ask of the world goes through their ports.',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: TEST },
      to: { path: '^src/(tmux|store|server|platform|completion|app|cli|responses/(transcripts|screens))/' },
    },
    {
      name: 'screens-import-kit-only',
      comment: 'A screen knows itself and what all screens share; ui/app alone joins them.',
      severity: 'error',
      from: { path: '^src/ui/(responses|review|agent|shell)/', pathNot: TEST },
      to: { path: '^src/ui/', pathNot: '^src/ui/(kit|$1)/' },
    },
    {
      name: 'kit-knows-no-screen',
      comment: 'What one screen alone needs belongs to that screen.',
      severity: 'error',
      from: { path: '^src/ui/kit/', pathNot: TEST },
      to: { path: '^src/ui/', pathNot: '^src/ui/kit/' },
    },
    {
      name: 'cli-goes-through-app',
      comment:
        'Only app constructs adapters; a subcommand that builds its own would be a second composition.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: TEST },
      to: {
        path: '^src/(tmux|store|server|completion|responses/(transcripts|screens))/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'app-does-not-know-cli',
      comment: 'The command line is one of several surfaces over the app.',
      severity: 'error',
      from: { path: '^src/app/', pathNot: TEST },
      to: { path: '^src/cli/' },
    },
    {
      name: 'processes-have-few-starters',
      comment:
        'A process that anything may start is one whose environment, deadline and arguments nobody checks.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${STARTERS}|${TEST}` },
      to: { path: '^(node:)?child_process$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'databases-have-one-door',
      comment:
        'SQLite opens whatever stands in the place of a file, and waits at a FIFO with the whole process.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/store/sqlite\\.ts$|${TEST}` },
      to: { path: '^(node:)?sqlite$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-module-a-tool',
      comment:
        'A second module that calls the same tool forgets what the first one has learnt; see git-has-one-door.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${TOOLS}|${TEST}` },
      to: { path: '^src/platform/run\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-does-not-import-tests',
      comment: 'Fixtures and helpers are not shipped; `copane eval` alone runs the evaluation of the agent.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/cli/eval\\.ts$|${TEST}` },
      to: { path: '^(test|bench|evals|scripts)/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    exclude: { path: '^(dist|test/fixtures)/' },
  },
};
