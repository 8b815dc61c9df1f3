/** Checks parsed records. Apart from the salvage rules, which the companion's first frame does not need. */

/** Whether a parsed record is an object with these fields. */
export function hasFields(record: unknown, fields: readonly string[]): boolean {
  return (
    typeof record === 'object' && record !== null && fields.every((field) => Object.hasOwn(record, field))
  );
}
