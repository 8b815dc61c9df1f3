import { describe, expect, it } from 'vitest';
import { filesThatRun, runningWords } from './many-question.ts';
import { whyItRuns } from './self-running.ts';

const RUNNING =
  `.envrc sub/.ENVRC .vscode/tasks.json a.code-workspace .idea/runConfigurations/x.xml packages/a/.husky/pre-commit
  .githooks/x hooks/post-commit .gitattributes .gitmodules .pre-commit-config.yaml lefthook.yml .claude/settings.json
  .claude/settings.local.json .mcp.json .codex/config.toml .gemini/settings.json .opencode/plugin/a.js opencode.json
  AGENTS.md sub/CLAUDE.md .cursorrules .github/copilot-instructions.md .github/workflows/ci.yml .gitlab-ci.yml
  .circleci/config.yml Jenkinsfile package.json packages/a/package.json .npmrc .yarnrc.yml .yarn/plugins/a.cjs
  .pnpmfile.cjs binding.gyp Makefile GNUmakefile justfile Taskfile.yml a.mk .bashrc .zshenv .profile dot/.zshrc
  config.fish .tmux.conf .gdbinit pyproject.toml setup.py conftest.py sitecustomize.py x.pth tox.ini build.rs
  .cargo/config.toml Gemfile Rakefile a.gemspec .tool-versions mise.toml .mise.toml .config/mise/config.toml flake.nix
  Dockerfile Dockerfile.dev compose.yaml docker-compose.yml docker-compose.override.yml .devcontainer/devcontainer.json
  .vimrc .exrc .nvim.lua .dir-locals.el vite.config.ts eslint.config.mjs .eslintrc.json .prettierrc .lintstagedrc
  CMakeLists.txt build.gradle.kts gradlew pom.xml .bazelrc Directory.Build.props a.csproj .ssh/config .husky .vscode
  .e\u200bnvrc .ＥＮＶＲＣ node_modules/a/index.js .aider.conf.yml .editorconfig
  .lefthook.yaml .rtx.toml default.nix autorun.inf .config/git/config ipython_config.py .github/hooks/x.json
  .github/agents/a.md .rules .luarc.json omnisharp.json .config/nvim/init.lua .pylintrc .flake8 mypy.ini .coveragerc
  nodemon.json .storybook/main.ts karma.conf.js wdio.conf.js .postcssrc.json phpstan.neon .php-cs-fixer.dist.php
  .yardopts uv.toml hatch.toml noxfile.py dodo.py fabfile.py rakefile.rb Capfile BUILD .sbtopts .jvmopts global.json
  .config/dotnet-tools.json gradle/wrapper/gradle-wrapper.properties AGENTS.override.md .cursor/hooks.json
  .formatter.exs foundry.toml usercustomize.py .mvn/extensions.xml .devcontainer.json
  .lazy.lua .ycm_extra_conf.py compile_commands.json .kateproject a.xcodeproj/project.pbxproj
  a.xcodeproj/xcshareddata/xcschemes/a.xcscheme .vs/a/v17/.suo a.sln a.slnx a.proj a.csproj.user Directory.Build.rsp
  MSBuild.rsp package.yaml package.json5 vitest.workspace.ts project.json .versionrc .release-it.json
  .changeset/config.json .oxlintrc.json tslint.json .czrc nano-staged.json docs/conf.py mkdocs.yml gunicorn.conf.py
  .simplecov config.ru .rvmrc .powrc fastlane/Appfile .byebugrc Build.PL cpanfile .user.ini .htaccess RoboFile.php
  castor.php .golangci.yml .goreleaser.yaml Cross.toml Trunk.toml .sdkmanrc .project .classpath
  .externalToolBuilders/a.launch .settings/a.prefs build.sc build.mill bb.edn cabal.project stack.yaml hie.yaml
  Setup.lhs dune dune-project .merlin .credo.exs rebar.config.script .erlang config.nims nim.cfg a.nimble shard.yml
  dub.json pubspec.yaml .terraform/providers/x terragrunt.hcl .tflint.hcl Pulumi.yaml cdk.json serverless.yml
  helmfile.yaml .kube/config .docker/config.json .aws/config .kitchen.yml .bash_completion .direnvrc .direnv/x
  .p10k.zsh .config/kitty/kitty.conf .config/hypr/hyprland.conf .wezterm.lua .local/bin/x desktop.ini a.lnk a.url
  a.scf a.library-ms Microsoft.PowerShell_profile.ps1 .hgrc .hgsub .jjconfig.toml .bzr/x .fossil-settings/x
  .p4config hk.pkl .rusty-hook.toml .gitlint .trunk/trunk.yaml .drone.star .zuul.yaml .taskcluster.yml
  azure-pipelines-1.yml bitrise.yml codemagic.yaml netlify.toml vercel.json .stackblitzrc .codesandbox/tasks.json
  .idx/dev.nix .amp/settings.json .agent/rules/a.md .vibe/config.toml .iflow/settings.json .serena/project.yml
  gemini-extension.json .aiassistant/rules/a.md .codeium/x .zencoder/x .firebender/x .forge/x .ona/automations.yaml
  .cursor-plugin/plugin.json .codex-plugin/plugin.json .vimspector.json .nvim-dap.lua .condarc tasks.py pavement.py
  rush.json moon.yml .moon/tasks.yml wrangler.toml .air.conf mprocs.yaml process-compose.yaml .overmind.env .foreman
  .tmuxinator.yml .tmuxp.yaml .lando.yml .ddev/config.yaml .dagger/x dagger.json garden.yml .okteto/x okteto.yml
  .pnpmfile.mts package-lock.json yarn.lock pnpm-lock.yaml bun.lock Cargo.lock uv.lock requirements-dev.txt flake.lock
  .lefthook-local.yml lefthook-local.toml .simple-git-hooks.cjs .hooks/x mise.production.toml mise/config.toml
  mise-tasks/build .prototools .shadowenv.d/100.lisp bin/hermit.hcl .flox/env/manifest.toml .tmuxinator.yaml
  .antigravity/x mcp_config.json conductor.json .emdash.json .superset/config.json .clinerules-code .kilocodemodes
  .github/instructions/a.md .github/aw/a.md CODEOWNERS renovate.json5 .renovaterc .woodpecker.yaml .drone.yaml
  .rwx/ci.yml .depot/workflows/a.yml .azure/a.yml .ebextensions/a.config Taskfile.dist.yaml .taskrc.yml a.smk
  hatch_build.py .exrc.lua coc-settings.json a.sublime-build .arclint conanfile.py build-logic/src/a.kts lib/a.rake
  cron.d/a crontab a.socket .zshrc.zwc x.plugin.zsh tools/bazel .bazelversion nix/overlay.nix guix.scm .python-version
  .nvmrc .env.local .env.production.local renv/activate.R _quarto.yml Project.toml .valgrindrc lib/x-gdb.py pkgIndex.tcl
  META-INF/services/javax.annotation.processing.Processor ci_scripts/ci_post_clone.sh ios/.xcode.env main.tf
  tools.mcp.json .mcp.local.json fastmcp.mcp.toml plugin/hooks/hooks.json gptme.toml .pr_agent.toml .rulesync/rules/a.md
  .cursor-rules/a.mdc codex.md replit.md .taskmaster/config.json .ruler/a.md .projections.json rust-analyzer.toml .ccls
  tsconfig.json tsconfig.build.json dprint.json .markdownlint-cli2.mjs jest.setup.ts cspell.json app.plugin.js
  kustomization.yaml .gitlab-ci-local.yml .actrc codeship-steps.yml turbo.jsonc vlt.json package-scripts.js book.toml
  Doxyfile build.ninja recipes/a.bb PKGBUILD debian/rules a.spec prisma/schema.prisma buf.gen.yaml dbt_project.yml
  config/initializers/a.rb config/runtime.exs config/boot.rb build.kts a.main.kts a.csx gradle/libs.versions.toml
  wp-cli.yml maskfile.md Makefile.am Jamfile Kconfig cliff.toml .bumpversion.toml gleam.toml a.playground`.split(
    /\s+/,
  );

const CI_AND_BUILD =
  `.busted .size-limit.js typedoc.js testem.js electron-builder.yml .ansible-lint great_expectations.yml vela.yml evergreen.yml
  .ci.yml bitbucket-pipelines.yaml .packit.yaml .concourse.yml .gocd.yaml .argo.yml .cirun.yml .sourcehut.yml bors.toml
  .jenkins/x .obs/workflows.yml .gitlab-ci/build.yml .travis/deploy.sh extra_script.py MLproject alire.toml fpm.toml
  _CoqProject artisan snap/hooks/install .chezmoiscripts/run_once_x.sh .chezmoi.toml.tmpl sub/default.do
  lazygit.yml .lazygit.yml starship.toml .lessfilter .taskrc .forward .skhdrc .zsh_aliases etc/profile.d/a.sh layout.kdl
  etc/cron.daily/a etc/udev/rules.d/a.rules systemd/user/a.target sub/HEAD _darcs/prefs/defaults .cursorignore .aiexclude
  gulpfile.mjs Gruntfile.coffee Jakefile .vscode-test.mjs .bowerrc webpack.config.babel.js cypress/support/e2e.js
  config/application.rb puma.rb gemfiles/a.gemfile copier.yml hooks/post_gen_project.sh rokit.toml volta.json cog.yaml
  .cnb.yml .workflow/a.yml src-tauri/Tauri.toml data_readers.clj .ghcid uwsgi.ini`.split(/\s+/);

const ORDINARY =
  `notes/envrc.md vscode/notes.md src/main.ts README.md docs/agents-of-change.md src/make/file.c packages.json
  github/workflows.md src/hooks/use-store.ts src/config.ts lib/compose.ts test/fixtures/data.json .gitignore LICENSE
  src/envrc.ts a/b/c.py src/makefile-parser.ts src/update.ts src/build/index.ts notes.txt conf.js src/rules.md go.mod docs/url.md a.projection src/mcp.ts mcp-notes.md version .github/labeler.yml a.spec.ts tests/env.ts config/kube.md src/dune.ts settings.md Dockerfiles.md src/git.ts mise/notes.md promise.toml
  docs/requirements.md lib/locker.ts src/hooks.ts crontab.md`.split(/\s+/);

describe('whyItRuns', () => {
  it.each([...RUNNING, ...CI_AND_BUILD])('names %j', (path) => expect(whyItRuns(path)).not.toBeNull());
  it.each(ORDINARY)('accepts %j', (path) => expect(whyItRuns(path)).toBeNull());

  it('names the target of a link whose own name runs, and everything below it', () => {
    const links = new Map([
      ['env/main.sh', '.envrc'],
      ['tools/hooks', '.husky'],
      ['docs', '.github/workflows'],
    ]);
    expect(whyItRuns('env/main.sh', links)).toBe(
      'direnv or a plug-in of the shell runs it when you enter the folder, as .envrc, which is a link to it',
    );
    expect(whyItRuns('tools/hooks/a/b', links)).toContain('as .husky/a/b,');
    expect(whyItRuns('docs/a.md', links)).toContain('a CI service runs it');
    for (const path of ['env/main.sh.md', 'env', 'tools/hooks-of', 'tools'])
      expect(whyItRuns(path, links)).toBeNull();
  });

  it('says who runs it', () => {
    expect(whyItRuns('.envrc')).toBe('direnv or a plug-in of the shell runs it when you enter the folder');
    expect(whyItRuns('.claude/settings.json')).toBe('an AI CLI takes its set-up, hooks and tools from it');
  });

  it('is fast for a deliberately long name', () => {
    const began = performance.now();
    for (const part of ['a.', '.config', 'compose.', '-']) whyItRuns(`${part.repeat(100_000)}!`);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('the question before everything is accepted', () => {
  const hunk = (file: string, kind: 'runs' | 'hidden' = 'runs') => ({ file, warnings: [{ kind }] });

  it('mentions each file once', () => {
    const hunks = [hunk('.envrc'), hunk('.envrc'), hunk('a.ts', 'hidden'), hunk('Makefile')];
    expect(filesThatRun(hunks)).toEqual(['.envrc', 'Makefile']);
  });

  it('names them, and counts those beyond a limit', () => {
    expect(runningWords(['.envrc'])).toBe('.envrc runs by itself.');
    expect(runningWords(['.envrc', 'Makefile'])).toBe('.envrc and Makefile run by themselves.');
    const many = runningWords(Array.from({ length: 12 }, (_, at) => `${at}.mk`));
    expect(many).toBe('0.mk, 1.mk, 2.mk, 3.mk, 4.mk, 5.mk, 6.mk, 7.mk and 4 more run by themselves.');
  });
});
