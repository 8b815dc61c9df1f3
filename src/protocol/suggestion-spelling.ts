/**
 * Both spellings of the suggestion protocol: clients in the wild read `suggestion_id` or `suggestionId`. Inside
 * there is one; here each object that goes out gets the other one too, and input is brought to the first.
 */

const camelOf = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The object with every name in both spellings. Shallow: names inside may be ids. */
export function bothSpellings(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const both: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    both[name] = field;
    if (name.includes('_')) both[camelOf(name)] = field;
  }
  return both;
}

/**
 * The fields of a message, each as `snake_case`, from the top level and from inside `data`. What stands at the top,
 * and what is spelled `snake_case`, wins.
 */
export function readEitherSpelling(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { data, ...top } = message;
  const nested = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
  const fields: Record<string, unknown> = Object.create(null);
  for (const level of [nested, top]) {
    const entries = Object.entries(level);
    for (const [name, value] of entries) if (snakeOf(name) !== name) fields[snakeOf(name)] = value;
    for (const [name, value] of entries) if (snakeOf(name) === name) fields[name] = value;
  }
  return fields;
}
