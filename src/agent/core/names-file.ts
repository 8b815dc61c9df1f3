/** Finds a file's name in what a user wrote. Pure. */

const BEFORE_NAME = /(^|[\s"'`@(<[{,;:=|]|(^|[\s"'`@(<[{,;:=|])\.\/)$/;
const BEHIND_NAME = /^($|[\s"'`)>\]},;:!?|]|\.(\s|$))/;

/** Whether a user's text has the path of this file as a word: then it may be read although git ignores it. */
export function namesFile(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0 && path !== ''; at = text.indexOf(path, at + 1)) {
    const before = text.slice(Math.max(0, at - 3), at);
    const behind = text.slice(at + path.length, at + path.length + 2);
    if (BEFORE_NAME.test(before) && BEHIND_NAME.test(behind)) return true;
  }
  return false;
}
