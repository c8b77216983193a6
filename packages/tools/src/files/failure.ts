import { OpenError } from '@repertoire/core/node'
import { ToolFailure } from '../result.ts'
import { shown, systemCodeOf } from '../roots.ts'

const KINDS: Readonly<Record<string, readonly [ConstructorParameters<typeof ToolFailure>[0], string]>> = {
  missing: ['NOT_FOUND', 'is not there. List its folder to see what is'],
  link: ['NOT_ALLOWED', 'is a link, or is reached through one, and links are not followed. Use the path itself'],
  folder: ['INPUT_INVALID', 'is a folder. Pass the path of a file'],
  special: ['NOT_ALLOWED', 'is a device, a pipe or a socket'],
  denied: ['NOT_ALLOWED', 'cannot be used: the system gives no permission'],
  replaced: ['CONFLICT', 'was replaced meanwhile. Try again'],
}

const CODES: Readonly<Record<string, readonly [ConstructorParameters<typeof ToolFailure>[0], string]>> = {
  EEXIST: ['CONFLICT', 'is there already. Choose another name'],
  ENOTEMPTY: [
    'CONFLICT',
    'is a folder that holds something. Pass "recursive": true to delete it with everything in it',
  ],
  EXDEV: ['FAILED', 'is on another disk. Write it there, and delete it here'],
  EINVAL: ['INPUT_INVALID', 'cannot be moved into itself'],
}

/** What the file system has refused, as a failure of the tool. Other errors stay what they are. */
export function fileFailure(error: unknown, path: string): unknown {
  if (!(error instanceof OpenError)) return error
  const code = systemCodeOf(error)
  const [kind, why] = CODES[code] ??
    KINDS[error.kind] ?? ['FAILED', `could not be used (${code || 'the system failed'})`]
  return new ToolFailure(kind, `${shown(path)} ${why}.`, { cause: error })
}

/** Runs an operation on a path. @throws {ToolFailure} */
export function onPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileFailure(error, path)
  }
}
