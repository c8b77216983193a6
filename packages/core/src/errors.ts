const brand = Symbol.for('@repertoire/core/SkillError')

/** The closed set of codes. Semver holds for them, not for the messages. */
export type SkillErrorCode =
  /** No visible skill of that name. */
  | 'SKILL_NOT_FOUND'
  /** The path leaves the skill's folder, or is no relative path. */
  | 'RESOURCE_PATH_INVALID'
  /** There is no such file in the skill's folder. */
  | 'RESOURCE_NOT_FOUND'
  /** The file is there and must not be read: a link, a hard link, a device, no permission. */
  | 'RESOURCE_REFUSED'
  /** The file is larger than the call allows. */
  | 'RESOURCE_TOO_LARGE'
  /** A saved session does not have the shape of one. */
  | 'STATE_INVALID'
  /** A saved session was changed after it was saved, or was sealed with another key. */
  | 'STATE_TAMPERED'
  /** The session has ended. */
  | 'SESSION_ENDED'

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

/** The one error class. Recognise it with `isSkillError`: two copies of this package then still understand each other. */
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
