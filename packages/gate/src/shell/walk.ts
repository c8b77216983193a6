import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash'
import { MAX_COMMAND_DEPTH } from '../limits.ts'
import { findProgram, programName, runsShell } from './programs/programs.ts'
import { type LazyScript, parseScript } from './simple-command.ts'

/** Parts of a command that run in a shell of their own: a change of folder there changes it nowhere else. */
const SUBSHELLS: ReadonlySet<string> = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Coproc'])

const LOOPS: ReadonlySet<string> = new Set(['ArithmeticFor', 'While'])

/** What may change the working folder. */
export const CHANGES_FOLDER = /(?<![\w-])(?:cd|chdir|pushd|popd|sl|set-location|eval|source)(?![\w-])/i

/** Folders that a command may run in, relative to the session's; undefined: one that is not known. */
export type Folders = ReadonlySet<string | undefined>

/** What is told of a command line on the way through it, with the folders that each part may run in. */
export interface CommandVisitor {
  /** Whether a line within the line needs to be read. */
  readonly isRelevant: (line: string) => boolean
  /** A command; its words without quotes, the program first, and as they are written. */
  readonly command: (words: readonly string[], parts: readonly Word[], folders: Folders) => void
  /** A word, of a command or of anything else. */
  readonly word?: (word: Word, folders: Folders) => void
  /** Lines that are nested too deep to be read. */
  readonly tooDeep: (lines: readonly string[]) => void
}

/**
 * Goes through all commands of a line, those in lines that it gives to a shell included, in the folders that `cd` leads
 * to.
 * @throws the line, or one in it, is not in a shell's language, or is nested too deep
 */
export function forEachCommand(text: string, script: LazyScript, visitor: CommandVisitor): void {
  let line = text
  let folders: Folders = new Set([''])
  let depth = 0
  // How often the folder was changed, and the functions that change it.
  let moves = 0
  const movingFunctions = new Set<string>()
  const hasSearchPath = /CDPATH/i.test(text)

  function visit(node: SyntaxNode): void {
    const before = folders
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) throw new SyntaxError('not a command of a shell')
    if (node.type === 'AndOr') {
      for (const [index, part] of node.commands.entries()) {
        const here = folders
        visit(part)
        // After `||` it goes on where the folder was not changed.
        if (node.operators[index] === '||') folders = new Set([...here, ...folders])
      }
      return
    }
    // To some shells, dash for one, these are subshells in subshells.
    if (node.type === 'ArithmeticCommand' || node.type === 'ArithmeticExpansion') {
      const inner = node.type === 'ArithmeticCommand' ? node.body : node.text.replace(/^\$?\(\(|\)\)$/g, '')
      if (visitor.isRelevant(inner)) readOr(inner, () => visitor.tooDeep([inner]))
    }
    if (node.type === 'For' || node.type === 'Select') {
      // Its words are expanded once, before it runs.
      for (const word of node.wordlist ?? []) visit(word)
      if (CHANGES_FOLDER.test(line.slice(node.pos, node.end))) folders = new Set([...before, undefined])
      visit(node.body)
      return
    }
    // A loop runs again in the folder that it has changed to.
    if (LOOPS.has(node.type) && CHANGES_FOLDER.test(line.slice(node.pos, node.end)))
      folders = new Set([...before, undefined])
    if (node.type === 'Function') {
      const movesBefore = moves
      // Where it is called is not known.
      if (CHANGES_FOLDER.test(line)) folders = new Set([...before, undefined])
      visit(node.body)
      if (moves > movesBefore) movingFunctions.add(node.name.value)
      moves = movesBefore
      folders = before
      return
    }
    if (node.type === 'Pipeline' && node.commands.length > 1) {
      for (const part of node.commands) {
        visit(part)
        folders = before
      }
      return
    }
    if (node.type === 'Word') visitor.word?.(node, folders)
    forEachChild(node, visit)
    // After a `!` it goes on where the folder was not changed.
    if (node.type === 'Pipeline' && node.prefixes.some(({ type }) => type === 'Negation')) {
      folders = new Set([...before, ...folders])
    }
    if (SUBSHELLS.has(node.type)) folders = before
    if (node.type === 'Command') run(node)
    // It may have failed half way, and what comes next runs all the same.
    if (node.type === 'Statement') folders = new Set([...before, ...folders])
  }

  function visitScript(parsed: SyntaxNode | undefined): void {
    if (parsed === undefined) throw new SyntaxError('not a command of a shell')
    visit(parsed)
  }

  function run({ name, suffix }: Command): void {
    const parts = [name, ...suffix].filter((part) => part?.type === 'Word')
    const words = parts.map(({ value }) => value)
    while (/^(?:builtin|command)$/.test(words[0] ?? '') && !words[1]?.startsWith('-')) words.shift()
    const [program, ...rest] = words
    if (program === undefined) return
    const called = programName(program)
    if (/^(?:cd|chdir|pushd|set-location|sl)$/.test(called)) {
      // What stands in CDPATH is looked into first.
      move(hasSearchPath ? new Set([undefined]) : foldersAfter(folders, rest))
    }
    // Where these change to is not known.
    if (/^(?:popd|\.|source)$/.test(called) || movingFunctions.has(program)) move(new Set([...folders, undefined]))
    if (runsShell(program)) {
      const bodies = suffix.map((part) => {
        return part.type === 'HereDoc' ? part.body.text : part.type === 'HereString' ? (part.target?.value ?? '') : ''
      })
      // It runs in the shell itself.
      if (called === 'eval') readInside([rest.join(' ')], folders, true)
      // A trap runs wherever the shell is then.
      else {
        const isLater = called === 'trap' && CHANGES_FOLDER.test(text)
        readInside([...rest.filter((word) => /\s/.test(word)), ...bodies], isLater ? anywhere() : folders)
      }
      // These take the rest of the line as one command line.
      const at = rest.findIndex((word) => /^(?:-c|-command|\/c|\/k)$/i.test(word))
      if (at >= 0 && /^(?:powershell|pwsh|cmd)$/.test(called)) readInside([rest.slice(at + 1).join(' ')], folders)
    }
    visitor.command(words, parts, folders)
    const inner = wrappedCommandLine(words)
    // What runs the shell may do so in another folder.
    const moved = words.some((word) => findProgram(word)?.wraps?.folder !== undefined)
    if (inner !== undefined) readInside([inner], moved ? anywhere() : folders)
  }

  /** Reads a line that may not be one. */
  function readOr(inner: string, otherwise: () => void): void {
    if (parseScript(inner) === undefined) otherwise()
    else readInside([inner], folders)
  }

  function move(to: Folders): void {
    folders = to
    moves++
  }

  function anywhere(): Folders {
    return new Set([...folders, undefined])
  }

  /** @param isSameShell the lines run in this shell, so that they change its folder */
  function readInside(lines: readonly string[], from: Folders, isSameShell = false): void {
    if (depth >= MAX_COMMAND_DEPTH) return visitor.tooDeep(lines)
    depth++
    const before = folders
    const outerLine = line
    folders = from
    for (const inner of lines.filter((one) => isSameShell || visitor.isRelevant(one))) {
      line = inner
      visitScript(parseScript(inner))
      if (!isSameShell) folders = from
    }
    if (!isSameShell) folders = before
    line = outerLine
    depth--
  }

  visitScript(script())
}

/** The working folder, as commands write it. */
export const CURRENT = /^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=$|\/)/

/** The command line of a shell that another program runs: `sudo bash -c "…"`, `find … -exec sh -c '…'`. */
function wrappedCommandLine(words: readonly string[]): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && runsShell(word))
  return at < 0 ? undefined : words.slice(at + 1).find((word) => /\s/.test(word))
}

/** Folders that are told apart. With more of them, where a command runs is not known. */
const MAX_FOLDERS = 16

/** A pattern in a folder that certainly stands for no step up: only `*` and `?`, beside a letter. */
const PLAIN_GLOB = /^(?:\*|[\w.-]*|[\w.*?-]*\w[\w.*?-]*)$/

/** The folders after `cd`, by its arguments. */
function foldersAfter(folders: Folders, words: readonly string[]): Folders {
  const to = words.find((word) => word === '-' || !word.startsWith('-'))?.replace(CURRENT, '.') ?? '~'
  const isGlob = /[*?[{(]/.test(to)
  const isCertain = !isGlob || to.split('/').every((part) => PLAIN_GLOB.test(part))
  if (to === '-' || /[$`]|^~[+\-\d]/.test(to) || !isCertain || folders.size > MAX_FOLDERS) return new Set([undefined])
  if (isFixed(to)) return new Set([to])
  return new Set(
    [...folders].map((folder) => (folder === '' ? to : folder === undefined ? undefined : `${folder}/${to}`)),
  )
}

/** Whether a path means the same in every folder. */
export function isFixed(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:|\$\{?HOME\b|%USERPROFILE%)/i.test(path)
}
