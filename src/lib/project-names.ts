/** Names folders for people: the last part of each path, and as many above it as tell it from the others. Pure. */

/** Makes the function from one of `folders` to its name. */
export function projectNames(folders: readonly string[]): (folder: string) => string {
  const tails = [...new Set(folders)].flatMap(tailsOf);
  const seen = new Set<string>();
  const shared = new Set(tails.filter((tail) => seen.size === seen.add(tail).size));
  return (folder) => tailsOf(folder).find((tail) => !shared.has(tail)) ?? folder;
}

/** `app`, `work/app`, and so on up to the complete path. */
function tailsOf(folder: string): readonly string[] {
  const parts = folder.split('/').filter((part) => part !== '');
  return parts.map((_, above) => parts.slice(-1 - above).join('/'));
}
