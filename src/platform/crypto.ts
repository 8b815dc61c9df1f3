/** Random names and digests. `node:crypto` is loaded at the first use: it takes a tenth of the start of a short command. */

export const randomId = (): string => process.getBuiltinModule('node:crypto').randomUUID();

/** SHA-256, hex. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

/** A unique name, made of pid, time and a random number, so that no module is loaded for it. */
export function uniqueName(): string {
  return `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
