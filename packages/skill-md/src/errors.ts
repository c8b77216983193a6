const brand = Symbol.for('@repertoire/core/SkillError')

/** The closed set of codes, each with one meaning (docs/errors.md). Semver holds for them, not for the messages. */
export type SkillErrorCode =
  /** No visible skill of that name. */
  | 'SKILL_NOT_FOUND'
  /** The skill is there, and its file cannot be read as a skill now. */
  | 'SKILL_BROKEN'
  /** A path leaves the skill's folder, is not relative, or has a name that some systems cannot keep. */
  | 'RESOURCE_PATH_INVALID'
  /** A file or folder does not exist. */
  | 'RESOURCE_NOT_FOUND'
  /** A file or folder is there and must not be used: a link, a hard link, a device, hidden, changed, no permission. */
  | 'RESOURCE_REFUSED'
  /** A file, or a folder as a whole, is larger than permitted. */
  | 'RESOURCE_TOO_LARGE'
  /** A saved session, or a change of one, does not have the shape of one, or belongs to another session or tenant. */
  | 'STATE_INVALID'
  /** A saved session was changed after it was saved, or was sealed with another key. */
  | 'STATE_TAMPERED'
  /** A manifest, a name or a definition cannot be that of a SKILL.md. Nothing was written. */
  | 'MANIFEST_INVALID'
  /** A configuration, or a folder given to `openSkills`, is wrong. */
  | 'CONFIGURATION_INVALID'
  /** A folder or file cannot be written: skills are not copied, or an event is not recorded. */
  | 'FOLDER_NOT_WRITABLE'
  /** The session has ended. */
  | 'SESSION_ENDED'
  /** A source, a folder, a mount, a lock or a server did not answer in time. What it still does is not waited for. */
  | 'TIMED_OUT'
  /** A script could not be started: no such interpreter, no sandbox, arguments that cannot be passed. Nothing ran. */
  | 'SCRIPT_NOT_STARTED'
  /** A store holds another revision or version than the one that a change is based on. Nothing was written. */
  | 'STORE_CONFLICT'
  /** A saved session is older than what its store has had since, is gone, or its time to live is over. */
  | 'STATE_OUTDATED'
  /** Another process works on the session, and did not end in the time that was waited. */
  | 'SESSION_IN_USE'
  /** The lease of a stored session has run out, and another process has it. Nothing was saved. */
  | 'LEASE_LOST'
  /** The server behind a store cannot be reached, or refuses what is asked of it. */
  | 'STORAGE_UNAVAILABLE'
  /** An engine does not keep a store's promises: it accepts stale writes, or drops what is stored. It is not used. */
  | 'STORAGE_UNSUITABLE'
  /** A lock file of skills is torn, newer than what is known, or half-merged. It is left as it is. */
  | 'LOCK_INVALID'
  /** A project has no lock file of skills, and something is asked that only a lock can tell. */
  | 'LOCK_MISSING'
  /** What is there, or was fetched, is not what a lock has, or what a plan was made for. Nothing was written. */
  | 'LOCK_MISMATCH'
  /** A text does not say where skills come from, or names a way that is never taken. Nothing was asked. */
  | 'ORIGIN_INVALID'
  /** An origin does not answer, does not exist or wants credentials, or the program that asks it is missing. */
  | 'ORIGIN_UNREACHABLE'
  /** What an origin gave, or leads to, breaks the rules: a link, a private address, another digest. Nothing is kept. */
  | 'ORIGIN_REFUSED'
  /** A scanner's verdict, or its failure, stops an installation. Nothing was written. */
  | 'SCAN_REFUSED'

/** Details that come with some codes. */
export interface SkillErrorDetails {
  /** The file or folder it is about. */
  readonly path?: string
  /** 1-based. */
  readonly line?: number
  /** With SKILL_NOT_FOUND: the nearest visible names, nearest first. */
  readonly nearest?: readonly string[]
  readonly cause?: unknown
}

/** The one error class. Recognise it with `isSkillError`, which also knows errors of another copy of this package. */
export class SkillError extends Error {
  override readonly name = 'SkillError'
  readonly code: SkillErrorCode
  declare readonly path?: string
  declare readonly line?: number
  declare readonly nearest?: readonly string[]

  constructor(code: SkillErrorCode, message: string, details: SkillErrorDetails = {}) {
    const { cause, ...rest } = details
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, rest)
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether a value is a `SkillError`, of this copy of the package or of another. */
export function isSkillError(value: unknown): value is SkillError {
  return typeof value === 'object' && value !== null && brand in value
}
