/** Where in a text a secret stands, and what only stands in for one: a variable, a placeholder, a file. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as a shell or JSON writes it. */
export const VALUE = /(?:\\?"(?:[^"\\]|\\[^"])*\\?"?|'[^']*'?|[^\s;|&<>()'",}]+)/.source;

const QUOTES = /^\\?["']|\\?["']$/g;
const STAND_IN =
  /^(?:$|[$`<*[{%-]|\.{3}|█|x{3,}$|(?:env|file|fd|vault|op|keychain|kms|gcp-kms|awskms|passphrase|default)(?::|$)|@|(?:id|src|type|from|name)=|(?:~|\.{1,2})?\/|(?:true|false|null|none|undefined|yes|no|on|off|auto|prompt|stdin|ask|required|disabled|enabled|optional|\d{1,2})$)/i;
/** A file's name or a path, which is where a secret lies, not the secret. */
const FILE =
  /^[\w.@-]+\/[\w./@-]*$|^[\w.-]*[A-Za-z][\w-]*\.(?:txt|json|ya?ml|pem|key|crt|toml|ini|conf|cfg|env|gpg|asc|ts|js|py|go|rs|md|sh|lua|rb|java|pub|jks)$/;

/** Whether `value` names where the secret is rather than being it. */
export function isStandIn(value: string): boolean {
  const plain = value.replace(QUOTES, '');
  return STAND_IN.test(plain) || (FILE.test(plain) && !/\/[^/]*\d[^/]{8,}$/.test(plain));
}

/** Where `pattern` (flags `d` and `g`) finds a secret: its group `s`, without what only stands in for one. */
export function* spansOf(text: string, pattern: RegExp): Iterable<Span> {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.s ?? [0, 0];
    if (!isStandIn(text.slice(start, end))) yield { start, end };
  }
}
