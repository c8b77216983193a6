/** Limits that more than one room keeps. One that a single file keeps stands in that file. */

/** A skill's name, by the standard, in code points. */
export const MAX_NAME_CHARS = 64

/** A skill's description, by the standard, in code points. */
export const MAX_DESCRIPTION_CHARS = 1024

/** The manifest file that is read. */
export const MAX_MANIFEST_BYTES = 1024 * 1024

/** The frontmatter must end within so many bytes of the file. */
export const MAX_FRONTMATTER_BYTES = 32 * 1024

/** What is read of a manifest first: it holds the frontmatter of all but a handful of skills. */
export const HEAD_BYTES = 4096

/** Levels of a YAML document. */
export const MAX_YAML_DEPTH = 32

/** Tokens of a YAML document: ten times as many as the largest of thousands of real manifests has. */
export const MAX_YAML_TOKENS = 4000

/** A file of a skill that is read where the caller names no limit. */
export const MAX_RESOURCE_BYTES = 10 * 1024 * 1024

/** A file that a digest covers, and that a private copy is made of. */
export const MAX_DIGEST_FILE_BYTES = 64 * 1024 * 1024

/** The longest time that a timer takes: it has 32 bits, and one that is set for longer goes off at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
