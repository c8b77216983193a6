import { platform } from 'node:process'
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

/** Some file systems ignore case. Where none of ours does, less is allowed than could be. */
const fold = (part: string): string => (platform === 'linux' ? part : part.toLowerCase())

/** Git runs what its folder says, so a file written there is a program that somebody starts later. */
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
        place.parts.some((part) => part.toLowerCase() === GIT) ||
        places.some((each) => covers(each, place) || (withBelow && covers(place, each)))
      if (isProtected)
        throw new ToolFailure('NOT_ALLOWED', `${shown(place.path)} is protected, or holds what is. Leave it as it is.`)
    },
  }
}

function covers(folder: Place, place: Place): boolean {
  return (
    folder.root === place.root && folder.parts.every((part, index) => fold(part) === fold(place.parts[index] ?? ''))
  )
}
