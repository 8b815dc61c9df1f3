/** Finds secrets in command lines: in options, positional arguments, SQL statements and piped input. */
import { wordList } from '../word-list.ts';
import { isStandIn, type Span, spansOf, VALUE } from './span.ts';

/** Options whose value is a secret, with their programs. `-p…`: the value is in the same word. Extends `rules.json`. */
const OWN_OPTIONS: ReadonlyMap<string, string> = new Map(
  `
  -p…: mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump 7z 7za 7zr unrar
  -p -p…: mycli sshpass
  -P -P…: zip unzip sqlcmd bcp
  -p… -hp…: rar
  -p: ncftp ncftpput ncftpget mongo mongosh mongodump mongorestore rdesktop evil-winrm crackmapexec cme netexec
    nxc hydra medusa smbmap enum4linux enum4linux-ng cqlsh steghide useradd usermod twine vncdotool docker-login
    podman-login registry-login helm-login oc-login az-login ibmcloud-login cf-login skopeo-login buildah-login
  -a: redis-cli
  -w: ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami
  -w -s -a: ldappasswd
  /p:… -p: xfreerdp
  --pass: ncrack
  -N -P: ssh-keygen
  -A -X -c: snmpwalk snmpget snmpset snmpbulkwalk
  -P: ipmitool mosquitto_pub mosquitto_sub
  -upw -opw: pdftotext pdfimages pdftoppm pdfdetach
  -k: outguess
  --encrypt: qpdf
  user_pw owner_pw input_pw: pdftk
  -passwd: x11vnc vncviewer
  -storepass -keypass -srcstorepass -deststorepass: keytool
  -storepass -keypass: jarsigner
  -k -K -passin -passout -pass: openssl
  --password: svn
`
    .trim()
    .split(/\n {2}(?! )/)
    .map((row) => row.split(': '))
    .flatMap(([options = '', programs = '']) =>
      wordList(programs).map((program) => [program, options] as const),
    ),
);

/** Options that take a user and a password in one value. */
const PAIRS: readonly RegExp[] = [
  /\b(?:curl|http|https|xh|xhs|lwp-request|GET|POST|ab|wrk|siege|chisel|gotty|ttyd|simplehttpserver|cs|coursier|gobuster|ffuf|nikto|pycurl)\b[^|;&]*\s(?:-u|-a|-A|-C|-c|--user|--auth|--proxy-user|-U|--basic-auth|-basic-auth|--credentials?)[ =]?["']?[^\s:"']+:(?<s>[^\s"']+)/dg,
  /\b(?:smbclient|rpcclient|smbcacls|smbget|smbcquotas|net|wmic|winexe|pth-\w+|mount(?:\.cifs)?)\b[^|;&]*\s(?:-U|--user)[ =]?["']?[^\s%"']+%(?<s>[^\s"']+)/dg,
  /\b(?:curl|http|https|xh)\b[^|;&]*\s(?:-b|--cookie)[ =]["']?[^"']*?\w*(?:sess|sid|auth|token|jwt)\w*=(?<s>[^;"'\s]{8,})/dgi,
  /\blftp\b[^|;&]*?\s-u\s*[^\s,]+,(?<s>\S+)/dg,
  // impacket: domain/user:password@host.
  /(?:\b[\w-]+\.py|\bimpacket-\w+)\b[^|;&]*\s["']?[\w.-]+\/[\w.$-]+:(?<s>[^\s"'/@]+)(?=@|["']?(?:\s|$))/dg,
  /\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp)\b[^|;&]*\s["']?[\w.-]+\/(?<s>[^\s"'/@]+)(?=@|["']?(?:\s|$))/dg,
  /(?:^|\s)["']?[\w.$-]+:(?<s>[^\s"'/@:]{4,})@(?!sha\d)[\w.-]/dg,
  /\s[-+]{1,2}(?:auth|credentials?|login)[ =]["']?[\w.@-]+:(?<s>[^\s"'/]+)/dg,
  /\b(?:mount|mount\.cifs)\b[^|;&]*\s-o\s*\S*?\b(?:password|pass)=(?<s>[^\s,]+)/dg,
];

/** Arguments that are secrets by their position. */
const PLACES: readonly RegExp[] = [
  /\b(?:vault|snyk|cargo|safe|wrangler|infracost|logcli|op|bw|hsw-cli|spark|glab|hub|netlify|sentry-cli|doppler|travis|pulumi|ngrok|tailscale|bunx?|jf|rover|turso|supabase|railway|vercel|stripe)\s+(?:login|auth|unlock|authtoken|register|encrypt|logout --token)\s+(?!login|logout|status|init|list|token|setup|refresh|add|help|method|enable|disable|tune|whoami|git|import|export)(?<s>[^\s@-][^\s@]{5,})(?=\s|$)/dg,
  /\b(?:ngrok\s+(?:config\s+add-)?authtoken|cloudflared\s+service\s+install|grafana(?:-cli|\s+cli)\b[^|;&]*\breset-admin-password(?:\s+--\S+\s+\S+)?|idevicebackup2\s+encryption\s+on|rclone\s+obscure|wpa_passphrase\s+(?:"[^"]*"|'[^']*'|\S+)|rabbitmqctl\s+(?:add_user|change_password|authenticate_user)\s+\S+|net\s+use\s+(?:\S+:\s+)?[\\/]{2}\S+|iw(?:config)?\s+\S+\s+key|redis-cli\b[^|;&]*\bauth|ansible-vault\s+encrypt_string|security\s+add-\S+-password\b[^|;&]*\s-[wp]|valkey-cli\b[^|;&]*\bauth|mysqladmin\b[^|;&]*\spassword|openssl\s+passwd(?:\s+-\w+)*|net\s+user\s+(?!\/)\S+|bw\s+login\s+\S+@\S+|mc\s+(?:alias\s+set|config\s+host\s+add)\s+\S+\s+\S+\s+\S+|htpasswd\s+-\w*b\w*\s+(?:\S+\s+)?\S+)\s+(?<s>(?!-)(?:"[^"]+"|'[^']+'|\S+))/dg,
  // `set NAME VALUE` of any program with settings, if the name indicates a secret.
  /\b(?:config|configure|set|secret|secrets|add|put|write|update)\b[^|;&]*\s(?!-)["']?[\w./:@-]*(?:passw(?:or)?d|passphrase|secret|(?<!csrf)token|api[_-]?key|access_key(?:_id)?|http-basic\.\S+\s+\S+|oauth\.[\w.-]+|_auth)["']?\s+(?<s>(?![-/])(?:"[^"]+"|'[^']+'|[^\s|;&]{6,}))/dgi,
  /\b(?:nmcli|iwctl|ipmitool|wpa_cli|nmtui|connmanctl)\b[^|;&]*\s(?:password|passphrase|[\w.-]*psk|wep-key\d?)\s+(?<s>"[^"]+"|'[^']+'|\S+)/dg,
  /\b(?:net|samba-tool|dsmod|smbpasswd)\b[^|;&]*\b(?:user (?:create|add|setpassword)\s+\S+|newuser\s+\S+)\s+(?<s>(?!-)\S+)/dg,
  /--from-literal[ =]["']?[^\s=]+=(?<s>[^\s'"]+)/dg,
  /\bsecrets?\s+(?:set|put|create|add)\b[^|;&]*?\s(?:(?:--body|-b|--data|-v|--value|--secret-string)[ =]|\w+=)(?<s>"[^"]+"|'[^']+'|\S+)/dg,
  /--(?:secret-string|bindPassword|auth_pass|client-assertion|authkey|auth-key|setup-key|join-token|access-code|mfa-passcode|recovery-key|license-key|admin-pass|requirepass)[ =](?<s>"[^"]+"|'[^']+'|\S+)/dgi,
  /\b(?:bundle|gem)\s+config\b[^|;&]*\s[\w.-]+\s+["']?[\w.-]+:(?<s>[^\s"'/]+)/dg,
  /\bpass:(?<s>[^\s'"]+)/dg,
  /\b(?:set|setenv|export)\s+(?:-\S+\s+)*[A-Za-z_]*(?:PASS|PASSWD|PASSWORD|TOKEN|SECRET|API_?KEY|_KEY|PWD)\s+(?<s>(?!-)\S{6,})/dgi,
  /\b(?:login|machine)\s+\S+\s+password\s+(?<s>[^\s'"]+)/dg,
  /\bsecurestring\b[^|;&]*--value[ =](?<s>\S+)/dgi,
  /\bsmbclient\s+\/\/\S+\s+(?<s>(?!-)\S+)/dg,
  /\boathtool\b[^|;&]*\s(?:-b|--base32|--totp(?:=\w+)?)\s+(?<s>(?!-)(?:"[^"]+"|'[^']+'|\S+))/dg,
  /\bcreate_ap\s(?:[^|;&]*?\s)?(?!-)[\w-]+\s+(?!-)[\w-]+\s+(?!-)(?:"[^"]+"|'[^']+'|\S+)\s+(?<s>(?!-)(?:"[^"]+"|'[^']+'|\S+))\s*$/dg,
  /[?]\w*(?:password|passwd)=(?<s>[^?\s&"']+)/dgi,
];

const STATEMENTS: readonly RegExp[] = [
  /\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?<s>\\?['"][^'"]*\\?['"]?|\S+)/dgi,
  /\bpassword\s+(?<s>\\?'[^'\\]+\\?'?)/dgi,
  /\bset\s+password\b[^=]*=\s*(?:password\s*\(\s*)?(?<s>\\?['"][^'"]+)/dgi,
  /\b(?:pwd|passwd|password)\s*:\s*(?<s>\\?["'][^"']+)/dgi,
  /\b(?:requirepass|masterauth)\s+(?<s>\S+)/dg,
];

const TAKERS =
  '(?:sudo\\s+(?:-\\w+\\s+)*)?(?:sudo\\s+-S|su\\b|passwd|chpasswd|argon2|htpasswd|smbpasswd|cryptsetup|kinit|' +
  '(?:docker|podman|helm|oc|crane|regctl|skopeo|buildah|oras)\\s[^|;&]*login|openssl\\b|gpg2?\\b|gh\\s+(?:auth\\s+login|secret\\s+set)|' +
  'vault\\s|secrethub|pass\\s+insert|wpa_passphrase|ansible-vault|mkpasswd|mosquitto_passwd|bw\\s|fly(?:ctl)?\\s+secrets|' +
  'gcloud\\s+secrets|kubeseal|ecryptfs-\\S+|ssh-add|vncpasswd|wrangler\\s+secret|vercel\\s+env|op\\s|sops\\b|tee\\s+\\S*(?:pass|secret|token|\\.env)\\S*|lpass|keyctl|secret-tool|security\\s|nmcli|snap\\s+login|zip\\s|restic|borg|age\\b|keyctl|[\\w.-]+\\s[^|;&]*(?:--[\\w-]*(?:password|token|passphrase|secret)|\\blogin\\b|\\bsecrets?\\s|\\binsert\\b))';
const PIPED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:echo|printf|yes)\\s+(?:-\\w+\\s+)*(?:['"]%s(?:\\\\n)?['"]\\s+)?(?<s>${VALUE})\\s*\\|\\s*(?:\\w+=\\S+\\s+)?${TAKERS}`,
    'dg',
  ),
  new RegExp(`(?:^|[|;&]\\s*)${TAKERS}[^|;&]*<<<\\s*(?<s>${VALUE})`, 'dg'),
];
const MAY_PIPE = /\b(?:echo|printf|yes)\b[^|]*\||<<</;

const WORDS = /(?:[^\s|;&()"'\\]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+|[|;&()\n]+/g;
const SEPARATOR = /^[|;&()\n]+$/;

/** A line without any of these words, as most lines are, cannot match the patterns above. */
const TELLING = new RegExp(
  [
    'pass|pwd|secret|token|key|auth|psk|identified|credential|login|unlock|encrypt|register|obscure|literal|join|mfa|access-code|setup',
    '[\\w$-]:\\S+@|oathtool|curl|http|xhs?\\b|lwp|GET|POST|\\bab |wrk|siege|chisel|gotty|ttyd|\\bcs |coursier|gobuster|ffuf|nikto|smb|rpcclient|\\bnet |wmic',
    'winexe|mount|vault|lftp|\\.py|impacket|sqlplus|sqlldr|expdp|impdp|cloudflared|idevice|\\biw|croc|\\bmc |create_ap|nmcli|ipmitool|wpa_cli',
    'connmanctl|samba|bundle|gem |rabbitmqctl|bind',
  ].join('|'),
  'i',
);

/** The secrets in the command line `text`. `options`: the secret-taking options of each program. */
export function* commandSecrets(text: string, options: Readonly<Record<string, string>>): Iterable<Span> {
  if (TELLING.test(text))
    for (const pattern of [...PAIRS, ...PLACES, ...STATEMENTS]) yield* spansOf(text, pattern);
  if (MAY_PIPE.test(text)) for (const pattern of PIPED) yield* spansOf(text, pattern);
  yield* optionSecrets(text, options);
}

function* optionSecrets(text: string, options: Readonly<Record<string, string>>): Iterable<Span> {
  let known: readonly string[] = [];
  let taking = false;
  let name = '';
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const span = { start: index, end: index + word.length };
    if (SEPARATOR.test(word)) {
      known = [];
      taking = false;
    } else if (taking) {
      taking = false;
      if (!isStandIn(word)) yield span;
    } else if (known.includes(word)) taking = true;
    else {
      const attached = known.find((one) => one.endsWith('…') && word.startsWith(one.slice(0, -1)));
      if (attached !== undefined && word.length >= attached.length) {
        const start = span.start + attached.length - 1;
        if (!isStandIn(text.slice(start, span.end))) yield { start, end: span.end };
      }
      // The program may follow `sudo` or the options of `docker exec`.
      name = word === 'login' && name !== '' ? `${name}-login` : word.slice(word.lastIndexOf('/') + 1);
      if (Object.hasOwn(options, name) || OWN_OPTIONS.has(name))
        known = `${options[name] ?? ''} ${OWN_OPTIONS.get(name) ?? ''}`.split(' ').filter(Boolean);
    }
  }
}
