import { sep } from 'node:path'
import { realPath } from '../real-path.ts'
import { ToolFailure } from '../result.ts'
import { type Place, type Roots, shown } from '../roots.ts'

/**
 * Returns a check that refuses changes of what is protected: these paths, what their links lead to, what is below and
 * above, and every `.git`.
 * @param paths files and folders, as the tool takes them
 * @throws {TypeError} one is outside of the roots
 */
export function createProtection(roots: Roots, paths: readonly string[]): (place: Place) => void {
  const places = paths.map((path) => {
    try {
      return roots.locate(path).path
    } catch {
      throw new TypeError(`fileOperationsTool: ${JSON.stringify(path)} in \`protect\` is outside of the roots.`)
    }
  })
  return ({ path, parts }) => {
    const isProtected = (each: string): boolean =>
      covers(each, path) || covers(path, each) || covers(realPath(each), path)
    if (!parts.some(isGit) && !places.some(isProtected)) return
    throw new ToolFailure('NOT_ALLOWED', `${shown(path)} is protected. Leave it as it is.`)
  }
}

/** Some file systems ignore case or composed characters. Where none of ours does, less is allowed than could be. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

/**
 * Whether a name is that of the folder of git, which names programs that git runs later. Windows drops dots and blanks
 * at the end, knows `git~1`, and takes what follows a colon for a stream; macOS ignores some characters.
 */
function isGit(name: string): boolean {
  return /^(?:\.git|git~\d+)[. ]*(?::.*)?$/s.test(fold(name.replaceAll(/\p{Cf}/gu, '')))
}

/** Whether a path is another one, or leads through it. */
function covers(folder: string, path: string): boolean {
  return fold(path) === fold(folder) || fold(path).startsWith(fold(folder.endsWith(sep) ? folder : folder + sep))
}
