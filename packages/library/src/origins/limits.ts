/** The most files and folders of an origin that are looked at. */
export const MAX_ENTRIES = 50_000

/** The most bytes that are received, and the most that an archive may unpack to. */
export const MAX_ORIGIN_BYTES = 256 * 1024 * 1024

/** Where packages of npm are asked for unless a host says otherwise. */
export const REGISTRY = 'https://registry.npmjs.org/'

/** What an archive's name ends in. */
export const ARCHIVE_NAME = /\.(?:tar\.gz|tgz|tar|zip|skill)$/i

/** For resolving and for fetching, each, in milliseconds. */
export const ORIGIN_TIMEOUT_MS = 120_000

/** The deepest level that is searched for skills, counted in folders from the top. */
export const MAX_SKILL_DEPTH = 6
