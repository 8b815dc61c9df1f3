/**
 * Files that programs run, or obey, without being asked: a shell, a version control, an editor, an AI CLI, a package
 * manager. The one list of them, by name alone. Pure.
 */

interface Rule {
  /** Who runs it, and when. */
  readonly why: string;
  /** Names of files at any depth, separated by blanks. */
  readonly names?: string;
  /** Everything below these folders, at any depth. */
  readonly folders?: string;
  /** Of the name of the file, in lower case. */
  readonly pattern?: RegExp;
}

const RULES: readonly Rule[] = [
  {
    why: 'direnv or a plug-in of the shell runs it when you enter the folder',
    names:
      '.envrc .env .autoenv .autoenv.zsh devenv.nix shell.nix default.nix flake.nix .autoenv_leave.zsh .env.leave .rvmrc .direnvrc .powrc .powenv .envrc.local',
    folders: '.direnv .devenv',
  },
  {
    why: 'a version manager reads it when you enter the folder, and may run what it names',
    names:
      '.tool-versions mise.toml .mise.toml mise.local.toml .mise.local.toml devbox.json rust-toolchain rust-toolchain.toml .rtx.toml .sdkmanrc',
    folders: '.mise .config/mise .asdf',
  },
  {
    why: 'a shell runs it when it starts or ends',
    names:
      '.profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xonshrc config.fish config.nu env.nu profile.ps1 .bash_completion .p10k.zsh .mkshrc .shrc .zimrc .xsessionrc .xserverrc',
    folders: 'fish/conf.d fish/functions .bashrc.d .zshrc.d .oh-my-zsh',
    pattern: /_profile\.ps1$/,
  },
  {
    why: 'a program takes its set-up from it, and may run what it names',
    names:
      '.tmux.conf tmux.conf .screenrc .gdbinit .lldbinit .curlrc .wgetrc .ripgreprc .xinitrc .xprofile .xsession .pam_environment .mailcap .psqlrc .sqliterc .my.cnf .rprofile .renviron .octaverc .ghci .ocamlinit .iex.exs .irbrc .pryrc .pdbrc .watchmanconfig ansible.cfg .terraformrc .gdbearlyinit .radare2rc .pythonrc .pythonstartup autorun.inf .wezterm.lua .condarc .erlang .byebugrc .gemrc desktop.ini .user.ini php.ini .htaccess .tmuxinator.yml .tmuxp.yaml .p4config .lldbinit-lldb gunicorn.conf.py',
    folders: '.ssh .gnupg .ipython .jupyter .config .local .kube .docker .aws .tmuxinator',
    pattern:
      /\.(desktop|service|timer|plist|lnk|url|scf|library-ms|searchconnector-ms)$|^(ipython|jupyter\w*)_config\.(py|json)$/,
  },
  {
    why: 'git or another version control reads it, and may run what it names',
    names: '.gitattributes .gitmodules .gitconfig .lfsconfig .hgrc .hgsub .jjconfig.toml',
    folders: '.git .jj .hg .svn .bzr .fossil-settings',
  },
  {
    why: 'git runs it, or what it names, as a hook',
    names:
      '.pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json lefthook-local.yml lefthook-local.yaml .pre-commit-config.yml .huskyrc .huskyrc.json .overcommit.yml .simple-git-hooks.json .simple-git-hooks.js captainhook.json grumphp.yml hk.pkl rusty-hook.toml .rusty-hook.toml .gitlint nano-staged.json .nano-staged.json .czrc .versionrc',
    folders: '.husky .githooks .git-hooks githooks git-hooks .lefthook .trunk .cargo-husky',
    pattern:
      /^(applypatch-msg|commit-msg|fsmonitor-watchman|p4-[a-z-]+|post-(applypatch|checkout|commit|index-change|merge|receive|rewrite|update)|pre-(applypatch|auto-gc|commit|merge-commit|push|rebase|receive)|prepare-commit-msg|proc-receive|push-to-checkout|reference-transaction|sendemail-validate|\.?lint-?staged(rc)?(\..+)?|\.?commitlint(rc)?(\..+)?)$/,
  },
  {
    why: 'an AI CLI takes its set-up, hooks and tools from it',
    names:
      '.mcp.json mcp.json .claude.json opencode.json opencode.jsonc .aider.conf.yml .aider.model.settings.yml .goosehints .roomodes crush.json .crush.json gemini-extension.json',
    folders:
      '.claude .claude-plugin .codex .gemini .opencode .pi .agents .cursor .continue .windsurf .cline .clinerules .roo .kiro .kilocode .amazonq .augment .goose .qwen .crush .trae .junie .factory .copilot .openhands .kimi .codebuddy .warp .rovodev .github/hooks .github/agents .github/prompts .github/skills .github/copilot .amp .agent .vibe .iflow .serena .cursor-plugin .codex-plugin .aiassistant .codeium .zencoder .firebender .forge .tabnine .qodo .devin .grok',
  },
  {
    why: 'an AI CLI follows the instructions in it',
    names:
      'agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md .cursorrules .windsurfrules .clinerules .rules copilot-instructions.md skill.md',
    pattern: /\.(instructions|prompt|chatmode)\.md$/,
  },
  {
    why: 'an editor takes its set-up from it, and may run what it names',
    names:
      '.vimrc _vimrc .gvimrc .exrc _exrc .nvimrc .nvim.lua .lvimrc .local.vimrc .vimrc.local .ideavimrc .dir-locals.el .dir-locals-2.el .emacs .emacs.el .projectile .kakrc .neoconf.json launch.vs.json tasks.vs.json .editorconfig .luarc.json .luarc.jsonc omnisharp.json .lazy.lua .ycm_extra_conf.py compile_commands.json .kateproject .project .classpath .factorypath .vimspector.json .nvim-dap.lua .merlin hie.yaml .tm_properties',
    folders:
      '.vscode .idea .run .vim .nvim .config/nvim .emacs.d .fleet .zed .helix .vs .theia .nova .externaltoolbuilders .settings .metals .bloop',
    pattern: /\.(code-workspace|sublime-project|iml|ipr|suo|xcscheme)$/,
  },
  {
    why: 'editors and builds load it, or the plug-ins that it names, as code',
    names:
      'gruntfile.js gulpfile.js gulpfile.ts .clangd .clang-tidy .rubocop.yml .rspec .yardopts .solargraph.yml phpunit.xml phpunit.xml.dist phpstan.neon phpstan.neon.dist psalm.xml rector.php .php-cs-fixer.php .php-cs-fixer.dist.php .pylintrc pylintrc .flake8 mypy.ini .mypy.ini .coveragerc nodemon.json angular.json .ember-cli ember-cli-build.js truffle-config.js foundry.toml electron-builder.js .formatter.exs vitest.workspace.ts vitest.workspace.js .oxlintrc.json tslint.json .simplecov .golangci.yml .golangci.yaml .golangci.toml .golangci.json .credo.exs conf.py mkdocs.yml mkdocs.yaml castor.php robofile.php .luacheckrc .scalafix.conf dangerfile.js dangerfile.ts',
    folders: '.storybook .changeset .expo',
    pattern:
      /\.(config|conf)\.[cm]?[jt]sx?$|^\.[a-z0-9-]+rc\.[cm]?[jt]s$|^\.(eslint|prettier|stylelint|babel|swc|mocha|nyc|parcel|postcss|remark|release|graphql|nodemon)rc(\.(json|jsonc|json5|yaml|yml|toml))?$/,
  },
  {
    why: 'a container or a machine is built and started from it',
    names:
      'dockerfile containerfile vagrantfile devcontainer.json .devcontainer.json docker-bake.hcl tiltfile earthfile skaffold.yaml procfile .gitpod.yml .replit .stackblitzrc .kitchen.yml kitchen.yml .lando.yml process-compose.yaml process-compose.yml mprocs.yaml .overmind.env .foreman terragrunt.hcl .tflint.hcl pulumi.yaml cdk.json serverless.yml serverless.yaml serverless.ts helmfile.yaml helmfile.yml garden.yml okteto.yml okteto.yaml dagger.json fly.toml',
    folders: '.devcontainer .codesandbox .idx .ona .ddev .okteto .dagger .terraform .gitpod .vagrant',
    pattern:
      /^(dockerfile|containerfile)\.|\.(dockerfile|containerfile)$|^(docker-)?compose(\.[a-z0-9._-]+)?\.ya?ml$/,
  },
  {
    why: 'a CI service runs it',
    names:
      '.gitlab-ci.yml .travis.yml .cirrus.yml .drone.yml .woodpecker.yml .appveyor.yml appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml jenkinsfile action.yml action.yaml renovate.json .readthedocs.yaml .readthedocs.yml .drone.star .drone.jsonnet .zuul.yaml zuul.yaml .taskcluster.yml bitrise.yml codemagic.yaml netlify.toml vercel.json wrangler.toml wrangler.json wrangler.jsonc amplify.yml .goreleaser.yml .goreleaser.yaml .release-it.json jitpack.yml .scrutinizer.yml wercker.yml heroku.yml',
    folders:
      '.github/workflows .github/actions .github/scripts .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .semaphore .teamcity .azure-pipelines .azuredevops .tekton .builds .zuul.d .semaphoreci',
    pattern: /^jenkinsfile\.|\.gitlab-ci\.ya?ml$|^azure-pipelines[._-].*\.ya?ml$|^dependabot\.ya?ml$/,
  },
  {
    why: 'npm, yarn, pnpm, bun or deno run its scripts, or load what it names',
    names:
      'package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml .pnp.cjs .pnp.js .pnp.loader.mjs binding.gyp deno.json deno.jsonc lerna.json nx.json turbo.json package.yaml package.json5 .pnpmfile.mts .pnpmfile.ts project.json workspace.json rush.json moon.yml',
    folders: '.yarn node_modules .moon',
  },
  {
    why: 'Python or a tool of it runs it, or what it names',
    names:
      'pyproject.toml setup.py setup.cfg conftest.py sitecustomize.py usercustomize.py tox.ini noxfile.py pytest.ini .pytest.ini pip.conf pip.ini .pypirc pixi.toml pipfile uv.toml hatch.toml pdm.toml poetry.toml dodo.py fabfile.py tasks.py pavement.py',
    folders: 'site-packages .venv',
    pattern: /\.(pth|egg-link)$/,
  },
  {
    why: 'a build runs it, or what it names',
    names:
      'build.rs cargo.toml gemfile gems.rb rakefile rakefile.rb thorfile capfile berksfile appraisals steepfile guardfile fastfile podfile dangerfile brewfile mix.exs rebar.config composer.json settings.gradle build.gradle gradle.properties gradlew gradlew.bat mvnw mvnw.cmd pom.xml build.xml build.sbt workspace workspace.bazel module.bazel build build.bazel .bazelrc .sbtopts .jvmopts global.json dotnet-tools.json .buckconfig cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build sconstruct sconscript wscript configure configure.ac autogen.sh package.swift setup.hs build.zig directory.build.props directory.build.targets nuget.config project.clj deps.edn build.pl cpanfile appfile deliverfile matchfile gymfile pluginfile config.ru cross.toml trunk.toml dioxus.toml build.sc build.mill bb.edn build.boot cabal.project stack.yaml setup.lhs dune dune-project rebar.config.script elvis.config config.exs nim.cfg shard.yml dub.json dub.sdl pubspec.yaml melos.yaml project.pbxproj directory.build.rsp msbuild.rsp shadow-cljs.edn build.zig.zon',
    folders: '.cargo .bundle .mvn .gradle buildsrc gradle/wrapper',
    pattern:
      /\.(gemspec|cabal|(cs|fs|vb|vcx|es|sql|wix)?proj(\.user)?|slnx?|props|targets|nims|nimble|opam|sbt|gradle|gradle\.kts|cmake|rockspec|podspec|bzl|gyp|gypi)$/,
  },
  {
    why: 'make or a task runner runs what is in it',
    names:
      '.air.conf makefile gnumakefile bsdmakefile justfile .justfile taskfile.yml taskfile.yaml taskfile.dist.yml magefile.go makefile.pl .air.toml bacon.toml snakefile',
    pattern: /\.(mk|mak|just)$|^makefile\./,
  },
];

const words = (text = '') => text.split(' ').filter((word) => word !== '');

const BY_NAME: ReadonlyMap<string, string> = new Map(
  RULES.flatMap(({ names, why }) => words(names).map((name) => [name, why] as const)),
);
const BY_FOLDER = RULES.flatMap(({ folders, why }) =>
  words(folders).map((folder) => ({ part: `/${folder}/`, why })),
);
const BY_PATTERN = RULES.flatMap(({ pattern, why }) => (pattern === undefined ? [] : [{ pattern, why }]));

/** Longest file name on any system. */
const NAME_MAX_CHARACTERS = 255;

/** The path without case and invisible characters: some systems ignore both, and take such a name for the plain one. */
export function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

/** Who runs the file at `path` (`/` between its parts) without being asked, and when; null for an ordinary one. */
export function whyItRuns(path: string): string | null {
  const plain = `/${folded(path)}/`;
  const name = plain.slice(plain.lastIndexOf('/', plain.length - 2) + 1, -1);
  return (
    BY_NAME.get(name) ??
    BY_FOLDER.find(({ part }) => plain.includes(part))?.why ??
    (name.length > NAME_MAX_CHARACTERS
      ? undefined
      : BY_PATTERN.find(({ pattern }) => pattern.test(name))?.why) ??
    null
  );
}
