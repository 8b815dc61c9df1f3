/**
 * Finds secrets in a command line: they are not learned, not suggested and not sent to a model. Rather one
 * line too many is left out than one password kept.
 */

/** What stands for a secret in text that goes to a model. Never part of a suggestion. */
export const REDACTED = '█';

/** Known shapes. Group 1, where there is one, is what precedes the secret and may stay. */
const SHAPES: readonly RegExp[] = [
  // Tokens that say what they are.
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bglpat-[A-Za-z0-9_-]{16,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com\/services\/\S+/,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9]{16,}/,
  /\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{16,}/,
  /\bnpm_[A-Za-z0-9]{30,}|\bnfp_[A-Za-z0-9]{20,}|\bpul-[0-9a-f]{30,}|\bdckr_pat_[A-Za-z0-9_-]{20,}/,
  /\bpypi-[A-Za-z0-9_-]{20,}|\bhf_[A-Za-z0-9]{20,}|\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/,
  // A name that says that a secret follows.
  /([\w-]*(?:passw(?:or)?d|passphrase|passwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credentials?|auth[_-]?key)[\w-]*["']?\s*[=:]\s*)(?!\s|$|["']?\$|<)("[^"]*"?|'[^']*'?|\S+)/i,
  /(--?(?:pass(?:w(?:or)?d)?|passphrase|pwd|secret|token|api-?key|access-key|auth-token|client-secret)[\w-]*[ =])(?![-$]|$)\S+/i,
  /(\b[A-Z][A-Z0-9_]*_(?:KEY|PW|PWD|PASS|AUTH)=)(?!["']?\$|\s|$)\S+/,
  /(authorization["']?\s*:\s*(?:(?:bearer|basic|token|digest)\s+)?)(?![$\s])[^\s'"]+/i,
  /(\bbearer\s+)(?![$\s])[A-Za-z0-9._~+/=-]{8,}/i,
  // Options of programs that take a password.
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&]*\s-p)(?!\s|$|\$)\S+/,
  /(\b(?:sshpass|htpasswd|smbclient|hydra|medusa)\b[^|;&]*\s-(?:p|b|w|P)\s*)(?![-$])\S+/,
  /(\bcurl\b[^|;&]*\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']+:)(?!\$)[^\s"']+/,
  /(\b(?:redis-cli|mongo|mongosh|psql|ldapsearch|xfreerdp|rdesktop)\b[^|;&]*\s(?:-a|-w|-p|\/p:)\s*)(?![-$\d]|$)\S+/,
  /(\bssh-keygen\b[^|;&]*\s-[NP]\s*)(?!["']["'](?:\s|$))\S+/,
  /(\b(?:docker|podman|helm)\b[^|;&]*\blogin\b[^|;&]*\s-p\s*)(?![-$])\S+/,
  /(\bopenssl\b[^|;&]*\s-pass(?:in|out)?\s+pass:)\S+/,
  // A password piped in, or in a URL.
  /(\becho\s+)(?!-)\S+(?=\s*\|\s*(?:sudo\s+-S|passwd|docker\s+login|openssl|gpg\b))/,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*:)(?!\$)[^\s/@'"]+(?=@)/i,
  /([?&](?:access_token|token|key|api_key|apikey|sig|signature|password|secret)=)(?!\$)[^\s&'"]+/i,
];

/** Shorter words are ordinary names; longer ones of this entropy are keys. */
const ENTROPY_MIN_LENGTH = 24;
const ENTROPY_MIN_BITS = 4;
/** A hexadecimal digest has at most 4 bits a character and is mostly a commit or a checksum. */
const ORDINARY = /^(?:[0-9a-f-]+|[0-9A-F-]+|sha256:[0-9a-f]+|[\d.:,/-]+)$/;
const KEY_LIKE = /[A-Za-z0-9+_=-]{24,}/g;

function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

function isKeyLike(word: string): boolean {
  if (word.length < ENTROPY_MIN_LENGTH || ORDINARY.test(word)) return false;
  const mixed = /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
  return mixed && entropyBits(word) >= ENTROPY_MIN_BITS;
}

/** Whether `line` holds something that looks like a secret. */
export function hasSecret(line: string): boolean {
  if (line.length < 6) return false;
  if (SHAPES.some((shape) => shape.test(line))) return true;
  return line.length >= ENTROPY_MIN_LENGTH && (line.match(KEY_LIKE)?.some(isKeyLike) ?? false);
}

/** `line` with each secret replaced, for a model's eyes. */
export function redact(line: string): string {
  let text = line;
  for (const shape of SHAPES) {
    const everywhere = new RegExp(shape.source, `${shape.flags}g`);
    text = text.replace(everywhere, (_match, before: unknown) =>
      typeof before === 'string' ? before + REDACTED : REDACTED,
    );
  }
  return text.replace(KEY_LIKE, (word) => (isKeyLike(word) ? REDACTED : word));
}
