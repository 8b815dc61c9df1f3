import { describe, expect, it } from 'vitest';
import { isSecretFile } from './secret-files.ts';

const SECRET =
  `.env sub/.ENV .env.local .env.production .env.bak .env~ .env.old #.env# .#.env .env.swp ..env.swp .env.20250101 .env.gz
  prod.env config/prod.env .envrc .aws/credentials .aws/config home/.aws/sso/cache/x.json config/credentials.json credentials
  config/credentials.yml.enc config/master.key secrets.yaml secrets.prod.yaml prod-secrets.json k8s/secret.yaml .secrets secrets.yaml.bak
  .npmrc .npmrc.bak .yarnrc.yml .netrc _netrc .pgpass .my.cnf .git-credentials .pypirc .htpasswd .dockercfg
  .docker/config.json .kube/config kubeconfig prod.kubeconfig .ssh/config .ssh/id_rsa id_ed25519 deploy_id_rsa id_ecdsa_sk server.pem
  tls.key cert.p12 cert.pfx store.jks release.keystore vault.kdbx AuthKey.p8 putty.ppk host.keytab client.ovpn wg0.conf
  terraform.tfstate terraform.tfstate.backup prod.tfvars prod.auto.tfvars.json .terraformrc .vault-token .vault_pass
  client_secret.json client_secret_123.apps.googleusercontent.com.json service-account.json my-service_account.prod.json
  x-firebase-adminsdk-abc.json application_default_credentials.json auth.json .claude/.credentials.json .codex/auth.json
  .gemini/oauth_creds.json .config/gh/hosts.yml .config/gcloud/x.db .cargo/credentials.toml .gem/credentials .m2/settings.xml
  .gnupg/pubring.kbx .password-store/a.gpg a.gpg .bash_history .zsh_history api_keys.json access-token.txt passwords.txt
  secrets/db.json secrets/token config/secrets/prod.yaml wp-config.php .s3cfg rclone.conf .e\u200bnv Secrets.YAML
  .dev.vars .dev.vars.production serviceAccountKey.json sa-key.json deploy_key private.asc kube.config group_vars/all/vault
  vault.yml .vault_pass.txt appsettings.Production.json application-prod.yml local_settings.py settings.local.php
  google-services.json refresh_token.txt token.json rootkey.csv passwords.xlsx bitwarden_export.json lastpass.csv wallet.dat
  UTC--2020-01-01T00-00-00.000Z--abc .solana/id.json mnemonic.txt .age-key.txt .kaggle/kaggle.json .anthropic/key .openai
  .config/openai.json .subversion/auth/svn.simple/x .mutt/muttrc .circleci/cli.yml x.remmina filezilla.xml .viminfo
  config/initializers/secret_token.rb .dbt/profiles.yml
  .envs/.production/.django ansible/vault_password_file github_ed25519 deploy_rsa id_rsa_work id_ed25519-github
  ssh_host_ed25519_key chap-secrets wpa_supplicant.conf home.nmconnection .ftpconfig sftp-config.json
  .vscode/sftp.json .ftppass LocalSettings.php config/database.yml .fish_history .Rhistory ConsoleHost_history.txt
  .ash_history .pry_history .dbshell .gdb_history playwright/.auth/user.json storageState.json cypress.env.json
  x.postman_environment.json http-client.private.env.json claude_desktop_config.json .claude.json
  .config/github-copilot/apps.json .cache/huggingface/token .modal.toml .config/netlify/config.json
  .config/stripe/config.toml .config/hcloud/cli.toml .android/adbkey .local/share/keyrings/login.keyring
  .mozilla/firefox/a/x .thunderbird/x hs_ed25519_secret_key .gitcookies .p4tickets pip.conf gcp-key.json
  keyfile.json bigquery_key.json connectionStrings.config parameters.yml k3s.yaml talosconfig wallet.json
  keypair.json mnemonic x.snk x.pvk x.publishsettings x.psafe3 x.1pif x.jwk .jfrog/jfrog-cli.conf.v6 .heroku/x
  signing_key encryption.key secret_key john_accessKeys.csv gha-creds-abc.json .env.keys .streamlit/secrets.toml
  otr.private_key knife.rb .dbeaver-data-sources.xml .docker/secrets/x .irssi/config .purple/accounts.xml
  .terraform.d/credentials.tfrc.json .pulumi/credentials.json .boto.bak .ssh.tar.gz secrets.zip prod.env.json
  env.production.local docker.env .env_prod env.yaml.secret master.key.bak .aider.conf.yml .hermes/auth.json
  .npmrc.orig database.env .secret.local terraform.rc .tfvars prod.pem.txt key.pem.b64 credentials.bak.json
  token.old TOKEN.TXT .Env.Local .erlang.cookie android/keystore.properties .idea/dataSources.local.xml .mcp.json
  .cursor/mcp.json .vscode/mcp.json .claude/settings.local.json admin.macaroon heap.hprof core.4711 ansible-vault.yml
  .env.d/prod bitcoin.conf prod.env.enc docker/env app/etc/env.php .consul-token hf_token api-token.txt slack_token.json
  openai_key.txt STRIPE_SECRET aws_credentials .aws-credentials default.credential gcp.json admin.conf main.shada
  .pgcli/history .zhistory fish_variables Cookies .config/chromium/Default/x wp-config-local.php tomcat-users.xml
  jmxremote.password krb5cc_1000 gshadow .condarc .gitconfig nuget.config insomnia.json .postman_globals.json
  a.pubxml.user .wrangler/config/default.toml .continue/config.yaml .config/io.datasette.llm/keys.json .mc/config.json
  .near-credentials/testnet/a.json .databricks/token-cache.json .tsh/keys/a core dbt/profiles.yml
  .vultr-cli.yaml .civo.json .ovh.conf clouds.yaml .config/openstack/secure.yaml local.settings.json .google_authenticator
  admin-openrc.sh keystonerc_admin usersecrets.json auth.toml etc/smbpasswd htdigest nginx.htpasswd autounattend.xml Groups.xml
  .sui/sui.keystore .aptos/config.yaml .foundry/keystores/a tailscaled.state auth-user-pass.txt github-recovery-codes.txt
  backup-codes.txt 2fa.txt dkim.private home.psk id_xmss wireguard.conf .scw/config.yaml .hcloud/cli.toml .drone.sec
  dot_netrc private_dot_ssh/id_work dot_aws/config npmrc old.netrc bak.pgpass example.com.key sample.pem dist.p12
  db_password restic-passphrase .openai_api_key api-key prod.secret.exs Secrets.xcconfig session.har acme.json sasl_passwd
  validator-keypair.json .envfile basic-auth.txt`
    .split(/\s+/)
    .concat(
      '.env ',
      'sub/ .env',
      'server.key  ',
      'Default/Login Data',
      'Copy of .env',
      'Kopie von credentials.json',
    );

const SHOWN =
  `.env.example .env.sample .env.template sub/.env.dist secrets.example.yaml credentials.sample.json id_rsa.pub .ssh/id_rsa.pub
  src/secrets.ts src/credentials.py src/secrets/index.ts lib/token.rs src/env.ts environment.md docs/secrets.md README.md
  package.json .gitignore tokens.json i18n/password.ts src/keys.ts monkey.txt keyboard.json src/auth.ts config.json .editorconfig
  seed.sql seed.ts appsettings.json application.properties src/vault.ts .sops.yaml server.crt src/private/a.ts tsconfig.json Makefile public/index.html
  core.ts lib/core.1.md .claude/settings.json .vscode/settings.json src/refresh_token.py src/client-secret.ts lib/secret_key.rb src/history.ts keymap.json test/fixtures/key.txt docs/rsa.md
  wp-config-sample.php src/core/a.ts src/env/index.ts docs/history.md lib/cookies.ts design-tokens.json src/token.ts src/recovery.ts backup.sql docs/backup.md src/private.ts keystore/index.ts src/api-token.ts src/aws-credentials.ts
  example.tfvars src/password.ts docs/passphrases.md dot_bashrc copy-of.ts old.md key.example.ts`.split(
    /\s+/,
  );

describe('isSecretFile', () => {
  it.each(SECRET)('hides %j', (path) => expect(isSecretFile(path)).toBe(true));
  it.each(SHOWN)('shows %j', (path) => expect(isSecretFile(path)).toBe(false));

  it('accepts more patterns from the user', () => {
    expect(isSecretFile('config/prod/a.ts', (path) => path.startsWith('config/prod/'))).toBe(true);
  });

  it('is fast for a name made long on purpose', () => {
    const began = performance.now();
    for (const part of ['secret-', '.bak', 'api_', '(1) ']) {
      isSecretFile(part.repeat(60));
      isSecretFile(`${part.repeat(30)}/`.repeat(200));
    }
    expect(performance.now() - began).toBeLessThan(500);
  });
});
