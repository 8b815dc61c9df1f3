/** The one list of file names that hold secrets: no model sees them unless the user names a file, no author may change them. Pure. */
import { compileGlob } from '../../lib/glob.ts';
import { wordList } from '../../lib/word-list.ts';
import { folded } from './self-running.ts';

/** Endings of backups, editor copies and archives, which hold the same data: removed before a name is judged. */
const COPY_ENDING =
  /(~|[._-](bak|backup|old|orig|original|save|saved|copy|tmp|temp|swp|swo|swn|rej|disabled|off|prev|previous|\d{1,14})|[ _-]?\(?copy\)?( ?\d+)?| ?\(\d+\)|\.(gz|bz2|xz|zst|zip|tar|tgz|7z|rar|txt|b64|base64))$/;
/** How many such endings a name may have. */
const COPY_ENDINGS_MAX = 6;
/** The longest file name on any system. */
const NAME_MAX_CHARACTERS = 255;

/** Templates, which name settings without values. */
const TEMPLATE =
  /(^|[._-])(example|examples|sample|samples|template|templates|tmpl|tpl|dist|schema|defaults|skeleton)([._-]|$)/;

const DATA =
  '(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|config|env|properties|xml|txt|csv|plist|enc|asc|gpg|age|dat|sh|exs|xcconfig)';

/** Private keys and key stores: none is a template, and `example.com.key` is the key of a site. */
const KEY_FILE =
  /\.(pem|key|p8|p12|pfx|ppk|jks|jceks|keystore|truststore|bks|kdb|kdbx|keytab|keychain|keyring|agekey|snk|pvk|psafe3|1pif|jwk)$/;

/** Names, in lower case. */
const NAMES: ReadonlySet<string> = new Set(
  wordList(`
    .env .envrc .flaskenv .netrc _netrc .authinfo .authinfo.gpg .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials
    .npmrc .yarnrc .yarnrc.yml .pypirc .gemrc .dockercfg .dockerconfigjson .htpasswd htpasswd .boto .s3cfg .s3curl rclone.conf
    .rclone.conf .databrickscfg .terraformrc terraform.rc .vault-token .vault_pass .vault_password vault_pass vault_password
    .sentryclirc .ngrok.yml ngrok.yml .mailrc .msmtprc .fetchmailrc .esmtprc .smbcredentials .token token .secret .secrets
    secret secrets .credentials credentials .password .passwd passwd shadow master.key auth.json oauth_creds.json
    application_default_credentials.json adc.json kubeconfig .kubeconfig key.properties local.properties wp-config.php
    .erlang.cookie keystore.properties signing.properties datasources.local.xml webservers.xml bitcoin.conf .pscale.yml
    .mcp.json .odbc.ini .lesshst cookies.txt cookies.sqlite logins.json key3.db key4.db login.keychain
    login.keychain-db .dev.vars .prod.vars .envkey .doppler.yaml doppler.yaml .viminfo rootkey.csv kaggle.json deploy_key
    api_key .api_key apikey jwt_secret oauth.json oauth_token token.json token.txt wallet.dat my.cnf local_settings.py
    settings.local.php google-services.json googleservice-info.plist .openai .muttrc muttrc .offlineimaprc
    .buildkite-agent.cfg sentry.properties cookie.txt secret_key_base secret_token.rb pass.txt logins.csv keys.txt
    winscp.ini .ftpconfig sftp-config.json sftp.json .ftppass .remote-sync.json localsettings.php database.yml database.yaml fish_history
    .dbshell consolehost_history.txt .gitcookies .p4tickets pip.conf keyfile.json connectionstrings.config connectionstrings.json
    parameters.yml k3s.yaml talosconfig wallet.json keypair.json mnemonic adbkey storagestate.json storage-state.json
    claude_desktop_config.json .claude.json .aider.conf.yml .modal.toml knife.rb .dbeaver-data-sources.xml chap-secrets
    pap-secrets wpa_supplicant.conf filezilla.xml sitemanager.xml recentservers.xml vault.yml vault.yaml vault.json
    env env.json env.php configuration.php settings_local.py gcp.json gcloud.json sa.json gsa.json firebase-admin.json
    admin.conf main.shada .tokens .apikey token.pickle keys.json oauth2.json oauth-client.json oauth_client.json credentials.db
    shadow- gshadow gshadow- passwd- sudoers core encrypted_data_bag_secret galaxy_token dockerconfig.json regcred.yaml
    pullsecret awscli.conf aws.json azure.json azureprofile.json azureauth.properties .winscp.ini jupyter_server_config.json
    jupyter_notebook_config.json history history.sqlite history.db .zhistory .histfile lldb-widehistory fish_variables
    .renviron .wgetrc .curlrc cookiejar cookies cookies.json .mbsyncrc .isyncrc neomuttrc cwallet.sso tomcat-users.xml
    hibernate.cfg.xml odbc.ini users.acl .mongorc.js .cqlshrc cqlshrc profiles.yml airflow.cfg .condarc .gitconfig .hgrc
    nuget.config hcloud.toml .vultr-cli.yaml .civo.json .ovh.conf ovh.conf clouds.yaml secure.yaml clouds-public.yaml local.settings.json
    .google_authenticator usersecrets.json auth.toml smbpasswd .smbpasswd htdigest .htdigest unattend.xml autounattend.xml
    sysprep.inf groups.xml keystore.json tailscaled.state auth-user-pass.txt sshd_host_key .drone.sec .magento.env.yaml
    offlineimap.conf config.inc.php hostapd.conf bapsshpublisherplugin.xml keyfile mongo-keyfile api-key basic-auth.txt
    basic_auth .envfile env.list acme.json sasl_passwd ssmtp.conf userlist.txt .pg_service.conf priv_validator_key.json
    node_key.json storage_state.json auth_state.json .hubrc .jira-cli.yml bearer.txt pwd.txt gcp-sa.json cloudflare.ini
    digitalocean.ini route53.ini linode.ini
  `),
);

/** Whether a name, in lower case, is that of a file with secrets. */
const PATTERNS: readonly RegExp[] = [
  /^\.env[._-]/,
  /\.env(\.json|\.enc)*$/,
  /^\.secret[._-]/,
  /^\.?([a-z0-9]+[._-])+(credentials?|creds|secrets?)$/,
  /^\.?([a-z0-9]+[_-])+token(\.(txt|json|pickle|ya?ml|dat))?$/,
  /^\.?(.*[_-])?(openai|anthropic|gemini|claude|github|gitlab|aws|azure|stripe|huggingface|hf)[_-]?(api[_-]?)?(key|secret)s?(\.(txt|json|ya?ml))?$/,
  /^login data( for account)?$/,
  /^krb5cc_/,
  /^wp-config([._-].*)?\.php$/,
  /^insomnia([._-].*)?\.(json|ya?ml)$/,
  /\.(pubxml\.user|cscfg|rdg|password|credential)$/,
  /^\.([a-z0-9_-]+[_-])?r?history$/,
  /^\.dev\.vars\./,
  /^\.?vault[-_]?pass(word)?([._-].+)?$/,
  /^sa[-_]key.*\.json$/,
  /(key|private|secret).*\.asc$/,
  /^kube[._-]?config/,
  /^appsettings\..+\.json$/,
  /^application-(prod|production|local|secret)\b.*\.(properties|ya?ml)$/,
  /^(1password|bitwarden|lastpass|keepass|dashlane).*\.(csv|json|xml|1pux)$/,
  /^utc--\d{4}-/,
  /^(mnemonic|seed|seed[-_]?phrase|([a-z0-9]+[-_])?(recovery|backup|2fa|totp)([-_]?codes?)?)\.txt$/,
  /^\.?age[-_]?keys?(\.txt)?$/,
  /\.remmina$/,
  /^env\.(local|prod|production|staging|dev|development|test)(\.|$)/,
  /^\.envrc\./,
  /^(.*[_-])?id_(rsa|dsa|ecdsa|ed25519|xmss)([._-].*)?$/,
  /^([a-z0-9.-]+_)*(rsa|dsa|ecdsa|ed25519)(_key)?$/,
  /(^|\.)postman_(environment|globals)\.json$/,
  /^(.*[._-])?(gcp|gcloud|gcs|google|bigquery|azure)[._-]?(.*[._-])?key\.json$/,
  /^\.?(.*[._-])?(passwords?|passwd|passphrases?|passcodes?)$/,
  /-keypair\.json$/,
  /\.(publishsettings|nmconnection|ovpn|har|secret|secrets|token|tfstate|tfvars|credentials|kubeconfig|rdp|gpg|pgp|psk|private|htpasswd)$/,
  /\.(tfvars|tfstate)\.json$/,
  /^secring\./,
  /\.(macaroon|hprof)$/,
  /^core\.\d+$/,
  /^ansible[-_]?vault[._-]/,
  new RegExp(
    `^\\.?(.*[._-])?(secrets?|credentials?|creds|api[._-]?keys?|service[._-]?accounts?([._-]?keys?)?)([._-].*)?\\.${DATA}$`,
  ),
  new RegExp(
    `^\\.?(.*[._-])?(client[._-]?secrets?|(private|secret|signing|encryption|deploy|master)[._-]?keys?|access[._-]?(keys?|tokens?)|(auth|refresh|oauth|bearer|bot)[._-]?tokens?)([_-][^.]*)?((\\.[^.]+)*\\.${DATA})?$`,
  ),
  new RegExp(`^\\.?(.*[._-])?(passwords?|passwd|passphrases?|passcodes?)\\.(${DATA}|kdbx?|xlsx?|ods|docx?)$`),
  /firebase-adminsdk.*\.json$/,
  /^(wg\d*|wireguard)\.conf$/,
  /(^|[._-])openrc(\.sh)?$|^keystonerc[._-]/,
];

/** Everything below folders of these names, in lower case. */
const FOLDERS: ReadonlySet<string> = new Set(
  wordList(`
    .aws .azure .gcloud .ssh .gnupg .kube .password-store .vault .secrets .credentials .chef .oci .cloudflared
    .snowflake .envs .env.d .auth .huggingface .aliyun .ibmcloud .bluemix .heroku .jfrog .stripe keyrings .mozilla .thunderbird
    .gsutil .tccli .netlify .wrangler .railway .twilio-cli .bitwarden .1password .lastpass .electrum .bitcoin .ethereum
    .near-credentials .acme.sh .lego .jira.d .op .infisical .brownie .age .tsh .boundary .rancher .argocd .mc .minio.sys .databricks .cloudflare .pgadmin
    .linode-cli .supabase io.datasette.llm atuin
    .irssi .purple .weechat .snowsql .kaggle .wandb .fly .dbt .solana .hcloud .scw .exoscale .openstack .aptos .sui .znc keystores .anthropic .openai .mutt
  `),
);

/** Below a folder `secrets`, only data files: a program may have a module of that name. */
const SECRET_DATA = new RegExp(`(^|/)(secrets|credentials|private)/(.*/)?([^./]+|[^/]*\\.${DATA})$`);

/** Where programs store tokens. */
const PLACES =
  /(^|\/)(\.docker\/config\.json|\.config\/hub|\.config\/(openai|anthropic)(\.json)?|\.subversion\/auth\/.*|\.circleci\/cli\.yml|group_vars\/(.*\/)?vault|\.config\/(gcloud|gh|glab-cli|hub|op|doctl|configstore|rclone|github-copilot|netlify|stripe|hcloud|scw|exoscale|linode-cli|heroku|supabase|railway|fly|sops|zed)\/.*|\.?m2\/settings(-security)?\.xml|\.gem\/credentials|\.cargo\/credentials(\.toml)?|\.gradle\/gradle\.properties|\.bundle\/config|\.continue\/config\.(json|ya?ml)|\.copilot\/config\.json|\.config\/chromium\/.*|\.composer\/auth\.json|\.(claude|codex|gemini|opencode|qwen|cursor|vscode)\/(.*\/)?\.?(credentials|auth|oauth[^/]*|mcp|mcp-auth|settings\.local)\.json)$/;

/** More secrets, from the user's own configuration, never from a project. */
export type MoreSecrets = (path: string) => boolean;

/** What a copy has in front of its name. */
const COPY_START = /^(copy of |kopie von |copie de |copia de |(old|bak|backup|orig|copy)[._ -]+)/;
/** How chezmoi keeps a hidden name. */
const CHEZMOI = /^((private|encrypted|readonly|create|exact)_)*dot_/;

/** The names whose copy a file may be, its own first: `.env.bak` is a copy of `.env`. */
function namesOf(name: string): readonly string[] {
  const names = [name];
  // Editors: `#name#`, `.#name`, `.name.swp`.
  let rest = name.replace(/^#(.*)#$/, '$1').replace(/^\.#/, '');
  if (/\.sw[a-p]$/.test(rest)) rest = rest.replace(/^\./, '').replace(/\.sw[a-p]$/, '');
  rest = rest.replace(COPY_START, '');
  if (rest !== name) names.push(rest, `.${rest}`);
  for (let taken = 0; taken < COPY_ENDINGS_MAX && COPY_ENDING.test(rest); taken += 1) {
    rest = rest.replace(COPY_ENDING, '');
    names.push(rest);
  }
  return names;
}

function isSecretName(name: string): boolean {
  if (KEY_FILE.test(name)) return true;
  if (name === '' || name.endsWith('.pub') || TEMPLATE.test(name)) return false;
  return NAMES.has(name) || NAMES.has(`.${name}`) || PATTERNS.some((pattern) => pattern.test(name));
}

/** Whether the file at `path` (from the project's root, separated by `/`) holds secrets, by its name or place. */
export function isSecretFile(path: string, more: MoreSecrets = () => false): boolean {
  const parts = folded(path)
    .split('/')
    .map((part) => part.replace(CHEZMOI, '.'));
  const plain = parts.join('/');
  // Blanks at the end do not change how a name is read.
  const name = (parts.at(-1) ?? '').trim();
  if (name.length > NAME_MAX_CHARACTERS) return true;
  if (more(path) || more(plain)) return true;
  if (namesOf(name).some((one) => isSecretName(one) || FOLDERS.has(one))) return true;
  if (name.endsWith('.pub')) return false;
  const isTemplate = TEMPLATE.test(name);
  return (
    parts.slice(0, -1).some((folder) => FOLDERS.has(folder)) ||
    PLACES.test(plain) ||
    (SECRET_DATA.test(plain) && !isTemplate)
  );
}

/** Whether the file at a path from the project's root holds secrets. */
export type IsSecret = (relative: string) => boolean;

/** The rule from the built-in list and these globs of the user's configuration. */
export function secretRule(globs: readonly string[]): IsSecret {
  const more = globs.map((glob) => compileGlob(glob) ?? ((name: string) => name === glob));
  return (relative) => isSecretFile(relative, (name) => more.some((matches) => matches(name)));
}
