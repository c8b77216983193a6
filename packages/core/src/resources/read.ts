import {
  number,
  withDefault,
  withMethods,
  checkArgument,
  checkOptions,
  type OptionTable,
  type SkillFolder,
} from '@repertoire/skill-md/internal'
import { hasCode } from '../text/message.ts'

/** Which part of a resource is read. */
export interface ReadOptions {
  /** First line, 1-based. Default 1. */
  readonly from?: number | undefined
  /** Last line, inclusive. Default: the last line of the file. */
  readonly to?: number | undefined
  /** The largest file that is read, in bytes. Default 10 MiB. */
  readonly maxBytes?: number | undefined
}

const READ_OPTIONS: OptionTable<ReadOptions> = {
  from: withDefault(1, number('lines', { isUnlimited: true })),
  to: number('lines', { isUnlimited: true }),
  maxBytes: withDefault(10 * 2 ** 20, number('bytes', { isUnlimited: true })),
}

/** A resource as text by lines, or as bytes if it is not text. */
export type Resource =
  | {
      readonly kind: 'text'
      readonly path: string
      readonly text: string
      readonly from: number
      readonly to: number
      readonly lines: number
    }
  | { readonly kind: 'binary'; readonly path: string; readonly bytes: Uint8Array }

const folderKind = withMethods('the folder of a skill, as `skill.folder`', 'list', 'read')

/**
 * Reads one file of a skill by its relative path. Line ranges apply to text; a file that is not UTF-8, or contains NUL,
 * is returned as its bytes, unchanged.
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_NOT_FOUND, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
 * @throws {TypeError} an option is unknown, or is not a number
 */
export async function readResource(folder: SkillFolder, path: string, options: ReadOptions = {}): Promise<Resource> {
  checkOptions('readResource', READ_OPTIONS, options)
  checkArgument('readResource', 'folder', folderKind, folder)
  const { from = 1, to, maxBytes } = options
  const bytes = await folder.read(path, maxBytes === undefined ? {} : { maxBytes })
  const text = decode(bytes)
  if (text === undefined) return { kind: 'binary', path, bytes }
  const lines = text.split('\n')
  // A final newline ends the last line; it does not begin another.
  if (lines.at(-1) === '') lines.pop()
  const first = Math.max(1, Math.trunc(from))
  const last = Math.min(lines.length, to === undefined ? lines.length : Math.trunc(to))
  const whole = first === 1 && last === lines.length
  return {
    kind: 'text',
    path,
    text: whole ? text : lines.slice(first - 1, last).join('\n'),
    from: first,
    to: last,
    lines: lines.length,
  }
}

/** Like `readResource`, but returns null if there is no such file. All other errors are thrown. */
export async function findResource(
  folder: SkillFolder,
  path: string,
  options: ReadOptions = {},
): Promise<Resource | null> {
  try {
    return await readResource(folder, path, options)
  } catch (error) {
    if (hasCode(error, 'RESOURCE_NOT_FOUND')) return null
    throw error
  }
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
