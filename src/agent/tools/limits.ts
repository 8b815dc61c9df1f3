/** The fixed limits of the tools, by name and unit. */

/** A model may ask for more than the default, up to this. */
export const READ_BYTES_CAP = 4 * 65_536;

/** The most names in one listing. */
export const LIST_FILES_CAP = 500;

/** The most names of one project that a listing sorts. */
export const LISTED_NAMES_MAX_BYTES = 64 * 1024 * 1024;

export const QUERY_MAX_CHARS = 1_000;
export const GLOB_MAX_CHARS = 256;
export const PATH_MAX_CHARS = 4_095;
export const QUESTION_MAX_CHARS = 2_000;

/** The longest time of a search. */
export const SEARCH_TIMEOUT_MS = 20_000;
