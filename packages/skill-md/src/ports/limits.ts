/** Limits that several folders use. A limit that only one file uses is in that file. */

/** The longest name of a skill, by the standard, in code points. */
export const MAX_NAME_CHARS = 64

/** The longest description of a skill, by the standard, in code points. */
export const MAX_DESCRIPTION_CHARS = 1024

/** The largest manifest file that is read. */
export const MAX_MANIFEST_BYTES = 1024 * 1024

/** The frontmatter must end within this number of bytes of the file. */
export const MAX_FRONTMATTER_BYTES = 32 * 1024

/** The part of a manifest that is read first: it holds the whole frontmatter of nearly all skills. */
export const HEAD_BYTES = 4096

/** The most levels of a YAML document. */
export const MAX_YAML_DEPTH = 32

/** The most values of a YAML document, keys, lists and mappings included: far more than any real manifest has. */
export const MAX_YAML_NODES = 2000

/** The largest file of a skill that is read, unless the caller passes a limit. */
export const MAX_RESOURCE_BYTES = 10 * 1024 * 1024

/** The largest file that a digest covers and that is copied for a private mount. */
export const MAX_DIGEST_FILE_BYTES = 64 * 1024 * 1024

/**
 * What a program can be given, in bytes: one argument or variable, beyond which Linux starts nothing; and all of them
 * together, which every system takes. Also how many arguments there may be.
 */
export const SCRIPT_ARGUMENT_LIMITS: {
  readonly count: number
  readonly oneBytes: number
  readonly allBytes: number
} = Object.freeze({
  count: 4_096,
  oneBytes: 131_071,
  allBytes: 1_000_000,
})

/** How long a source, folder, mount or provider may take for an answer, in milliseconds, unless a host says so. */
export const LOAD_TIMEOUT_MS = 30_000

/** How long each hook of a skill may take, in milliseconds. */
export const HOOK_TIMEOUT_MS = 60_000

/** The longest delay of a timer: delays are 32-bit numbers, and a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * How much of a body is searched, in UTF-16 code units: what it says first tells what it is about, and more of it says
 * less of that.
 */
export const MAX_BODY_CHARS = 2_000
