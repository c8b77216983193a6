import type { ScriptFile, ScriptInspection, ScriptNeed } from '@repertoire/core'
import { commandDifference } from './command-differences.ts'
import { innerText } from './inner-texts.ts'
import { type ShellModule, knownCommands, startedBy } from './known-commands.ts'
import { readScript } from './read-script.ts'
import { COMPUTED, type SeenCommand, type SeenConstruct, type SeenScript, wordText } from './seen.ts'

type Shell = ShellModule & Pick<typeof import('just-bash'), 'parse'>

const FOLDERS = /^\/(?:usr\/(?:local\/)?)?s?bin\//
const BASH_SOURCE = /\bBASH_SOURCE\b/
/** Commands that read their arguments as files with commands. */
const READERS: ReadonlySet<string> = new Set(['sh', 'bash', 'source', '.'])
/** Commands that may start one of these. */
const STARTERS: ReadonlySet<string> = new Set(['xargs', 'find', 'env', 'timeout', 'exec', 'command', 'time'])

/** What is known of a shell script before it runs: what of it would run otherwise than in a system's shell, and what it lacks. */
export function inspectShell(shell: Shell, files: readonly ScriptFile[], path: string): ScriptInspection {
  const nothing = { missing: [], unknown: [] }
  const file = files.find((each) => each.path === path)
  if (file === undefined) return nothing
  const text = textOf(file)
  const script = read(shell, text)
  if ('refused' in script) return { ...nothing, refused: [placeIn(path, script.refused)] }
  const { differences } = script
  const refused = differences.map((each) => placeIn(path, each))
  const mayRead = readFiles(script.seen)
  const isSourced = sourcedFiles(script.seen)
  const others = files.filter(
    (each) => each !== file && (isSourced(each.path) || (mayRead(each.path) && isShellFile(each))),
  )
  const functions = new Set(script.seen.functions)
  const sources = script.seen.commands.some(({ name }) => name === 'source' || name === '.')
  for (const other of others) {
    const content = textOf(other)
    const found = read(shell, content)
    if ('refused' in found) {
      refused.push(placeIn(other.path, found.refused))
      continue
    }
    refused.push(...found.differences.map((each) => placeIn(other.path, each)))
    for (const name of found.seen.functions) functions.add(name)
    if (sources && BASH_SOURCE.test(content))
      refused.push(
        placeIn(other.path, {
          reason: 'BASH_SOURCE is empty in a file that is sourced',
          line: lineOf(content, BASH_SOURCE),
        }),
      )
  }
  return { ...needsOf(knownCommands(shell), script.seen, functions, files), ...(refused.length > 0 && { refused }) }
}

/**
 * What a shell script uses beside the commands that are known, for any shell. Nothing where its syntax is not known here,
 * since another shell may know it.
 */
export function shellNeeds(
  shell: Shell,
  files: readonly ScriptFile[],
  path: string,
  known: ReadonlySet<string>,
): ScriptInspection {
  const functions = new Set<string>()
  let own: SeenScript | undefined
  for (const file of files.filter((each) => each.path === path || isShellFile(each))) {
    const found = read(shell, textOf(file))
    if ('refused' in found) continue
    if (file.path === path) own = found.seen
    for (const name of found.seen.functions) functions.add(name)
  }
  return own === undefined ? { missing: [], unknown: [] } : needsOf(known, own, functions, files)
}

interface ReadScript {
  readonly seen: SeenScript
  readonly differences: readonly SeenConstruct[]
}

function read(shell: Shell, text: string, outer?: SeenScript): ReadScript | { readonly refused: SeenConstruct } {
  try {
    const seen = readScript(shell.parse(text), text, outer)
    const own = [
      ...seen.constructs,
      ...misreadPatterns(seen),
      ...seen.commands.map(commandDifference).filter((each) => each !== undefined),
    ]
    const inner = seen.commands.map((command) => readInner(shell, command, seen))
    const differences = [...own, ...inner.flatMap((each) => each.differences)]
    const all: SeenScript = {
      ...seen,
      commands: [...seen.commands, ...inner.flatMap((each) => each.commands)],
      functions: new Set([...seen.functions, ...inner.flatMap((each) => each.functions)]),
    }
    return { seen: all, differences: differences.toSorted((one, other) => one.line - other.line) }
  } catch (error) {
    const [, line = '1', reason = String(error)] =
      /Parse error at (\d+):\d+: (.*)/.exec(error instanceof Error ? error.message : '') ?? []
    if (text.includes('\r\n')) return { refused: { reason: 'lines end with CRLF: save the script with LF', line: 1 } }
    return { refused: { reason, line: Number(line) } }
  }
}

interface ReadInner {
  readonly commands: readonly SeenCommand[]
  readonly functions: readonly string[]
  readonly differences: readonly SeenConstruct[]
}

/** What a text consists of that a command has read as commands, at the line of that command. */
function readInner(shell: Shell, command: SeenCommand, outer: SeenScript): ReadInner {
  const inner = innerText(command)
  if (inner?.text === undefined) return { commands: [], functions: [], differences: [] }
  const { line } = command
  const script = read(shell, inner.text, inner.isSameShell ? outer : undefined)
  if ('refused' in script) return { commands: [], functions: [], differences: [{ ...script.refused, line }] }
  const { seen, differences } = script
  const source = BASH_SOURCE.test(inner.text)
    ? [{ reason: 'BASH_SOURCE is empty in a text that is read as commands', line }]
    : []
  return {
    commands: seen.commands.map((each) => ({ ...each, line, certain: false })),
    functions: inner.isSameShell ? [...seen.functions] : [],
    differences: [...differences.map((each) => ({ ...each, line })), ...source],
  }
}

function needsOf(
  known: ReadonlySet<string>,
  { commands }: SeenScript,
  functions: ReadonlySet<string>,
  files: readonly ScriptFile[],
): Pick<ScriptInspection, 'missing' | 'unknown'> {
  const fileNames = new Set(files.map(({ path }) => lastPart(path)))
  const missing = new Map<string, ScriptNeed>()
  const unknown = new Set<number>()
  const need = ({ line, certain }: SeenCommand, name: string): void => {
    const plain = name.replace(FOLDERS, '')
    if (known.has(plain) || functions.has(name) || plain.includes('/') || plain === '') return
    const before = missing.get(plain)
    if (before === undefined || (certain && !before.certain))
      missing.set(plain, { kind: 'command', name: plain, line, certain })
  }
  for (const command of commands) {
    const { name, args, line } = command
    if (name === undefined) {
      unknown.add(line)
      continue
    }
    need(command, name)
    const started = startedBy(name, args)
    if (started !== undefined && !started.startsWith('-') && !started.includes(COMPUTED)) need(command, started)
    const sourced = sourcedName(command)
    if (sourced !== undefined && !fileNames.has(sourced)) unknown.add(line)
    const inner = innerText(command)
    if ((inner !== undefined && inner.text === undefined) || started?.includes(COMPUTED)) unknown.add(line)
  }
  return { missing: [...missing.values()].toSorted((one, other) => one.line - other.line), unknown: [...unknown] }
}

/** Which files a shell reads for certain, whatever their names end with. */
function sourcedFiles({ commands }: SeenScript): (path: string) => boolean {
  const names = new Set(commands.map(sourcedName))
  return (path) => names.has(lastPart(path))
}

/** The last part of the path that `source` reads; undefined: it is not that command. What is computed is no file's name. */
function sourcedName({ name, args }: SeenCommand): string | undefined {
  return name === 'source' || name === '.' ? lastPart(args[0] ?? COMPUTED) : undefined
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Which other files may be read as commands, by the names that the script has for them; any, where a name is computed. */
function readFiles({ commands }: SeenScript): (path: string) => boolean {
  const names = new Set<string>()
  let any = false
  for (const { name, args, node } of commands) {
    const called = node.name === null ? '' : wordText(node.name)
    const reads =
      name !== undefined && (READERS.has(name) || (STARTERS.has(name) && args.some((arg) => READERS.has(arg))))
    const words = reads || (name !== undefined && STARTERS.has(name)) ? [called, ...args] : [called]
    for (const word of words) {
      const last = lastPart(word)
      if (!/[\0*?{]/.test(last)) names.add(last)
      else if (reads || word.includes('/')) any = true
    }
  }
  return (path) => any || names.has(lastPart(path))
}

function isShellFile({ path, bytes }: ScriptFile): boolean {
  if (/\.(?:sh|bash)$/.test(path)) return true
  return /^#!.*\b(?:ba)?sh\b/.test(new TextDecoder().decode(bytes.subarray(0, 256)).split('\n')[0] ?? '')
}

function textOf({ bytes }: ScriptFile): string {
  return new TextDecoder().decode(bytes)
}

function lineOf(text: string, pattern: RegExp): number {
  return text.slice(0, text.search(pattern)).split('\n').length
}

function placeIn(path: string, { reason, line }: SeenConstruct): NonNullable<ScriptInspection['refused']>[number] {
  return { path, line, reason }
}

const NEGATED = /\[!(?!\][^\]]*$)[^\]]*\]|\[!\][^\]]*\]/
const REMEDY = 'is read without its "!"'

/** Where a pattern that is not one of file names is, or may be, read otherwise: `[!…]` as if it were not negated, `\\*` as `*`. */
function misreadPatterns({ patterns, commands, texts }: SeenScript): readonly SeenConstruct[] {
  const found: SeenConstruct[] = []
  let computed: string | undefined
  for (const { word, where, line } of patterns) {
    // What is quoted or escaped in a pattern is literal.
    const globs = word.parts.filter((part) => part.type === 'Glob' || part.type === 'Literal')
    const shown = NEGATED.exec(wordText({ ...word, parts: globs }))?.[0]
    const escaped = where === 'case' && word.parts.find((part) => part.type === 'Escaped' && '*?['.includes(part.value))
    if (escaped && escaped.type === 'Escaped')
      found.push({ reason: `\\${escaped.value} in a pattern of case is read without its backslash`, line })
    if (shown !== undefined) found.push({ reason: `${shown} in a pattern of ${where} ${REMEDY}`, line })
    if (word.parts.some(({ type }) => type === 'ParameterExpansion' || type === 'CommandSubstitution'))
      computed ??= where
  }
  for (const { name, args, line } of commands) {
    const shown = name === 'find' ? args.map((arg) => NEGATED.exec(arg)?.[0]).find(Boolean) : undefined
    if (shown !== undefined) found.push({ reason: `${shown} in a pattern of find ${REMEDY}`, line })
  }
  if (found.length > 0 || computed === undefined) return found
  const source = texts.find(({ text }) => NEGATED.test(text))
  if (source === undefined) return []
  const shown = NEGATED.exec(source.text)![0]
  return [
    { reason: `${shown} ${REMEDY} if it comes into the pattern of ${computed} that is computed`, line: source.line },
  ]
}
