import { commands as gateCommands } from '@repertoire/gate/internal'
import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash'
import { isShellName } from './interpreter.ts'

type DangerousPattern =
  | 'recursive force delete of a root'
  | 'fork bomb'
  | 'pipe to shell'
  | 'raw device write'
  | 'mkfs'
  | 'dd'

export interface Danger {
  readonly pattern: DangerousPattern
  /** 1-based: where the command begins. */
  readonly line: number
}

/** The longest text that is parsed, and how deep command lines in command lines are read: `sh -c "sh -c '…'"`. */
const [MAX_CHARS, MAX_DEPTH] = [256 * 1024, 4]
/** The parser's time grows with the square of their number. */
const MAX_HERE_DOCUMENTS = 5_000

/** Each pattern with what finds it in a node of a parsed script. */
const CHECKS: readonly (readonly [DangerousPattern, (node: SyntaxNode) => boolean])[] = [
  ['recursive force delete of a root', deletesRoot],
  ['fork bomb', isForkBomb],
  ['pipe to shell', runsDownload],
  ['raw device write', writesDevice],
  ['mkfs', (node) => calls(node, (name, args) => /^(?:mkfs(?:\..+)?|mke2fs)$/.test(name) && args.some(isOperand))],
  ['dd', (node) => calls(node, (name, args) => name === 'dd' && args.some((arg) => /^[io]f=/.test(arg)))],
]

/** Returns the first dangerous pattern in a text of shell commands; `unread` if it cannot be parsed. */
export function findShellDanger(text: string, depth = 0): Danger | 'unread' | undefined {
  const isShort = text.length <= MAX_CHARS && text.split('<<', MAX_HERE_DOCUMENTS).length < MAX_HERE_DOCUMENTS
  const script = isShort && depth <= MAX_DEPTH ? gateCommands().parseScript(text) : undefined
  if (script === undefined) return 'unread'
  let found: Danger | undefined
  const visit = (node: SyntaxNode): void => {
    if (found !== undefined) return
    const pattern = CHECKS.find(([, isFound]) => isFound(node))?.[0] ?? innerPattern(node, depth)
    if (pattern !== undefined) found = { pattern, line: text.slice(0, node.pos).split('\n').length }
    else forEachChild(node, visit)
  }
  try {
    visit(script)
  } catch (error) {
    // It is nested too deep.
    if (error instanceof RangeError) return 'unread'
    throw error
  }
  return found
}

const INTERPRETERS: ReadonlySet<string> = new Set(['python', 'perl', 'ruby', 'node', 'php'])
/** They run their arguments as commands. */
const EVALUATORS: ReadonlySet<string> = new Set(['eval', 'source', '.'])
/** Programs whose output a script has not seen, or has hidden. */
const DOWNLOADERS: ReadonlySet<string> = new Set('curl wget aria2c nc ncat base64 xxd'.split(' '))
const DEVICE_WRITERS: ReadonlySet<string> = new Set(['tee', 'shred', 'wipefs', 'blkdiscard'])
/** Words before the program that a wrapper runs. */
const MAX_WRAPPING = 16
/** They run the command that stands behind their options. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'sudo doas env exec command nohup time nice timeout stdbuf setsid xargs busybox'.split(' '),
)

/** Where a program is read from its input: no operand, or one of these. */
const STDIN = /^(?:|-|\/dev\/stdin|\/dev\/fd\/0)$/
const ROOT = /^(?:\/|~(?:root)?|\$HOME|\$\{HOME\b[^}]*\})\/?(?:\.?[*?]+)?$/
const DEVICE = /^\/dev\/(?:[shv]d|xvd|nvme|mmcblk|disk|mapper\/|dm-|md\d|loop\d|nbd|sr\d|k?mem$|\$)/

function deletesRoot(node: SyntaxNode): boolean {
  return calls(node, (name, args) => {
    const has = (option: RegExp): boolean => args.some((arg) => option.test(arg))
    return name === 'rm' && has(/^-[a-zA-Z]*[rR]|^--r/) && has(/^-[a-zA-Z]*f|^--f/) && args.some(isRoot)
  })
}

/** A function that calls itself twice, in a pipeline or in the background. */
function isForkBomb(node: SyntaxNode): boolean {
  if (node.type !== 'Function') return false
  let [count, isParallel] = [0, false]
  const visit = (each: SyntaxNode, parallel: boolean): void => {
    if (calls(each, (name) => name === node.name.value)) {
      count++
      isParallel ||= parallel
    }
    const forks = parallel || each.type === 'Pipeline' || (each.type === 'Statement' && each.background === true)
    forEachChild(each, (child) => visit(child, forks))
  }
  visit(node.body, false)
  return count > 1 && isParallel
}

/** A shell or an interpreter that gets its program from a download: by a pipe, a substitution, or its input. */
function runsDownload(node: SyntaxNode): boolean {
  if (node.type === 'Pipeline') {
    const first = node.commands.findIndex((stage) => holds(stage, downloads))
    return first >= 0 && node.commands.slice(first + 1).some((stage) => holds(stage, readsProgram))
  }
  if (node.type !== 'Command') return false
  return wordLists(node).some((words) => {
    const [name] = namesIn(words)
    const isEvaluator = EVALUATORS.has(name)
    if (!isEvaluator && !isShell(name) && !isInterpreter(name)) return false
    const operands = words.slice(1).filter(({ value }) => isOperand(value))
    const code = isEvaluator ? words.slice(1) : operands.slice(0, 1)
    return [...code, ...node.redirects].some((part) => holds(part, (each) => each !== node && downloads(each)))
  })
}

function writesDevice(node: SyntaxNode): boolean {
  if (node.type === 'Redirect') return node.operator.includes('>') && isDevice(textOf(node.target))
  return calls(node, (name, args) => DEVICE_WRITERS.has(name) && args.some(isDevice))
}

function downloads(command: SyntaxNode): boolean {
  return calls(command, (name) => DOWNLOADERS.has(name))
}

function readsProgram(command: SyntaxNode): boolean {
  return calls(command, (name, args) => {
    const [first = ''] = args
    if (isInterpreter(name) || EVALUATORS.has(name)) return STDIN.test(first)
    const [operand = ''] = args.filter(isOperand)
    const isGiven = args.some((arg) => /^-[a-z]*c$/.test(arg))
    return isShell(name) && !isGiven && (STDIN.test(operand) || args.includes('-s'))
  })
}

/** The pattern in the literal code that a shell is given: `sh -c '…'`, `eval '…'`, a here-document, `echo '…' | sh`. */
function innerPattern(node: SyntaxNode, depth: number): DangerousPattern | undefined {
  for (const code of codeIn(node)) {
    const found = findShellDanger(code, depth + 1)
    if (typeof found === 'object') return found.pattern
  }
  return undefined
}

function codeIn(node: SyntaxNode): readonly string[] {
  if (node.type === 'Pipeline') {
    const at = node.commands.findIndex(readsProgram)
    return node.commands.slice(0, Math.max(0, at)).flatMap((stage) => (stage.type === 'Command' ? inputsOf(stage) : []))
  }
  if (node.type !== 'Command') return []
  return wordLists(node).flatMap((words) => {
    const [name, ...args] = namesIn(words)
    if (name === 'eval') return [args.join(' ')]
    if (name !== 'trap' && name !== 'su' && !isShell(name)) return []
    return [...args.filter((arg) => /\s/.test(arg)), ...inputsOf(node)]
  })
}

/** The literal texts that a command passes on: what it echoes, and its here-documents. */
function inputsOf(command: Command): readonly string[] {
  const [name, ...args] = namesIn(wordLists(command)[0]!)
  const texts = command.redirects.map((each) => {
    if (each.type === 'HereDoc') return each.body.text
    return each.type === 'HereString' ? textOf(each.target) : ''
  })
  return name === 'echo' || name === 'printf' ? [...args, ...texts] : texts
}

function calls(node: SyntaxNode, test: (name: string, args: readonly string[]) => boolean): boolean {
  if (node.type !== 'Command') return false
  return wordLists(node).some((words) => {
    const [name, ...args] = namesIn(words)
    return test(name, args)
  })
}

/** The words of a command and, if it is a wrapper, those of the commands that it may run. */
function wordLists({ name, suffix }: Command): readonly (readonly Word[])[] {
  const words = [name, ...suffix].filter((part) => part?.type === 'Word')
  const lists = [words]
  for (let at = 1; at < Math.min(words.length, MAX_WRAPPING) && mayPrecede(words, at - 1); at++) {
    lists.push(words.slice(at))
  }
  return lists
}

/**
 * Whether a program may stand behind a word: a wrapper, or behind one an assignment, a number, an option or its value.
 */
function mayPrecede(words: readonly Word[], at: number): boolean {
  const text = words[at]!.value
  if (at === 0 || WRAPPERS.has(text)) return WRAPPERS.has(namesIn(words)[0])
  return /^-|^\w+=|^[\d.]+[smhd]?$/.test(text) || words[at - 1]!.value.startsWith('-')
}

function textOf(word: Word | undefined): string {
  return word?.value ?? ''
}

/** The base name of the program, and the other words. */
function namesIn([program, ...args]: readonly Word[]): readonly [string, ...string[]] {
  return [textOf(program).replace(/^.*\//s, ''), ...args.map(({ value }) => value)]
}

function holds(node: SyntaxNode, test: (node: SyntaxNode) => boolean): boolean {
  let found = test(node)
  if (!found) forEachChild(node, (child) => void (found ||= holds(child, test)))
  return found
}

/** `$SHELL` is one, too. */
function isShell(name: string): boolean {
  return isShellName(name) || name === '$SHELL' || name === '${SHELL}'
}

function isInterpreter(name: string): boolean {
  return INTERPRETERS.has(name.replace(/[\d.]+$/, ''))
}

function isOperand(arg: string): boolean {
  return !/^-./.test(arg)
}

function isRoot(path: string): boolean {
  return ROOT.test(plainPath(path))
}

function isDevice(path: string): boolean {
  return DEVICE.test(plainPath(path))
}

/** A path without repeated slashes, `.` and `..`. */
function plainPath(path: string): string {
  const [first = '', ...rest] = path.split('/')
  const parts: string[] = []
  for (const part of rest) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return rest.length === 0 ? path : `${first}/${parts.join('/')}`
}
