/**
 * Finds secrets in a command line or a text; they are not learned, suggested, sent to a model or recorded. When in
 * doubt, a line is secret. Token shapes and short options of programs are in `rules.json` (made by
 * `scripts/make-secret-rules.ts`).
 */
import { commandSecrets } from './command-secrets.ts';
import rules from './rules.json' with { type: 'json' };
import { type Span, spansOf, VALUE } from './span.ts';

/** Replaces a secret in text that goes to a model. Never part of a suggestion. */
export const REDACTED = '█';

/** Endings of variable, option or field names that indicate a secret. Short ones must be whole words. */
const NAME =
  /(?:passw(?:or)?d|passphrase|passcode|secret|token|(?:api|access|secret|private|signing|encryption|auth|account|master|license|shared|client)[_-]?key|credentials?|(?<![A-Za-z])(?:pass|pwd|pw|psk|otp|bearer)|(?<=[a-z])(?:Pass|Pwd|Pw|Psk|Otp)|sonar\.login)(?:[_-]?(?:value|text|string|base64|b64|hex|key|\d+))?/
    .source;

/** Cheap test before the name patterns run. */
const MAY_NAME = /pass|pwd|pw|secret|token|key|credential|psk|otp|bearer|auth|cookie|pin/i;

const NAMED: readonly RegExp[] = [
  // NAME=value, and a JSON field. `==` and `=~` are comparisons.
  new RegExp(`(?:${NAME})["'\\]]*\\s?=\\s?(?![=~>])(?<s>${VALUE})`, 'dgi'),
  new RegExp(`(?:${NAME})\\\\?["']\\s*:\\s*(?<s>${VALUE})`, 'dgi'),
  // Prose may follow a colon, so the value must look like a key.
  new RegExp(`(?:${NAME}):\\s*(?<s>["']?(?=[^\\s"']*\\d)[^\\s"']{8,})`, 'dgi'),
  new RegExp(`(?:^|\\s)(?:--?|\\+\\+)(?:[\\w-]*-)?(?:${NAME})[ =]\\s*(?<s>${VALUE})`, 'dgi'),
  /\b[A-Z][A-Z0-9_]*_(?:KEY|PW|PWD|PASS|AUTH|PIN|PAT|SALT|DSN)=(?<s>"[^"]*"?|'[^']*'?|[^\s;|&]+)/dg,
  /(?:authorization|x-auth[\w-]*|x-api[\w-]*|[\w-]+-token|[\w-]+-key)["']?\s*:\s*["']?(?:(?:bearer|basic|token|digest|apikey)\s+)?(?<s>[^\s'"]+)/dgi,
  /\bbearer\s+(?<s>[A-Za-z0-9._~+/=-]{8,})/dgi,
  /(?:\bcookie:\s*|\s(?:-b|--cookie)[ =]["']?)(?:[\w.-]+=[^;\s'"]*;\s*)*?[\w.-]*(?:sess|sid|auth|token|jwt)[\w.-]*=(?<s>[^;\s'"]+)/dgi,
];

/** Secrets with a known shape, and a cheap test for each. */
const MAY_SHAPE = /:\/\/|-----BEGIN|\/bot|\/api\/webhook|[?&;][\w.-]+=/;
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?<s>[\s\S]*)/dg,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*:(?<s>[^\s/@'"][^\s@'"]*?)@/dgi,
  // A single token before the host, as in https://TOKEN@github.com.
  /\bhttps?:\/\/(?<s>[A-Za-z0-9_-]{20,})@/dg,
  /[?&;](?:[\w.-]*(?:token|secret|password|passwd|signature|apikey|api_key|access_key)|key|sig|code|auth)=(?<s>[^\s&'"]+)/dgi,
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|\/api\/webhooks?|webhook\.office\.com\/webhookb2|maker\.ifttt\.com\/trigger\/\w+\/with\/key|hooks\.zapier\.com\/hooks\/catch|chat\.googleapis\.com\/v1\/spaces|hc-ping\.com|outlook\.office\.com\/webhook)\/(?<s>[^\s'"]{8,})/dgi,
  /\/bot(?<s>\d{6,}:[\w-]{20,})/dg,
];

/** Key prefixes of many services; random characters follow. */
const PREFIXED =
  /\b(?<s>A[KS]IA[0-9A-Z]{16}\b|(?:sk|rk|pk|whsec|xai|gsk|hf|npm|nfp|pul|dckr_pat|glpat|gldt|glrt|shpat|ya29|dp\.pt|lin_api|figd|rnd|re|tskey|pat|secret|ntn|nvapi|tvly|fc|ghp|gho|ghu|ghs|ghr|github_pat|xox[abeoprs]|sbp|sntrys|phc|dop_v1|fio-u|pscale|r8|vc[kp]?|AIza|eyJ|ATATT|ATCTT)(?:[-_.](?=[\w.=-]*[A-Za-z])|(?<=AIza|eyJ|ATATT|ATCTT))(?=[\w.=-]*\d)[\w.=-]{16,})/dg;

/** Words of at least this length that mix letters and digits at random are keys; shorter ones are ordinary names. */
const KEY_MIN_CHARS = 24;
const KEY_MIN_BITS = 4;
/** A digest has at most 4 bits per character and is usually a commit or a checksum. */
const ORDINARY = /^(?:[0-9a-f-]+|[0-9A-F-]+|sha\d+[:-]\S+|[\d.:,/-]+)$/;
const KEY_LIKE = /(?<s>[A-Za-z0-9+_=-]{24,})/dg;

/** A text without such a run contains no token. */
const TOKEN_RUN = /-----BEGIN|A[KS]IA|[\w+=.~-]*\d[\w+/=.~-]{11}|[\w+/=.~-]{11}\d/;
/** A longer run of letters and signs is a document, and is searched in pieces. */
const TEXT_MAX_CHARS = 64 * 1024;

interface TokenRule {
  readonly keywords: readonly string[];
  readonly pattern: string;
  readonly entropy: number;
  compiled: RegExp | null;
}

const TOKEN_RULES: readonly TokenRule[] = (
  rules.tokens as unknown as readonly (readonly [string, string, number])[]
).map(([keywords, pattern, entropy]) => ({
  keywords: keywords.split(' ').filter(Boolean),
  pattern,
  entropy,
  compiled: null,
}));
/** One test for all keywords; few lines contain any. */
const ANY_KEYWORD = new RegExp(
  [...new Set(TOKEN_RULES.flatMap(({ keywords }) => keywords))]
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
);

/** Bits per character: how evenly the characters of `text` are distributed. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

function isKeyLike(word: string): boolean {
  if (word.length < KEY_MIN_CHARS || ORDINARY.test(word)) return false;
  const mixed = /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
  return mixed && entropyBits(word) >= KEY_MIN_BITS;
}

function* tokenSpans(text: string): Iterable<Span> {
  yield* spansOf(text, PREFIXED);
  for (const span of spansOf(text, KEY_LIKE)) if (isKeyLike(text.slice(span.start, span.end))) yield span;
  const lower = text.toLowerCase();
  if (!ANY_KEYWORD.test(lower)) return;
  for (const rule of TOKEN_RULES) {
    if (!rule.keywords.some((word) => lower.includes(word))) continue;
    rule.compiled ??= new RegExp(rule.pattern, 'dg');
    for (const match of text.matchAll(rule.compiled)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      if (entropyBits(text.slice(start, end)) >= rule.entropy) yield { start, end };
    }
  }
}

function* secretSpans(text: string): Iterable<Span> {
  if (MAY_NAME.test(text)) for (const pattern of NAMED) yield* spansOf(text, pattern);
  if (MAY_SHAPE.test(text)) for (const pattern of SHAPES) yield* spansOf(text, pattern);
  yield* commandSecrets(text, rules.options);
  if (TOKEN_RUN.test(text)) yield* tokenSpans(text);
}

/** Whether `line` contains something that looks like a secret. */
export function hasSecret(line: string): boolean {
  if (line.length < 6) return false;
  for (const _ of secretSpans(line)) return true;
  return false;
}

/** `text` with `mark` in place of each secret, for models and records. */
export function redact(text: string, mark = REDACTED): string {
  if (text.length > TEXT_MAX_CHARS) {
    const cut = text.lastIndexOf('\n', TEXT_MAX_CHARS) + 1 || TEXT_MAX_CHARS;
    return redact(text.slice(0, cut), mark) + redact(text.slice(cut), mark);
  }
  let clean = '';
  let from = 0;
  for (const { start, end } of [...secretSpans(text)].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    if (start >= from) clean += text.slice(from, start) + mark;
    from = end;
  }
  return clean + text.slice(from);
}
