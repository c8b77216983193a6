import { quoteName, showName } from '@repertoire/skill-md/internal'
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
  readonly runScript?: string | undefined
  readonly shell?: ShellTool | undefined
}

/** Why a script is not read, and what to do instead. */
export function scriptReason(script: ReadScript, tools: ScriptTools): string {
  const what = `${quoteName(script.path)} is a script of the active skill ${quoteName(script.skill)}`
  return `${what}: scripts are run, not read. ${howToRun(script, tools)}`
}

function howToRun({ skill, location, path }: ReadScript, { runScript, shell }: ScriptTools): string {
  if (runScript !== undefined) {
    const input = JSON.stringify({ path: showName(path), args: [], skill: showName(skill) })
    return `Run it with ${quoteName(runScript)}: ${input}, with its arguments as \`args\`. Then only its output takes up context.`
  }
  if (shell === undefined) {
    return 'There is no tool here that runs it: the host would need the option `scripts.runner` of `openRepertoire`.'
  }
  const script = `${location}/${path}`
  if (shell.program !== undefined) {
    return `Run it with ${quoteName(shell.name)}, its interpreter as \`${shell.program.name}\` and ${quoteName(script)} in \`${shell.program.args}\`.`
  }
  return `Run it with ${quoteName(shell.name)}: \`${shellWord(script)}\`. Then only its output takes up context.`
}

/** A path as a word of a shell, with what cannot be seen made visible. */
function shellWord(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${showName(path).replaceAll("'", `'\\''`)}'`
}
