import { type Dangerous, dangerousWord } from './options.ts'

/** What a prefix rule for a program does not cover. */
export interface Guard extends Dangerous {
  /** Subcommands that run what they are given, which only a rule that names them covers. */
  readonly runs?: readonly string[]
  /** Subcommands of which only some uses are covered, by the word that has to follow right behind. */
  readonly reads?: ReadonlyMap<string, readonly string[]>
  /** Which of the words that are no options is a file that the program writes, counted from 1. */
  readonly written?: number
  /** Whether what follows `--` is handed on, so that it is no option of this program. */
  readonly handsOn?: boolean
}

/** The same for several programs, their names separated by blanks. */
export function all(names: string, guard: Guard): readonly (readonly [string, Guard])[] {
  return names.split(' ').map((name) => [name, guard] as const)
}

/**
 * The word for which a prefix rule does not cover a command.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names
 */
export function guardedWord(words: readonly string[], fixed: number, guard: Guard): string | undefined {
  const { runs = [], reads = new Map<string, readonly string[]>(), written, handsOn = false } = guard
  const reserved = subcommandPlaces(words).find((place) => {
    const word = words[place]!
    if (runs.includes(word)) return place >= fixed
    const next = words[place + 1]
    const isHelp = place + 2 === words.length && (next === '--help' || next === '-h')
    return next !== undefined && !isHelp && reads.get(word)?.includes(next) === false
  })
  if (reserved !== undefined) return words[reserved]
  const end = handsOn ? words.indexOf('--') : -1
  const word = dangerousWord(words.slice(1, end < 0 ? undefined : end), guard)
  return word ?? (written === undefined ? undefined : operands(words, guard.valued)[written - 1])
}

/**
 * Where the subcommand may stand: among options, of which one may have the next word as its value. The first word that
 * certainly is no value is the last of these places.
 */
function subcommandPlaces(words: readonly string[]): readonly number[] {
  const places: number[] = []
  for (let place = 1; place < words.length; place++) {
    if (words[place]!.startsWith('-')) continue
    places.push(place)
    const before = words[place - 1]!
    if (place === 1 || !before.startsWith('-') || before.includes('=')) break
  }
  return places
}

/** The words that are no options and no values of options with these letters, each a word of its own. */
function operands(words: readonly string[], valued = ''): readonly string[] {
  const end = words.indexOf('--')
  return words.filter((word, index) => {
    if (index === 0 || index === end) return false
    if (end >= 0 && index > end) return true
    if (word.startsWith('-') && word !== '-') return false
    return !isValued(words[index - 1]!, valued)
  })
}

function isValued(word: string, valued: string): boolean {
  return word.length === 2 && word.startsWith('-') && valued.includes(word[1]!)
}
