import { argumentValues } from '../arguments.ts'
import type { CallContext, GatedCall } from '../call.ts'
import { MAX_COMMAND_CHARS } from '../limits.ts'
import type { Program } from '../shell/programs/program.ts'
import { findProgram, programName } from '../shell/programs/programs.ts'
import { findScript, type SkillScripts } from './skill.ts'

/** A script of an active skill. */
interface NamedScript {
  readonly skill: string
  readonly path: string
}

/** What a command does with scripts of active skills. */
export interface ScriptUse {
  /** The one that it runs. */
  readonly run?: NamedScript
  /** The one that it shows to the model. */
  readonly read?: NamedScript
}

/** Words of a command line that are looked at. */
const MAX_WORDS = 200

/** Programs that show what is in the files that they are given, whatever else they do. */
const SHOWING = new Set(
  (
    'cat tac head tail less more most bat batcat nl wc grep egrep fgrep zgrep rg ag ack ugrep sed gsed awk gawk mawk ' +
    'diff cmp comm od xxd hexdump strings base64 base32 cut sort uniq fold fmt pr rev paste tr view ' +
    'expand unexpand column jq tee mapfile readarray done get-content gc type'
  ).split(' '),
)

/** Subcommands of git that show the content of files. */
const SHOWING_IN_GIT = new Set('diff show log blame annotate grep cat-file'.split(' '))

/**
 * What a call does with scripts of active skills, if its tool is one that runs commands. For figures: it looks for paths
 * among the words of each command, and does not read the line as a shell would. A script is run where it is the program,
 * or what an interpreter is given; it is read where it is what a program that shows files is given. Any other program
 * (`chmod`, `ls`, one that is not known) does neither.
 */
export function scriptUse(
  { tool, input }: GatedCall,
  active: readonly SkillScripts[],
  { tools, cwd }: CallContext,
): ScriptUse {
  const argument = active.length === 0 ? undefined : tools.find(tool).argument
  if (argument?.kind !== 'shell') return {}
  // Where the line has gone with `cd`.
  let folder = ''
  const scriptOf = (word: string): NamedScript | undefined => {
    for (const skill of active) {
      const path = findScript(word, skill, cwd) ?? (folder === '' ? undefined : findScript(folder + word, skill, cwd))
      if (path !== undefined) return { skill: skill.name, path }
    }
    return undefined
  }
  let run: NamedScript | undefined
  let read: NamedScript | undefined
  for (const { value } of argumentValues(argument, input) ?? []) {
    if (typeof value !== 'string') continue
    for (const words of commandsIn(value)) {
      if (words[0] === 'cd' && words[1] !== undefined) folder = `${words[1].startsWith('/') ? '' : folder}${words[1]}/`
      const found = useIn(words, scriptOf)
      run ??= found.run
      read ??= found.read
    }
  }
  return { run, read }
}

function useIn(words: readonly string[], scriptOf: (word: string) => NamedScript | undefined): ScriptUse {
  let wrapper: Program | undefined
  let skipped = 0
  for (const [index, word] of words.entries()) {
    const before = words[index - 1] ?? ''
    if (/^[A-Za-z_]\w*=|^-|^\d/.test(word)) continue
    const run = scriptOf(word)
    if (run !== undefined) return { run }
    const name = programName(word).replace(/(?<=[a-z])[\d.]+$/, '')
    const program = findProgram(word) ?? findProgram(name)
    const rest = words.slice(index + 1)
    if (
      SHOWING.has(name) ||
      SHOWING.has(programName(word)) ||
      (name === 'git' && rest.some((later) => SHOWING_IN_GIT.has(later)))
    ) {
      return firstIn(rest, scriptOf, 'read')
    }
    // What stands between a program that runs another one and that one: a subcommand, the value of an option, an operand.
    const { subcommands = [], valued = [], operands = 0, script } = wrapper?.wraps ?? {}
    if (
      wrapper !== undefined &&
      (word === script?.subcommand ||
        subcommands.some((each) => each.split(' ').includes(word)) ||
        valued.includes(before))
    )
      continue
    if (program === undefined && wrapper !== undefined && skipped++ < operands) continue
    if (program?.wraps !== undefined || name === '.' || name === 'source') {
      wrapper = program
      continue
    }
    const isInterpreter = program?.interprets === true || program?.runsShell === true || program?.namesScript === true
    if (!isInterpreter) return {}
    const found = firstIn(rest, scriptOf, 'run')
    return found.run !== undefined && onlyChecks(name, rest, scriptOf) ? {} : found
  }
  return {}
}

/** Options with which an interpreter checks a script and does not run it, by its name. */
const CHECKS: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^(?:ba|z|da|k|fi)?sh$/, /^-[a-z]*n[a-z]*$|^noexec$|^--no-execute$/],
  [/^(?:node|bun|deno)$/, /^(?:-c|--check|check|lint|fmt)$/],
  [/^(?:ruby|perl)$/, /^-[a-z]*c[a-z]*$/i],
  [/^php$/, /^(?:-l|--syntax-check)$/],
]
/** Modules of Python that run the script they are given; all others read it. */
const RUNNING_MODULES: ReadonlySet<string> = new Set('pdb trace cProfile profile runpy coverage pytest'.split(' '))

/** Whether an interpreter is told to check or compile a script only. */
function onlyChecks(
  name: string,
  words: readonly string[],
  scriptOf: (word: string) => NamedScript | undefined,
): boolean {
  const before = words.slice(
    0,
    words.findIndex((word) => scriptOf(word) !== undefined),
  )
  if (/^(?:python|pypy)$/.test(name)) {
    const at = before.indexOf('-m')
    return at !== -1 && !RUNNING_MODULES.has(before[at + 1] ?? '')
  }
  return CHECKS.some(([interpreter, option]) => interpreter.test(name) && before.some((word) => option.test(word)))
}

function firstIn(
  words: readonly string[],
  scriptOf: (word: string) => NamedScript | undefined,
  use: 'run' | 'read',
): ScriptUse {
  for (const word of words) {
    const script = scriptOf(word)
    if (script !== undefined) return { [use]: script }
  }
  return {}
}

const SHELL = /^(?:.*\/)?(?:ba|z|da|k|fi)?sh$/

/**
 * The commands of a line, each as its words: what stands between blanks, quotes and operators. In quotes, a path with
 * blanks in it is one word, and the commands of `bash -c '…'` and `"$(…)"` come last. What is written to is left out.
 */
export function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  const inQuotes: (readonly string[])[] = []
  const parts = line.slice(0, MAX_COMMAND_CHARS).match(/"[^"]*"|'[^']*'|[;&|()`\n]|>+|<+|[^\s"';&|<>()`]+/g) ?? []
  let isTarget = false
  for (const part of parts.slice(0, MAX_WORDS)) {
    const last = commands.at(-1)!
    // The shell shows the file itself: `$(< file)`.
    if (part === '<' && last.length === 0) last.push('cat')
    if (/^[;&|()`\n]$/.test(part)) commands.push([])
    else if (!isTarget && !part.startsWith('<') && !part.startsWith('>')) {
      const word = part.replace(/^["']|["']$/g, '')
      const isGivenToShell = /^-\w*c$/.test(last.at(-1) ?? '') && last.some((each) => SHELL.test(each))
      const holdsCommands = word !== part && (isGivenToShell || /^"[^]*(?:\$\(|`)/.test(part))
      last.push(word)
      if (holdsCommands) inQuotes.push(...commandsIn(word))
    }
    isTarget = part.startsWith('>')
  }
  return [...commands, ...inQuotes]
}
