/** The position of a secret in a text, and stand-ins that only refer to one: a variable, a placeholder, a file. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as written in a shell or in JSON. */
export const VALUE = /(?:\\?"(?:[^"\\]|\\[^"])*\\?"?|'[^']*'?|[^\s;|&<>()'",}]+)/.source;

const QUOTES = /^\\?["']|\\?["']$/g;
const STAND_IN =
  /^(?:$|[$`<*[{%-]|\.{3}|█|x{3,}$|(?:env|file|fd|vault|op|keychain|kms|gcp-kms|awskms|passphrase|default)(?::|$)|@|(?:id|src|type|from|name)=|(?:~|\.{1,2})?\/|(?:true|false|null|none|undefined|yes|no|on|off|auto|prompt|stdin|ask|required|disabled|enabled|optional|\d{1,2})$)/i;
/** A file name or a path: where the secret is kept, not the secret. */
const FILE =
  /^[\w.@-]+\/[\w./@-]*$|^[\w.-]*[A-Za-z][\w-]*\.(?:txt|json|ya?ml|pem|key|crt|toml|ini|conf|cfg|env|gpg|asc|ts|js|py|go|rs|md|sh|lua|rb|java|pub|jks)$/;

/** Whether `value` only refers to a secret. */
export function isStandIn(value: string): boolean {
  const plain = value.replace(QUOTES, '');
  return STAND_IN.test(plain) || (FILE.test(plain) && !/\/[^/]*\d[^/]{8,}$/.test(plain));
}

/** The matches of `pattern` (flags `d` and `g`): its group `s`, unless that only refers to a secret. */
export function* spansOf(text: string, pattern: RegExp): Iterable<Span> {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.s ?? [0, 0];
    if (!isStandIn(text.slice(start, end))) yield { start, end };
  }
}
