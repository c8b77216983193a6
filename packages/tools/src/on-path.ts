import { OpenError } from '@repertoire/core/node'
import { type ToolErrorCode, ToolFailure } from './result.ts'
import { shown, systemCodeOf } from './roots.ts'

/** What it means that the file system refused something, by its code or by the kind of the error. */
const REASONS: Readonly<Record<string, readonly [ToolErrorCode, string]>> = {
  EEXIST: ['CONFLICT', 'is there already. Choose another name'],
  ENOTEMPTY: ['CONFLICT', 'is a folder that holds something. Delete what is in it first'],
  EXDEV: ['FAILED', 'is on another disk. Write it there, and delete it here'],
  missing: ['NOT_FOUND', 'is not there. List its folder to see what is'],
  link: ['NOT_ALLOWED', 'is a link, or is reached through one, and links are not followed. Use the path itself'],
  folder: ['INPUT_INVALID', 'is a folder. Pass the path of a file'],
  special: ['NOT_ALLOWED', 'is a device, a pipe or a socket. Leave it as it is'],
  denied: ['NOT_ALLOWED', 'cannot be used: the system gives no permission'],
  replaced: ['CONFLICT', 'was replaced meanwhile. Try again'],
}

/**
 * Runs an operation on a path.
 * @throws {ToolFailure} the file system has refused it
 */
export function onPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    const code = systemCodeOf(error)
    const [kind, why] = REASONS[code] ??
      REASONS[error.kind] ?? ['FAILED', `could not be used (${code || 'the system failed'})`]
    throw new ToolFailure(kind, `${shown(path)} ${why}.`, { cause: error })
  }
}
