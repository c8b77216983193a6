import type { ShellCommand, ShellLine } from './line.ts'
import { findReader, readerProblem } from './reader.ts'
import type { ShellWord } from './word.ts'

/** Programs whose words are data, whatever options they have. */
const DATA: ReadonlySet<string> = new Set('cd mkdir touch cp mv which type sleep'.split(' '))

const GIT_DATA: ReadonlySet<string> = new Set(
  'add commit rm mv checkout switch restore reset stash tag branch merge'.split(' '),
)

/** Whether no program can begin among the words of a command behind its first: it takes them as names or texts. */
export function isData({ words }: ShellCommand): boolean {
  const [first, second, third] = words
  const program = first?.literal
  if (program === undefined) return false
  if (DATA.has(program)) return true
  if (program === 'command') return /^-[vV]$/.test(second?.literal ?? '')
  if (program === 'git' && GIT_DATA.has(second?.literal ?? '')) return true
  if (program === 'gh' && /^(?:pr|issue)$/.test(second?.literal ?? '') && third !== undefined) return true
  return isReading(words)
}

export function keepsOutput({ keepsWords, commands }: ShellLine): boolean {
  return keepsWords || commands.some(({ isPiped, words }) => isPiped && !isReading(words))
}

function isReading(words: readonly ShellWord[]): boolean {
  const found = findReader(words.slice(0, 3).map(({ literal }) => literal))
  return found !== undefined && readerProblem(found, words.slice(found.length)) === undefined
}
