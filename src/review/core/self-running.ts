/** Files that programs run or obey unasked: shells, version controls, editors, AI CLIs. By name only. Pure. */

interface Rule {
  /** Who runs it, and when. */
  readonly why: string;
  /** File names at any depth, separated by blanks. */
  readonly names?: string;
  /** Everything below these folders, at any depth. */
  readonly folders?: string;
  /** Matches the file's name in lower case. */
  readonly pattern?: RegExp;
}

const RULES: readonly Rule[] = [
  {
    why: 'direnv or a plug-in of the shell runs it when you enter the folder',
    names:
      '.envrc .env .autoenv .autoenv.zsh devenv.nix shell.nix default.nix flake.nix flake.lock .autoenv_leave.zsh .env.leave .rvmrc .env.enter .smartcd_enter .smartcd_leave .bash_smartcd .enter.zsh .exit.zsh .zenv .direnvrc .powrc .powenv .envrc.local .envrc.private .ondirrc .shadowenv devenv.yaml devenv.lock guix.scm manifest.scm channels.scm .guix-authorizations',
    folders: '.direnv .devenv .shadowenv.d npins',
    pattern: /\.nix$/,
  },
  {
    why: 'a version manager reads it when you enter the folder, and may run what it names',
    names:
      '.tool-versions devbox.json devbox.lock rust-toolchain rust-toolchain.toml .rtx.toml .sdkmanrc .prototools .miserc.toml pkgx.yaml .pkgx.yaml pkgx.yml aqua.yaml .bazeliskrc .mill-version lean-toolchain hermit.hcl .nvmrc aftman.toml rokit.toml foreman.toml .n-node-version .fnmrc .corepack.env volta.json .voltarc .pyenv-version .rbenv-vars .juliaup .sdkman .jabba.yml proto.toml',
    folders: '.mise mise/config.toml .config/mise .asdf .proto .flox .hermit mise-tasks .mise-tasks',
    pattern: /^\.?mise(\.[a-z0-9_.-]+)?\.toml$|^\.[a-z]+-version$/,
  },
  {
    why: 'a shell runs it when it starts or ends',
    names:
      '.profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xonshrc config.fish config.nu env.nu profile.ps1 .bash_completion .p10k.zsh .mkshrc .shrc .zimrc .xsessionrc .xserverrc .zshrc.local .zshenv.local .bashrc.local .zsh_plugins.txt .zpreztorc .blerc rc.elv rc.xsh login.nu .hushlogin .antigenrc antigen.zsh .bash-preexec.sh .zcompdump .inputrc.local .dircolors .zsh_aliases .aliases .functions .exports .bash_prompt .bash_functions .bash_exports .zsh_functions .localrc .extra .bash_env .lessfilter .lessopen starship.toml .starship.toml',
    folders:
      'fish/conf.d fish/functions profile.d .bash_sessions .zsh .zfunc .bash_completion.d bash-completion/completions site-functions .bashrc.d .zshrc.d .oh-my-zsh .oh-my-bash .zprezto .zinit .zi .zplug',
    pattern: /_profile\.ps1$|\.(zwc|zsh-theme|plugin\.zsh)$/,
  },
  {
    why: 'a program takes its set-up from it, and may run what it names',
    names:
      '.tmux.conf tmux.conf .chezmoi.toml.tmpl .chezmoiroot .screenrc .gdbinit .lldbinit .curlrc .wgetrc .ripgreprc .xinitrc .xprofile .xsession .pam_environment .mailcap .psqlrc .sqliterc .my.cnf .rprofile .renviron .octaverc .ghci .ocamlinit .iex.exs .irbrc .pryrc .pdbrc .watchmanconfig ansible.cfg .terraformrc .gdbearlyinit .radare2rc .pythonrc .pythonstartup autorun.inf .wezterm.lua .condarc .erlang .byebugrc .gemrc desktop.ini .user.ini php.ini .htaccess .tmuxinator.yml .tmuxp.yaml .p4config .lldbinit-lldb gunicorn.conf.py gunicorn_conf.py .rdbgrc .psysh.php .procmailrc .muttrc .latexmkrc latexmkrc .sheldon.toml .dbxrc .rprofile.site .tclshrc .gnuplot .latexmk crontab .crontab startup.jl .duckdbrc .mongoshrc.js .lldbinit-xcode .gdbinit.local .perldb .ackrc sesh.toml .tmux.conf.local .screenrc.local .valgrindrc .ltracerc .cgdbrc .perfconfig .gdbinit.py .tigrc .lesskey .xresources .xbindkeysrc xmonad.hs kitty.conf wezterm.lua .hyper.js ecosystem.json .proverc .perltidyrc .perlcriticrc pkgindex.tcl .wishrc .xcode.env .xcode.env.local wp-cli.yml wp-cli.local.yml drush.yml .actrc .env.local lazygit.yml .lazygit.yml .pdbrc.py .forward .taskrc .skhdrc .yabairc .slate .phoenix.js .aerospace.toml .xsetup rc.local ld.so.preload .asoundrc .ghcid .arararc.yaml arara.yaml uwsgi.ini supervisord.conf circus.ini texmf.cnf web.config',
    folders:
      '.ssh .gnupg .ipython profile_default/startup cron.hourly cron.daily cron.weekly cron.monthly udev/rules.d polkit-1/rules.d sudoers.d init.d modprobe.d modules-load.d tmpfiles.d sysctl.d environment.d systemd/system systemd/user dbus-1/services dbus-1/system-services networkmanager/dispatcher.d ld.so.conf.d pam.d xinitrc.d .screenlayout .task/hooks .mpv/scripts .raycast .jupyter .config .local .kube .docker .aws .tmuxinator .hammerspoon .xonsh cron.d launchagents launchdaemons .chezmoiscripts .chezmoidata containers/systemd .tmux .tmuxifier .teamocil .byobu .xmonad .i3 .zellij',
    pattern:
      /\.(desktop|service|timer|socket|automount|mount|path|target|plist|lnk|url|scf|kdl|library-ms|searchconnector-ms|container|ltx)$|-gdb\.(py|gdb|scm)$|^\.env\.(development|production|test|staging|dev|prod)(\.local)?$|^\.?(tmuxinator|tmuxp|smug)\.(ya?ml|json)$|^(ipython|jupyter\w*)_config\.(py|json)$/,
  },
  {
    why: 'git or another version control reads it, and may run what it names',
    names:
      '.gitattributes .gitmodules .gitconfig .gitconfig.local gitconfig .gitreview .arcconfig .arclint .arcrc .lfsconfig .hgrc .hgsub .jjconfig.toml head',
    folders: '.git .jj .hg .svn .bzr .sl .pijul .fossil-settings _darcs _fossil_ cvsroot _mtn',
  },
  {
    why: 'git runs it, or what it names, as a hook',
    names:
      '.pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml .pre-commit-config.yml .huskyrc .huskyrc.json .husky.json .githooks.json .overcommit.yml captainhook.json .captainhook.json grumphp.yml hk.pkl hk.toml cog.toml rusty-hook.toml .rusty-hook.toml .gitlint nano-staged.json .nano-staged.json .czrc .versionrc .bumpversion.cfg .bumpversion.toml bumpversion.toml tbump.toml cliff.toml',
    folders:
      '.husky .githooks .git-hooks githooks git-hooks .git_hooks git_hooks .hooks .hk .lefthook .trunk .cargo-husky',
    pattern:
      /^(applypatch-msg|commit-msg|fsmonitor-watchman|p4-[a-z-]+|post-(applypatch|checkout|commit|index-change|merge|receive|rewrite|update)|pre-(applypatch|auto-gc|commit|merge-commit|push|rebase|receive)|prepare-commit-msg|proc-receive|push-to-checkout|reference-transaction|sendemail-validate|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.?simple-git-hooks\.(json|[cm]?js)|\.?lint-?staged(rc)?(\..+)?|\.?commitlint(rc)?(\..+)?)$/,
  },
  {
    why: 'an AI CLI takes its set-up, hooks and tools from it',
    names:
      '.mcp.json mcp.json .claude.json opencode.json opencode.jsonc .aider.conf.yml .aider.model.settings.yml .goosehints .roomodes crush.json .crush.json gemini-extension.json mcp_config.json mcp_settings.json mcp-config.json claude_desktop_config.json managed-settings.json conductor.json .emdash.json codebuff.json cody.json .continuerc.json .kilocodemodes smithery.yaml hooks.json gptme.toml agents.toml openhands.toml ralph.yml .pr_agent.toml .coderabbit.yaml .coderabbit.yml greptile.json .sweep.yaml sweep.yaml copilot-setup-steps.yml mcphub.json sandbox.config.json rulesync.jsonc ruler.toml .aiderignore .cursorignore .cursorindexingignore .claudeignore .geminiignore .aiexclude .codeiumignore .rooignore .clineignore .kilocodeignore .copilotignore .continueignore .augmentignore .crushignore .opencodeignore .aiignore .agentignore .agentrc cagent.yaml cagent.yml .mentat_config.json .mentatconfig.json ellipsis.yaml .ellipsis.yaml',
    pattern: /^\.?([a-z0-9_-]+[._-])?mcp([._-][a-z0-9_.-]+)?\.(jsonc?|ya?ml|toml)$/,
    folders:
      '.claude .claude-plugin .codex .gemini .opencode .pi .agents .cursor .continue .windsurf .cline .clinerules .roo .kiro .kilocode .amazonq .augment .goose .qwen .crush .trae .junie .factory .copilot .openhands .kimi .codebuddy .warp .rovodev .github/hooks .github/agents .github/prompts .github/skills .github/copilot .amp .agent .vibe .iflow .serena .cursor-plugin .codex-plugin .aiassistant .codeium .zencoder .firebender .forge .tabnine .qodo .devin .grok .antigravity .letta .codebuff .plandex .mux .conductor .superset .cmux .jules .cody .sourcegraph .mcp .void .lingma .comate .droid .github/aw .github/instructions .github/chatmodes .ruler .rulesync .specify .bmad-core .taskmaster .claude-flow .swarm .hive-mind .ralph .ai .ampcode .lovable .bolt .v0 .gptme .mcphub .toolhive .supermaven .pearai .melty .builder .greptile .codex-cli .swe-agent .kilo .cagent .beads .sculptor .crystal .openspec .auggie .claude-code .blackbox .bito .tabby .aide .kodu .cognition .github/spark',
  },
  {
    why: 'an AI CLI follows the instructions in it',
    names:
      'agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md .cursorrules .windsurfrules .clinerules .rules .roorules .kilocoderules copilot-instructions.md skill.md codex.md .codex.md replit.md .replit.md airules.md .builderrules .augment-guidelines .openhands_instructions .aiderrules .claude.md',
    pattern: /^\.(clinerules|roorules)-|\.(instructions|prompt|chatmode|agent)\.md$|\.mdc$/,
  },
  {
    why: 'an editor takes its set-up from it, and may run what it names',
    names:
      '.vimrc _vimrc .gvimrc .exrc _exrc .nvimrc .nvim.lua .lvimrc .local.vimrc .vimrc.local .ideavimrc .dir-locals.el .dir-locals-2.el .emacs .emacs.el .projectile .kakrc .neoconf.json launch.vs.json tasks.vs.json .editorconfig .luarc.json .luarc.jsonc omnisharp.json .lazy.lua .ycm_extra_conf.py compile_commands.json .kateproject .project .classpath .factorypath .vimspector.json .nvim-dap.lua .merlin hie.yaml .tm_properties .exrc.lua .nvimrc.lua .vimrc.lua .dap.lua session.vim coc-settings.json .nrepl.edn .lite_project.lua .lite_project_module.lua compile_flags.txt pyrightconfig.json .ctags eask cask eldev .projections.json .projectionist.json .session.vim .vim-project .ccls .cquery rust-analyzer.toml .rust-analyzer.toml .pyre_configuration zls.json init.vim early-init.el .exrc.vim .nvimrc.vim elm-tooling.json',
    folders:
      '.vscode .idea .run .vim .nvim .config/nvim .emacs.d .fleet .zed .helix .vs .theia .nova .externaltoolbuilders .settings .metals .bloop .lsp .clj-kondo .ctags.d .lapce .nlsp-settings nbproject .kak .atom .geany',
    pattern:
      /\.(code-workspace|code-profile|sublime-project|sublime-build|iml|ipr|suo|xcscheme|xcworkspacedata|kdev4|tt|runsettings|ruleset)$/,
  },
  {
    why: 'editors and builds load it, or the plug-ins that it names, as code',
    names:
      'gruntfile.js gulpfile.js gulpfile.ts gruntfile.ts gruntfile.cjs gruntfile.mjs gruntfile.coffee gulpfile.mjs gulpfile.cjs gulpfile.esm.js gulpfile.babel.js gulpfile.babel.ts gulpfile.coffee jakefile jakefile.js cakefile .vscode-test.js .vscode-test.mjs .vscode-test.cjs gridsome.server.js gatsby-ssr.js gatsby-browser.js brunch-config.js jsdoc.json .jsdoc.json typedoc.json .tern-project .solhint.json .bowerrc bower.json .angular-cli.json cypress.json test_helper.rb phpunit.dist.xml .phpunit.xml .clangd .clang-tidy .rubocop.yml .rspec .yardopts .solargraph.yml phpunit.xml phpunit.xml.dist phpstan.neon phpstan.neon.dist psalm.xml rector.php .php-cs-fixer.php .php-cs-fixer.dist.php .pylintrc pylintrc .flake8 mypy.ini .mypy.ini .coveragerc nodemon.json angular.json .ember-cli ember-cli-build.js truffle-config.js foundry.toml electron-builder.js .formatter.exs vitest.workspace.ts vitest.workspace.js .oxlintrc.json tslint.json .simplecov .golangci.yml .golangci.yaml .golangci.toml .golangci.json .busted .size-limit.js typedoc.js testem.js electron-builder.yml electron-builder.json5 .ansible-lint great_expectations.yml .credo.exs conf.py mkdocs.yml mkdocs.yaml castor.php robofile.php .luacheckrc .scalafix.conf dangerfile.js dangerfile.ts .xo-config.js .sequelizerc knexfile.js knexfile.ts ormconfig.js gatsby-node.js gatsby-config.js plopfile.js plopfile.mjs webpack.mix.js ecs.php cucumber.js .eleventy.js behave.ini .phpactor.json .lintr wallaby.js tsconfig.json jsconfig.json dprint.json .dprint.json biome.json biome.jsonc oxlint.json babel.config.json app.plugin.js codegen.ts codegen.yml codegen.yaml .graphqlconfig sanity.cli.ts truffle.js .taprc .c8rc.json .syncpackrc .ncurc.json .textlintrc .textlintrc.json cspell.json .cspell.json .standard.yml .haml-lint.yml .erb-lint.yml .erb_lint.yml .reek.yml .php_cs .php_cs.dist psalm.xml.dist phpbench.json infection.json infection.json5 pest.php setuptests.ts setuptests.js esbuild.mjs esbuild.js .lighthouserc.json brownie-config.yaml anchor.toml slither.config.json',
    folders:
      '.storybook .changeset .expo site_scons .vitepress .vuepress .docusaurus .sorbet cypress/support cypress/plugins',
    pattern:
      /\.(config|conf)(\.babel|\.esm)?\.[cm]?[jt]sx?$|^\.[a-z0-9-]+rc\.[cm]?[jt]s$|^\.(eslint|prettier|stylelint|babel|swc|mocha|nyc|parcel|postcss|remark|release|graphql|nodemon|c8|nyc|ncu|textlint|markdownlint)rc(\.(json|jsonc|json5|yaml|yml|toml))?$|^\.markdownlint(-cli2)?\.(jsonc?|ya?ml|[cm]?js)$|^(jest|vitest)[.-](global[.-])?(setup|teardown)\.[cm]?[jt]sx?$|^tsconfig\.[a-z0-9_.-]+\.json$/,
  },
  {
    why: 'a container or a machine is built and started from it',
    names:
      'dockerfile containerfile vagrantfile devcontainer.json .devcontainer.json docker-bake.hcl tiltfile earthfile skaffold.yaml procfile .gitpod.yml .replit .stackblitzrc .kitchen.yml kitchen.yml .lando.yml process-compose.yaml process-compose.yml mprocs.yaml .overmind.env .foreman terragrunt.hcl .tflint.hcl pulumi.yaml cdk.json serverless.yml serverless.yaml serverless.ts helmfile.yaml helmfile.yml garden.yml okteto.yml okteto.yaml dagger.json fly.toml devfile.yaml .devfile.yaml devspace.yaml samconfig.toml packer.json firebase.json procfile.dev .procfile railway.json railway.toml nixpacks.toml render.yaml app.json skaffold.yml replit.nix encore.app root.hcl terraform.rc .solo.yml docker-stack.yml atlantis.yaml atlantis.yml digger.yml overmind.env procfile.local molecule.yml skaffold.env cdktf.json kustomization.yaml kustomization.yml snapcraft.yaml cloud-init.yaml cog.yaml bentofile.yaml e2b.toml e2b.dockerfile shopify.app.toml dev.yml vagrantfile.local ionic.config.json capacitor.config.json',
    folders:
      '.devcontainer .codesandbox .idx .ona .ddev .okteto .dagger .terraform .gitpod .vagrant .coder .daytona .lando .docksal .spacelift .devbox .chalice',
    pattern:
      /^(dockerfile|containerfile|tiltfile)\.|\.(dockerfile|containerfile|tf|tofu|tf\.json|pkr\.hcl|tfbackend)$|^((docker|podman|process)-)?compose(\.[a-z0-9._-]+)?\.ya?ml$/,
  },
  {
    why: 'a CI service runs it',
    names:
      '.gitlab-ci.yml .travis.yml .cirrus.yml .drone.yml .woodpecker.yml .appveyor.yml appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml jenkinsfile action.yml action.yaml renovate.json .readthedocs.yaml .readthedocs.yml .drone.star .drone.jsonnet .zuul.yaml zuul.yaml .taskcluster.yml bitrise.yml codemagic.yaml netlify.toml vercel.json wrangler.toml wrangler.json wrangler.jsonc amplify.yml .goreleaser.yml .goreleaser.yaml .release-it.json jitpack.yml .scrutinizer.yml wercker.yml heroku.yml .drone.yaml .woodpecker.yaml .appveyor.yaml .cirrus.star .vela.yml .cnb.yml .coding-ci.yml .mergify.yml mergify.yml renovate.json5 .renovaterc .renovaterc.json .build.yml .evergreen.yml .onedev-buildspec.yml .space.kts screwdriver.yaml codefresh.yml cloudbuild.yml buildspec.yaml appspec.yml .platform.app.yaml .gitlab-ci.yaml codeowners .probot.yml .prow.yaml .gitlab-ci-local.yml .travis.yaml circle.yml .circleci.yml codeship-steps.yml codeship-services.yml .codeship.yml shippable.yml .shippable.yml .semaphore.yml .codeclimate.yml .hound.yml concourse.yml buildkite.yml .bitrise.yml bitrise.secrets.yml appcenter-post-clone.sh appcenter-pre-build.sh appcenter-post-build.sh ci_post_clone.sh ci_pre_xcodebuild.sh ci_post_xcodebuild.sh vela.yml evergreen.yml .ci.yaml .ci.yml bitbucket-pipelines.yaml .packit.yaml packit.yaml .concourse.yml .gocd.yaml .argo.yml .cirun.yml .sourcehut.yml .cds.yml bors.toml .kodiak.toml jenkins.yml jenkins.yaml garnix.yaml hercules-ci.nix dagger.cue',
    folders:
      '.github/workflows .github/actions .github/scripts .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .semaphore .teamcity .azure-pipelines .azuredevops .tekton .builds .zuul.d .semaphoreci .azure .rwx .depot .harness .codefresh .ebextensions .platform .upsun .gitlab-ci .jenkins .obs .laminar .travis .packit .prow .kokoro .ci .workflow .gitee .shopify-build .concourse ci_scripts',
    pattern: /^jenkinsfile\.|\.gitlab-ci\.ya?ml$|^azure-pipelines[._-].*\.ya?ml$|^dependabot\.ya?ml$/,
  },
  {
    why: 'npm, yarn, pnpm, bun or deno run its scripts, or load what it names',
    names:
      'package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml .pnp.cjs .pnp.js .pnp.loader.mjs binding.gyp deno.json deno.jsonc lerna.json nx.json turbo.json package.yaml package.json5 .pnpmfile.mts .pnpmfile.ts project.json workspace.json rush.json moon.yml .pnpmrc .nypmrc package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock import_map.json pnpmfile.cjs pnpm-workspace.yml turbo.jsonc workspace.jsonc bit.json moon.pkl vlt.json vlt-lock.json jsr.json .ncurc package-scripts.js package-scripts.yml package-scripts.cjs .node-options .pnp.data.json eas.json',
    folders: '.yarn .yalc node_modules .moon',
  },
  {
    why: 'Python or a tool of it runs it, or what it names',
    names:
      'pyproject.toml setup.py post_gen_project.py pre_gen_project.py post_gen_project.sh pre_gen_project.sh pre_prompt.py pre_prompt.sh copier.yml copier.yaml conda.yaml conda.yml setup.cfg conftest.py sitecustomize.py usercustomize.py tox.ini noxfile.py pytest.ini .pytest.ini pip.conf pip.ini .pypirc pixi.toml pipfile uv.toml hatch.toml pdm.toml poetry.toml dodo.py fabfile.py extra_script.py mlproject tasks.py pavement.py pytest.toml .pytest.toml hatch_build.py pdm_build.py versioneer.py environment.yml environment.yaml uv.lock poetry.lock pdm.lock pipfile.lock pixi.lock pyvenv.cfg .python-startup.py .pythonrc.py .pdm.toml buildout.cfg setup_build.py superset_config.py airflow_local_settings.py',
    folders: 'site-packages .venv',
    pattern: /\.(pth|egg-link)$|^(requirements|constraints)[\w.-]*\.(txt|in)$/,
  },
  {
    why: 'a build runs it, or what it names',
    names:
      'build.rs cargo.toml puma.rb unicorn.rb tauri.toml tauri.conf.json5 waf tup.config buildfile please.build .plzconfig build.pants gemfile.next data_readers.clj data_readers.cljc wally.toml jreleaser.yml bleep.yaml gemfile gems.rb rakefile rakefile.rb thorfile capfile berksfile appraisals steepfile guardfile fastfile podfile dangerfile brewfile mix.exs rebar.config composer.json settings.gradle build.gradle gradle.properties gradlew gradlew.bat mvnw mvnw.cmd pom.xml build.xml build.sbt workspace workspace.bazel module.bazel build build.bazel .bazelrc .sbtopts .jvmopts global.json dotnet-tools.json .buckconfig cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build sconstruct sconscript wscript configure configure.ac autogen.sh package.swift setup.hs build.zig directory.build.props directory.build.targets nuget.config project.clj deps.edn build.pl cpanfile appfile deliverfile matchfile gymfile pluginfile config.ru cross.toml trunk.toml dioxus.toml build.sc build.mill bb.edn build.boot cabal.project stack.yaml setup.lhs dune dune-project rebar.config.script elvis.config config.exs nim.cfg shard.yml dub.json dub.sdl pubspec.yaml melos.yaml project.pbxproj directory.build.rsp msbuild.rsp shadow-cljs.edn build.zig.zon meson_options.txt meson.options configure.in configure.win aclocal.m4 acinclude.m4 bootstrap.sh conanfile.py conanfile.txt vcpkg.json portfile.cmake xmake.lua premake5.lua premake4.lua buck targets buck2.toml package.bazel repo.bazel pants.toml .pants.rc user.bazelrc .bazelproject lakefile.lean lakefile.toml esy.json spago.yaml spago.dhall build.cake build.fsx nuke.cmd packages.config paket.dependencies launchsettings.json west.yml platformio.ini idf_component.yml makefile.toml tuist.swift puppetfile policyfile.rb cartfile mintfile spec_helper.rb rails_helper.rb test_helper.exs sys.config vm.args dist.ini cargo.lock gemfile.lock composer.lock mix.lock analysis_options.yaml build.yaml build.clj profiles.clj user.clj .lein-env init.gradle .java-opts .mill-jvm-opts .mill-opts package.resolved gems.locked tauri.conf.json jbang-catalog.json bazel.rc project.swift workspace.swift project.yml podfile.lock cartfile.resolved gemfile.local .irbrc.rb .pryrc.rb .simplecov.rb .rspec-local spring.rb boot.rb runtime.exs dev.exs test.exs prod.exs .iex.local.exs rebar.lock relx.config emakefile gleam.toml opam dune-workspace dune.inc cabal.project.local cabal.project.freeze cabal.config hpack.yaml stack.yaml.lock shakefile.hs shard.lock v.mod build.vsh cargo-generate.toml libs.versions.toml gradle.lockfile ivy.xml ivysettings.xml build.properties build.scala project.scala build.mill.yaml jbang.properties build.ps1 psakefile.ps1 paket.lock jamroot jamfile project-root.jam kconfig local.conf bblayers.conf pkgbuild apkbuild portfile book.toml antora-playbook.yml _config.yml _config.yaml hugo.toml hugo.yaml doxyfile _targets.r _quarto.yml _quarto.yaml _bookdown.yml makevars makevars.win project.toml manifest.toml juliaproject.toml juliamanifest.toml localpreferences.toml startup.m dbt_project.yml buf.gen.yaml sqlc.yaml sqlc.yml alembic.ini composer.local.json deploy.php envoy.blade.php cpanfile.snapshot minil.toml module.bazel.lock workspace.bzlmod .bazelversion config.site ccache.conf .ccache.conf chocolateyinstall.ps1 esy.lock packages.dhall alire.toml fpm.toml _coqproject ape-config.yaml boot.properties figwheel-main.edn artisan .snapcraft.yaml all.do default.do',
    folders:
      '.cargo .bundle .mvn .gradle .fvm .nuget buildsrc build-logic gradle/wrapper gradle/init.d meta-inf/services config/initializers renv config/environments config/application.rb deps/build.jl gemfiles homebrewformula .luarocks cmsis packrat .scala-build .jbang .swiftpm tuist .phive debian snap/hooks',
    pattern:
      /\.(gemspec|cabal|(cs|fs|vb|vcx|es|sql|wix)?proj(\.user)?|slnx?|props|targets|nims|nimble|opam|sbt|gradle|gradle\.kts|cmake|rockspec|podspec|bzl|gyp|gypi|gni|rake|xcconfig|pri|qbs|uproject|uplugin|kts|csx|ninja|jam|bb|bbclass|bbappend|ebuild|prisma|opam\.template|playground|spec)$|^bazel$/,
  },
  {
    why: 'make or a task runner runs what is in it',
    names:
      '.air.conf makefile gnumakefile bsdmakefile justfile .justfile .taskrc.yml magefile.go makefile.pl .air.toml air.toml bacon.toml .bacon.toml snakefile kbuild tupfile dvc.yaml nextflow.config modd.conf maskfile.md mask.md makefile.am makefile.in build.mk',
    folders: 'magefiles .dvc',
    pattern: /\.(mk|mak|just|smk)$|^makefile\.|^taskfile(\.dist)?(\.local)?\.ya?ml$/,
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

/** Longest file name of any system. */
const NAME_MAX_CHARACTERS = 255;

/** The path without case and invisible characters: some systems ignore both, so such a name equals the plain one. */
export function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

/** Targets of project links whose own names run: the path of the file or folder, and the link's. */
export type RunningLinks = ReadonlyMap<string, string>;

/** Who runs the file at `path` (parts separated by `/`) unasked, and when; null for an ordinary file. */
export function whyItRuns(path: string, links: RunningLinks = new Map()): string | null {
  const why = whyNamedSo(path);
  if (why !== null) return why;
  for (const [target, link] of links) {
    if (path !== target && !path.startsWith(`${target}/`)) continue;
    const through = link + path.slice(target.length);
    const found = whyNamedSo(through);
    if (found !== null) return `${found}, as ${through}, which is a link to it`;
  }
  return null;
}

function whyNamedSo(path: string): string | null {
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
