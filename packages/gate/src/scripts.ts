import { commandOfEnding, hasScriptExtension, quoteName, showName } from '@repertoire/skill-md/internal'
import { type GatedCall, type CallContext, readCall, readArguments, type ReadCall, textsOf } from './call.ts'
import { namedFiles } from './command/named-files.ts'
import type { ShellTool } from './host-tools/toolset.ts'
import { loadCommands } from './load-commands.ts'
import { joinedPaths } from './paths/joined-paths.ts'
import { findScript, runLocation, type SkillScripts } from './skill-scripts.ts'

export interface ReadScript {
  readonly skill: string
  readonly location: string
  readonly path: string
}

/** The script of an active skill that a call names to show it to the model: to a tool that reads, or in a command. */
export function scriptReadBy(call: ReadCall, active: readonly SkillScripts[]): ReadScript | undefined {
  if (active.length === 0) return undefined
  const { argument = call.known.maybeArgument, input } = call
  const isShell = argument?.kind === 'shell'
  if (argument === undefined || (!isShell && (argument.reads ?? false) === false)) return undefined
  // Which file it names is not certain: it may be any of them.
  const unread = call.isUnreadable ? active.find(({ scripts }) => scripts.length > 0) : undefined
  if (unread !== undefined) return { skill: unread.name, location: runLocation(unread), path: unread.scripts[0]! }
  if (isShell) return scriptInShell(call, active, 'read')
  const paths = textsOf(readArguments(argument, input))
  const joined = joinedPaths(call, paths, argument).flatMap(({ text }) => text ?? [])
  return findScriptOf([...paths, ...joined], active, call.cwd)
}

function findScriptOf(
  paths: readonly string[],
  active: readonly SkillScripts[],
  cwd: string | undefined,
): ReadScript | undefined {
  for (const skill of active) {
    const path = paths.map((each) => findScript(each, skill, cwd)).find((each) => each !== undefined)
    if (path !== undefined) return { skill: skill.name, location: runLocation(skill), path }
  }
  return undefined
}

/** The first script of an active skill that a command line runs, or shows. */
function scriptInShell(call: ReadCall, active: readonly SkillScripts[], use: 'run' | 'read'): ReadScript | undefined {
  if (call.argument?.kind !== 'shell') return undefined
  const files = textsOf(call.arguments).flatMap((text) => namedFiles(call.line(text)))
  const paths = files.flatMap((file) => (file.use === use ? [file.path, file.folder + file.path] : []))
  return findScriptOf(paths, active, call.cwd)
}

/** The script of an active skill that a call's command line runs. For figures. */
export async function scriptRunBy(
  call: GatedCall,
  active: readonly SkillScripts[],
  context: CallContext,
): Promise<Pick<ReadScript, 'skill' | 'path'> | undefined> {
  if (active.length === 0 || context.tools.find(call.tool).argument?.kind !== 'shell') return undefined
  await loadCommands()
  const found = scriptInShell(readCall(call, context), active, 'run')
  return found && { skill: found.skill, path: found.path }
}

export interface ScriptTools {
  /** The tool that runs scripts of active skills. Absent: this script is not run by it. */
  readonly runScript?: string | undefined
  /** The host's tool that runs commands. Absent: it has none that may be used now. */
  readonly shell?: ShellTool | undefined
  readonly permits: (call: GatedCall) => Promise<boolean>
}

export async function scriptReason(script: ReadScript, tools: ScriptTools): Promise<string> {
  const what = `${quoteName(script.path)} is a script of the active skill ${quoteName(script.skill)}`
  return `${what}: scripts are run, not read. ${await howToRun(script, tools)}`
}

async function howToRun(script: ReadScript, tools: ScriptTools): Promise<string> {
  const use = await scriptUse(script, tools)
  if (typeof use === 'object') return `Run it: ${use.call}.`
  return use === 'none' ? 'Nothing here runs it: go on without it.' : 'Run it as the skill says.'
}

/** How a script is run: by a call, as its skill says, or by nothing here. */
export type ScriptUse = { readonly call: string } | 'as-written' | 'none'

/** What can be opened by a command; the skills of other sources are no files. */
const ABSOLUTE = /^(?:[/\\]|[a-z]:[/\\])/i

/**
 * Returns how a script is run, with the call as a model is shown it if the rules permit one that is known to work. Most
 * published scripts lack the run bit, so a script with an ending is given to its interpreter.
 * @param args what is shown for its arguments. Default: none
 */
export async function scriptUse(
  { skill, location, path }: ReadScript,
  { runScript, shell, permits }: ScriptTools,
  args: readonly string[] = [],
): Promise<ScriptUse> {
  if (runScript !== undefined) {
    return { call: callText(runScript, { path: showName(path), args, skill: showName(skill) }) }
  }
  if (shell === undefined || !ABSOLUTE.test(location)) return 'none'
  const { name, program, argument = 'command' } = shell
  const script = `${location}/${path}`
  for (const interpreter of interpretersOf(path)) {
    const [first, ...words] = [...interpreter, script]
    const command = [...interpreter, shellWord(script)].join(' ')
    const inputWith = (more: readonly string[]): object =>
      program === undefined
        ? { [argument]: [command, ...more].join(' ') }
        : { [program.name]: first, [program.args]: [...words, ...more] }
    if (!(await permits({ tool: name, input: inputWith([]) }))) continue
    const isKnown = program !== undefined || shell.argument !== undefined
    const line = [command, ...args].join(' ')
    return { call: isKnown ? callText(name, inputWith(args)) : `\`${name}\` with the command \`${line}\`` }
  }
  return 'as-written'
}

/** The commands that may read a script, as their words. One without an ending is a script by its run bit. */
function interpretersOf(path: string): readonly (readonly string[])[] {
  const command = commandOfEnding(path)
  if (command === undefined) return hasScriptExtension(path) ? [] : [[]]
  // Scripts that end in .sh are mostly written for bash.
  const commands = { sh: ['bash', 'sh'], python3: ['python3', 'python'] }[command] ?? [command]
  return commands.map((each) => each.split(' '))
}

function callText(tool: string, input: object): string {
  return `\`${tool}\` ${JSON.stringify(input)}`
}

/** A path as a word of a shell, with what cannot be seen made visible. */
function shellWord(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${showName(path).replaceAll("'", `'\\''`)}'`
}
