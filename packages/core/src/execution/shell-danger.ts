import { type Command, forEachChild, type Function as ShellFunction, type Pipeline, type SyntaxNode } from 'unbash'
import { commands as gateCommands } from '@repertoire/gate/internal'
import { innerCommands, findProgram, programName, runsShell } from '@repertoire/gate/internal/programs'
import {
  type Danger,
  type DangerousPattern,
  DOWNLOADERS,
  findTextDanger,
  isDevice,
  isInterpreterName,
  isShellName,
  patternInWords,
} from './text-danger.ts'

/** The longest text that is parsed. A longer one is judged by its words. */
const MAX_CHARS = 256 * 1024

/** How deep command lines in command lines are read: `sh -c "sh -c '…'"`. */
const MAX_DEPTH = 8

/** Programs that only show, compare or look for their arguments. */
const SHOWING: ReadonlySet<string> = new Set(
  'echo printf : true false test [ grep egrep fgrep rg type which hash command man'.split(' '),
)

const STDIN = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/

/** The script itself. */
const SELF = /^(?:\.\/)?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})$/

/** An expansion that names a shell: `$SHELL`, `${SHELL:-sh}`, `$0`, `$(command -v bash)`. */
const SHELL_EXPANSION = /^(?:\$\{?0\b|[$`].*\b(?:SHELL|BASH|ZSH|SH|(?:ba|da|z|k)?sh)\b)/

/**
 * Finds what is dangerous in a shell script, by its parsed commands: what is only shown, or stands in a here-document that
 * nothing runs, is not.
 * @returns `unread`: it is not in a shell's language, or too long
 */
export function findShellDanger(text: string, depth = 0): Danger | 'unread' | undefined {
  const script = text.length <= MAX_CHARS && depth <= MAX_DEPTH ? gateCommands().parseScript(text) : undefined
  if (script === undefined) return 'unread'
  let found: Danger | undefined
  const report = (node: SyntaxNode, pattern: DangerousPattern | undefined): void => {
    if (pattern !== undefined) found ??= { pattern, line: text.slice(0, node.pos).split('\n').length }
  }
  const visit = (node: SyntaxNode): void => {
    if (found !== undefined) return
    if (node.type === 'Pipeline') report(node, pipelineDanger(node, depth))
    else if (node.type === 'Function') report(node, isBomb(node.body, node.name.value) ? 'fork bomb' : undefined)
    else if (node.type === 'Command') report(node, commandDanger(node, depth))
    else if (node.type === 'Redirect' && node.operator.includes('>') && isDevice(node.target?.value ?? '')) {
      report(node, 'raw device write')
    }
    forEachChild(node, visit)
  }
  if (isBomb(script, '$0')) report(script, 'fork bomb')
  visit(script)
  return found
}

/** Judges a text that a shell is given as a program. */
function innerDanger(text: string, depth: number): DangerousPattern | undefined {
  const found = findShellDanger(text, depth + 1)
  return found === 'unread' ? findTextDanger(text)?.pattern : found?.pattern
}

function commandDanger(command: Command, depth: number): DangerousPattern | undefined {
  const words = wordsOf(command)
  const commands = [...commandsIn(words)]
  const last = commands.at(-1) ?? words
  // `//` begins a comment of another language.
  const isShown = SHOWING.has(programName(last[0] ?? '')) || last[0] === 'eval' || /^\/+$/.test(words[0] ?? '')
  for (const each of isShown ? [] : commands) {
    const pattern = patternInWords(each)
    if (pattern !== undefined) return pattern
  }
  if (command.name !== undefined && runsDownload(command.name)) return 'pipe to shell'
  for (const each of commands) {
    const [program = '', ...args] = each
    const name = programName(program)
    const isShell = runsShell(program) || name === 'source' || name === '.' || name === 'ssh'
    if (isShell && (runsDownload(command) || args.some(isDownload))) return 'pipe to shell'
    if (!isShell && !isInterpreterName(name)) continue
    // `python3 -c "$(curl …)"`, `python3 <(curl …)`
    const code = /^-[cer]$/.test(args[0] ?? '') ? args[1] : args[0]
    if (/^(?:\$\(|`|<\()/.test(code ?? '') && runsDownload(command)) return 'pipe to shell'
    const judge = (text: string): DangerousPattern | undefined =>
      isShell ? innerDanger(text, depth) : findTextDanger(text)?.pattern
    const texts = [...(name === 'eval' ? [args.join(' ')] : args.filter((arg) => /\s/.test(arg))), ...inputsOf(command)]
    for (const text of texts) {
      const pattern = judge(text)
      if (pattern !== undefined) return pattern
    }
  }
  return undefined
}

/** What comes from the network, or was hidden, and goes on to a shell; and what a shell is given by `echo` or `cat`. */
function pipelineDanger({ commands }: Pipeline, depth: number): DangerousPattern | undefined {
  let hasDownload = false
  const shown: string[] = []
  for (const stage of commands) {
    if (some(stage, readsProgram)) {
      if (hasDownload) return 'pipe to shell'
      for (const text of shown) {
        const pattern = innerDanger(text, depth)
        if (pattern !== undefined) return pattern
      }
    }
    hasDownload ||= some(stage, downloads)
    if (stage.type !== 'Command') continue
    const [program = '', ...args] = wordsOf(stage)
    shown.push(...inputsOf(stage), ...(SHOWING.has(programName(program)) ? args : []))
  }
  return undefined
}

/** Whether a command reads its program from its standard input. */
function readsProgram(command: Command): boolean {
  const words = wordsOf(command)
  return [...commandsIn(words)].some((each) => {
    const [program = '', next] = each
    const name = programName(program)
    if (SHELL_EXPANSION.test(program)) return next === undefined || next.startsWith('-')
    if (name === 'source' || name === '.') return STDIN.test(next ?? '')
    if (isInterpreterName(name)) return next === undefined || next === '-' || STDIN.test(next)
    if (!isShellName(name)) return false
    const isOption = next?.startsWith('-') === true && next !== '-n'
    if (programName(words[0] ?? '') === 'xargs') return next === undefined || isOption
    return next === undefined || STDIN.test(next) || (isOption && !/^-[a-z]*c$/.test(next))
  })
}

function downloads(command: Command): boolean {
  return [...commandsIn(wordsOf(command))].some(([program = '']) => DOWNLOADERS.has(programName(program)))
}

/** Whether a part of a command is replaced by what a download returns. */
function runsDownload(node: SyntaxNode): boolean {
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return some(node, downloads)
  let found = false
  forEachChild(node, (child) => void (found ||= runsDownload(child)))
  return found
}

function isDownload(word: string): boolean {
  return DOWNLOADERS.has(word)
}

/** Whether a body starts itself more than once at a time, or in the background again and again. */
function isBomb(body: SyntaxNode | ShellFunction['body'], name: string): boolean {
  let calls = 0
  let [isPiped, isBackground, isLooped] = [false, false, false]
  const visit = (node: SyntaxNode, inLoop: boolean, inBackground: boolean): void => {
    if (node.type === 'Pipeline') {
      const own = node.commands.filter((each) => some(each, (command) => isCall(command, name)))
      isPiped ||= own.length > 1
    }
    if (node.type === 'Command' && isCall(node, name)) {
      calls++
      isBackground ||= inBackground
      isLooped ||= inBackground && inLoop
    }
    const loops = inLoop || node.type === 'While' || node.type === 'For' || node.type === 'ArithmeticFor'
    const background = inBackground || (node.type === 'Statement' && node.background === true)
    forEachChild(node, (child) => visit(child, loops, background))
  }
  visit(body, false, false)
  return isPiped || isLooped || (isBackground && calls > 1)
}

function isCall(command: Command, called: string): boolean {
  return [...commandsIn(wordsOf(command))].some(([program = '', ...args]) => {
    if (called !== '$0') return program === called
    return SELF.test(program) || (isShellName(programName(program)) && args.length === 1 && SELF.test(args[0]!))
  })
}

/** Whether a command in a node, at any depth, is of a kind. */
function some(node: SyntaxNode, is: (command: Command) => boolean): boolean {
  if (node.type === 'Command' && is(node)) return true
  let found = false
  forEachChild(node, (child) => void (found ||= some(child, is)))
  return found
}

function wordsOf({ name, suffix }: Command): readonly string[] {
  return [name, ...suffix].flatMap((part) => (part?.type === 'Word' ? [part.value] : []))
}

/** The command itself, and those that it runs: of `sudo timeout 5 sh` also `timeout 5 sh` and `sh`. */
function* commandsIn(words: readonly string[], depth = 0): Generator<readonly string[]> {
  yield words
  const wraps = findProgram(words[0] ?? '')?.wraps
  if (wraps === undefined || depth > MAX_DEPTH) return
  for (const inner of innerCommands(words, wraps)) yield* commandsIn(inner, depth + 1)
}

/** The texts that a command is given as its input. */
function inputsOf({ redirects }: Command): readonly string[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type === 'HereDoc') return [redirect.body.text]
    return redirect.type === 'HereString' ? [redirect.target?.value ?? ''] : []
  })
}
