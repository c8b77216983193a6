import type { MutatedPath } from './mutated-path.ts'

/** What one test of `find` leaves over, as far as names tell. Absent: everything. */
interface Passed {
  /** What a name follows one of. */
  readonly names?: readonly string[]
  readonly only?: 'file' | 'folder'
  readonly empty?: true
}

/** A taking action, with all that was passed before it. */
interface Action {
  readonly passed: readonly Passed[]
  /** The command that it runs; absent: it deletes by itself. */
  readonly command?: readonly string[]
}

/** Tests, actions and options with one value. */
const WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|i?regex|x?type|size|[macB]time|[macB]min|a?newer|cnewer|newer[aBcmt]{2}|perm|user|group|uid|gid|links|inum|fstype|maxdepth|mindepth|printf|fprint0?|fprintf|fls|i?lname|samefile|regextype|used|context)$/

/**
 * What an expression of `find` takes from below its folders: what its actions delete or have changed by a program, in
 * as far as the tests before them on the same branch let it pass. Of these only names are read, and whether it is a file
 * or a folder; what a test denies is passed over.
 */
export function foundBy(
  words: readonly string[],
  mayChange: (command: readonly string[]) => boolean,
): readonly Found[] {
  let at = 1
  while (/^-(?:[LHPEXdsx]+|O\d)$/.test(words[at] ?? '')) at++
  const starts: string[] = []
  while (at < words.length && !/^[-(!,]/.test(words[at]!)) starts.push(words[at++]!)
  const actions: Action[] = []

  function branches(before: readonly Passed[], depth: number): Passed {
    const found: Passed[] = []
    let passed: Passed[] = []
    let isNot = false
    const pass = (one: Passed): void => {
      if (!isNot) passed.push(one)
      isNot = false
    }
    for (; at < words.length; at++) {
      const word = words[at]!
      if (word === ')') break
      if (word === '!' || word === '-not') isNot = !isNot
      else if (/^(?:-or?|,)$/.test(word)) {
        found.push(together(passed))
        passed = []
      } else if (word === '(') {
        if (depth >= MAX_DEPTH) throw new RangeError('too deep')
        at++
        pass(branches([...before, ...passed], depth + 1))
      } else if (word === '-delete') {
        actions.push({ passed: [...before, ...passed] })
        isNot = false
      } else if (/^-(?:exec|ok)(?:dir)?$/.test(word)) {
        const command = commandAt(words, at + 1)
        at += command.length + 1
        if (mayChange(command)) actions.push({ passed: [...before, ...passed], command })
        isNot = false
      } else if (WITH_VALUE.test(word)) pass(passedBy(word, words[++at] ?? ''))
      else if (word === '-empty') pass({ empty: true })
      else if (word !== '-a' && word !== '-and') pass({})
    }
    found.push(together(passed))
    return oneOf(found)
  }

  branches([], 0)
  const paths = starts.length === 0 ? ['.'] : starts
  return actions.map(({ passed, command }) => ({
    command: command ?? [],
    taken: holdsNothing(passed) ? [] : paths.map((path) => takenFrom(path, passed)),
  }))
}

/** Groups in groups that are read. */
const MAX_DEPTH = 50

export interface Found {
  readonly command: readonly string[]
  readonly taken: readonly MutatedPath[]
}

/** An empty folder holds no file. */
function holdsNothing(passed: readonly Passed[]): boolean {
  return passed.some(({ empty }) => empty) && passed.some(({ only }) => only === 'folder')
}

function takenFrom(path: string, passed: readonly Passed[]): MutatedPath {
  const named = passed.flatMap(({ names }) => (names === undefined ? [] : [names]))
  const only = passed.find((one) => one.only !== undefined)?.only
  return { path, ...(named.length > 0 && { named }), ...(only !== undefined && { only }) }
}

function commandAt(words: readonly string[], start: number): readonly string[] {
  const end = words.findIndex(
    (word, index) => index >= start && (word === ';' || (word === '+' && words[index - 1] === '{}')),
  )
  return words.slice(start, end < 0 ? words.length : end)
}

function passedBy(test: string, value: string): Passed {
  if (/^-i?name$/.test(test)) return { names: [value] }
  if (test === '-type' && value === 'f') return { only: 'file' }
  if (test === '-type' && value === 'd') return { only: 'folder' }
  return {}
}

/** What several tests in a row pass, by the first that tells: more, if anything, than they do. */
function together(passed: readonly Passed[]): Passed {
  const names = passed.find((one) => one.names !== undefined)?.names
  const only = passed.find((one) => one.only !== undefined)?.only
  return { ...(names !== undefined && { names }), ...(only !== undefined && { only }) }
}

function oneOf(branches: readonly Passed[]): Passed {
  const [first = {}, ...rest] = branches
  if (rest.length === 0) return first
  const isNamed = branches.every(({ names }) => names !== undefined)
  return isNamed ? { names: branches.flatMap(({ names }) => names ?? []) } : {}
}
