import { type InnerCommands, list, type MutatedPath, type Program } from './program.ts'

/** What one test of `find` lets pass, as far as names tell. Without properties: everything. */
interface Passed {
  /** Patterns, of which a name follows one. */
  readonly names?: readonly string[]
  readonly only?: 'file' | 'folder'
  readonly empty?: true
}

/** An action that deletes or changes what it is given, with all that was passed before it. */
interface Action {
  readonly passed: readonly Passed[]
  /** The command that it runs; absent: it deletes by itself. */
  readonly command?: readonly string[]
}

/** Tests, actions and options with one value. */
const WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|i?regex|x?type|size|[macB]time|[macB]min|a?newer|cnewer|newer[aBcmt]{2}|perm|user|group|uid|gid|links|inum|fstype|maxdepth|mindepth|printf|fprint0?|fprintf|fls|i?lname|samefile|regextype|used|context)$/

/** Groups in groups that are read. */
const MAX_GROUP_DEPTH = 50

/**
 * What an expression of `find` removes below its folders, or has changed by a program, which may mutate more by itself:
 * as far as the tests before the action on the same branch let it pass. Of these only names are read, and whether it is
 * a file or a folder; tests that are negated are passed over.
 */
function mutateByFind(words: readonly string[], inner: InnerCommands): readonly MutatedPath[] {
  let at = 1
  while (/^-(?:[LHPEXdsx]+|O\d)$/.test(words[at] ?? '')) at++
  const starts: string[] = []
  while (at < words.length && !/^[-(!,]/.test(words[at]!)) starts.push(words[at++]!)
  const paths = starts.length === 0 ? ['.'] : starts
  return actionsOf(words, at, inner).flatMap(({ passed, command }) => [
    ...(passesNoFile(passed) ? [] : paths.map((path) => mutatedBelow(path, passed))),
    ...(command === undefined ? [] : inner.mutatedPaths(command)),
  ])
}

function actionsOf(words: readonly string[], start: number, inner: InnerCommands): readonly Action[] {
  const actions: Action[] = []
  let at = start

  function readBranches(before: readonly Passed[], depth: number): Passed {
    const branches: Passed[] = []
    let passed: Passed[] = []
    let isNegated = false
    const pass = (test: Passed): void => {
      if (!isNegated) passed.push(test)
      isNegated = false
    }
    for (; at < words.length; at++) {
      const word = words[at]!
      if (word === ')') break
      if (word === '!' || word === '-not') isNegated = !isNegated
      else if (/^(?:-or?|,)$/.test(word)) {
        branches.push(passedByAll(passed))
        passed = []
      } else if (word === '(') {
        if (depth >= MAX_GROUP_DEPTH) throw new RangeError('too deep')
        at++
        pass(readBranches([...before, ...passed], depth + 1))
      } else if (word === '-delete') {
        actions.push({ passed: [...before, ...passed] })
        isNegated = false
      } else if (/^-(?:exec|ok)(?:dir)?$/.test(word)) {
        const command = commandAt(words, at + 1)
        at += command.length + 1
        if (!inner.onlyReads(command)) actions.push({ passed: [...before, ...passed], command })
        isNegated = false
      } else if (WITH_VALUE.test(word)) pass(passedBy(word, words[++at] ?? ''))
      else if (word === '-empty') pass({ empty: true })
      else if (word !== '-a' && word !== '-and') pass({})
    }
    branches.push(passedByAll(passed))
    return passedByAny(branches)
  }

  readBranches([], 0)
  return actions
}

/** An empty folder holds no file. */
function passesNoFile(passed: readonly Passed[]): boolean {
  return passed.some(({ empty }) => empty) && passed.some(({ only }) => only === 'folder')
}

function mutatedBelow(path: string, passed: readonly Passed[]): MutatedPath {
  const named = passed.flatMap(({ names }) => (names === undefined ? [] : [names]))
  const only = passed.find((test) => test.only !== undefined)?.only
  return { path, ...(named.length > 0 && { named }), only }
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

/** What several tests in a row pass, by the first that tells: if anything, more than they do. */
function passedByAll(tests: readonly Passed[]): Passed {
  const names = tests.find((test) => test.names !== undefined)?.names
  const only = tests.find((test) => test.only !== undefined)?.only
  return { names, only }
}

function passedByAny(branches: readonly Passed[]): Passed {
  const [first = {}, ...rest] = branches
  if (rest.length === 0) return first
  const isNamed = branches.every(({ names }) => names !== undefined)
  return isNamed ? { names: branches.flatMap(({ names }) => names ?? []) } : {}
}

export const FIND: Program = {
  names: ['find'],
  unsafe: { words: list('-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf') },
  mutates: mutateByFind,
  examples: {
    permitted: ['find . -name x'],
    refused: ["find . -exec id ';'", 'find . -delete'],
    mutates: [
      ['find a -delete', 'a'],
      ["find . -exec rm a ';'", 'a'],
    ],
    harmless: ['find a -name x'],
  },
}
