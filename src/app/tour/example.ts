/** The file in the tour's suggestion, before and after. Pure. */

export const TOUR_FILE = 'lines.ts';

/** Identifies the example in every list. */
export const TOUR_DESCRIPTION = '[copane tour] Emit the last line; an example in a throw-away repository';

export const TOUR_BASE = `/** Splits text that comes in pieces into lines. */
export class Lines {
  rest = '';

  constructor(emit) {
    this.emit = emit;
  }

  push(text) {
    const parts = (this.rest + text).split('\\n');
    this.rest = parts.pop();
    for (const line of parts) this.emit(line);
  }

  end() {
    this.rest = '';
  }

  /** How many characters wait for their line end. */
  get waiting() {
    return this.rest.length;
  }
}
`;

export const TOUR_WORK = TOUR_BASE.replace('class Lines', 'class LineSplitter').replace(
  "  end() {\n    this.rest = '';",
  "  end() {\n    if (this.rest !== '') this.emit(this.rest);\n    this.rest = '';",
);

export const TOUR_NOTES: Readonly<Record<string, string>> = {
  [`${TOUR_FILE}:1`]: 'a rename that nobody asked for: a hunk to reject',
  [`${TOUR_FILE}:2`]: 'the mistake that you asked about: a hunk to accept',
};
