import { splitWords, withoutQuotes } from './expanded.ts'
import { readsCommands } from './programs/programs.ts'
import type { LazyScript } from './script.ts'
import { markVariables, VARIABLE } from './variables.ts'
import { CHANGES_FOLDER, CURRENT, type Folders, forEachCommand } from './walk.ts'

/** Words of one command, in their order, and the folders that it may run in. */
export interface LocatedWords {
  /** As patterns without quotes, in which no quoted character is special. */
  readonly words: readonly string[]
  /** Relative to the session's; undefined: one that is not known. */
  readonly folders: readonly (string | undefined)[]
}

/** A home folder is known well enough. */
const HOME = /^\$\{?HOME\b/

/**
 * The words of a command line that may name files, each with the folders that its command may run in: those that `cd`
 * leads to. A word behind a variable (`$X/name`) is in a folder that is not known; in a name that is known in part
 * (`folder/$X.json`) a variable is a pattern. Where the line cannot be read, whatever may be a word is given.
 */
export function locatedWords(text: string, script: LazyScript): readonly LocatedWords[] {
  const located: LocatedWords[] = []
  const add = (written: string, folders: Folders): void => {
    const unquoted = written.replaceAll(/["\\]/g, '')
    if (CURRENT.test(unquoted)) {
      located.push({ words: [unquoted.replace(CURRENT, '.')], folders: [...folders] })
    } else if (nameInUnknownFolder(unquoted.replaceAll(/'[^']*'/g, '')) !== undefined && !HOME.test(unquoted)) {
      located.push({ words: [nameInUnknownFolder(unquoted) ?? unquoted], folders: [undefined] })
    } else {
      const word = readWord(written)
      if (word !== undefined) located.push({ words: [word], folders: [...folders] })
    }
  }
  try {
    forEachCommand(text, script, {
      isRelevant: () => true,
      word: (word, folders) => add(word.text, folders),
      command: (words, parts, folders) => {
        const isReadAgain = words.some(readsCommands)
        const plain = isReadAgain ? words : parts.flatMap((part) => readWord(part.text) ?? [])
        if (plain.length > 1) located.push({ words: plain.slice(1), folders: [...folders] })
      },
      tooDeep: (lines) => {
        for (const line of lines) located.push({ words: splitWords(line), folders: ['', undefined] })
      },
    })
  } catch {
    located.push({ words: splitWords(text), folders: CHANGES_FOLDER.test(text) ? ['', undefined] : [''] })
  }
  return located
}

/** A word without quotes, with `VARIABLE` for the expansions in it; undefined where its folder is not known either. */
function readWord(written: string): string | undefined {
  const word = withoutQuotes(written.includes('$') || written.includes('`') ? markVariables(written) : written)
  return word?.replace(/[^/\\]*$/, '').includes(VARIABLE) === true ? undefined : word
}

const EXPANSION = /[$`]/

/** The last part of a path that is known, in a folder that is only known when the command runs. */
function nameInUnknownFolder(path: string): string | undefined {
  const end = path.lastIndexOf('/') + 1
  const name = path.slice(end)
  return EXPANSION.test(path.slice(0, end)) && !EXPANSION.test(name) ? name : undefined
}
