import { sep } from 'node:path'
import { realPath } from '../real-path.ts'
import { ToolFailure } from '../result.ts'
import { type Place, type Roots, shown } from '../roots.ts'

/** Refuses changes of what is protected. */
export interface Protection {
  /**
   * @param withBelow whether what lies below goes along: a folder that holds something protected is then refused too
   * @throws {ToolFailure} NOT_ALLOWED
   */
  check(place: Place, withBelow: boolean): void
}

/** Some file systems ignore case, or how a character is composed. Where none of ours does, less is allowed than could be. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

/** Git runs programs that its folder names, so a file written there may be run later. */
const GIT = '.git'

/**
 * @param paths files and folders, as the tool takes them
 * @throws {TypeError} one is outside of the roots
 */
export function createProtection(roots: Roots, paths: readonly string[]): Protection {
  const places = paths.map((path) => {
    try {
      return roots.locate(path)
    } catch {
      throw new TypeError(`fileOperationsTool: ${JSON.stringify(path)} in \`protect\` is outside of the roots.`)
    }
  })
  return {
    check(place, withBelow) {
      const isProtected =
        place.parts.some((part) => isGit(part)) ||
        // A link may point to a protected file. Neither the link nor its target is changed.
        places.some(({ path }) =>
          [path, realPath(path)].some((each) => covers(each, place.path) || (withBelow && covers(place.path, each))),
        ) ||
        (withBelow && roots.folders.some((root) => covers(place.path, root)))
      if (isProtected) throw protectedPlace(place.path)
    },
  }
}

/**
 * Whether a name is that of the folder of git, or of the file that stands for one. Windows drops dots and blanks at the
 * end, knows `git~1`, and takes what follows a colon for a stream; macOS ignores some characters.
 */
export function isGit(name: string): boolean {
  const plain = fold(name.replaceAll(/\p{Cf}/gu, ''))
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
  return plain === GIT || /^git~\d+$/.test(plain)
}

export function protectedPlace(path: string): ToolFailure {
  return new ToolFailure('NOT_ALLOWED', `${shown(path)} is protected, or holds what is. Leave it as it is.`)
}

/** Whether a path is another one, or leads through it. */
function covers(folder: string, path: string): boolean {
  return fold(path) === fold(folder) || fold(path).startsWith(fold(folder.endsWith(sep) ? folder : folder + sep))
}
