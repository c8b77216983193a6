import type { Word } from 'unbash'
import { MAX_CALL_PATHS } from '../limits.ts'
import type { MutatedPath } from './mutated-path.ts'
import { mayMutate, pathsMutatedByWords } from './mutations.ts'
import type { LazyScript } from './script.ts'
import { isPartlyKnown, markVariables, VARIABLE } from './variables.ts'
import { CURRENT, type Folders, forEachCommand, isFixed } from './walk.ts'

/**
 * The paths that a command line moves or removes, or puts something in the place of, in all of its commands: by what
 * their words say, in the folders that `cd` leads to. What variables hold, what a program is given by another and what it
 * does by itself is not seen. A line that cannot be read may mutate any path.
 */
export function mutatedByCommand(text: string, script: LazyScript): readonly MutatedPath[] {
  if (!mayMutate(text)) return []
  const mutated: MutatedPath[] = []

  function command(words: readonly string[], parts: readonly Word[], folders: Folders): void {
    // On Windows a backslash separates folders.
    const written = parts.map((part) => part.text.replaceAll(/["']/g, ''))
    const isEscaped = written.some((word) => word.includes('\\'))
    for (const reading of isEscaped ? [words, written] : [words]) add(pathsMutatedByWords(reading), folders)
  }

  function add(found: readonly MutatedPath[], folders: Folders): void {
    if (mutated.length + found.length * folders.size > MAX_CALL_PATHS) throw new RangeError('too many paths')
    for (const { path, ...rest } of found) {
      for (const folder of folders) {
        const here = asPattern(path.replace(CURRENT, '.'))
        const inUnknown = IN_UNKNOWN_FOLDER.exec(here)?.[1]
        if (inUnknown !== undefined) mutated.push({ ...rest, path: inUnknown, anywhere: true })
        else if (folder === '' || rest.anywhere === true || isFixed(here)) mutated.push({ ...rest, path: here })
        else if (folder === undefined) mutated.push({ ...rest, path: here, anywhere: true })
        else mutated.push({ ...rest, path: `${folder}/${here}` })
      }
    }
  }

  try {
    forEachCommand(text, script, {
      isRelevant: mayMutate,
      command,
      tooDeep: (lines) => mutated.push(...(lines.some(mayMutate) ? [ANYTHING] : [])),
    })
  } catch {
    // It is nested too deep, too much of it, or not in a shell's language.
    return [ANYTHING]
  }
  return mutated
}

/** A path with `*` for the variables in a name that is known in part. */
function asPattern(path: string): string {
  if (!path.includes('$') && !path.includes('`')) return path
  const marked = markVariables(path)
  return isPartlyKnown(marked) ? marked.replaceAll(VARIABLE, '*') : path
}

/** A path that may be any. */
const ANYTHING: MutatedPath = { path: '.', anywhere: true }

/** A path in a folder that is only known when the command runs. */
const IN_UNKNOWN_FOLDER = /^(?:\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{PWD\b[^}]*\})[/\\]+(.*)$/s
