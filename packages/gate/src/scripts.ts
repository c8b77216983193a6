import { quoteBeginning, quoteName, showName } from '@repertoire/skill-md/internal'
import { type GatedCall, type CallContext, readCall, readArguments, type ReadCall, textsOf } from './call.ts'
import { namedFiles } from './command/named-files.ts'
import type { ShellTool } from './host-tools/toolset.ts'
import { loadCommands } from './load-commands.ts'
import { type JoinedPath, joinedPaths } from './paths/joined-paths.ts'
import { comparablePath, isPattern, mayName, pathPatterns } from './paths/path-pattern.ts'
import { findScript, findScriptIn, locationsOf, runLocation, type SkillScripts } from './skill-scripts.ts'

/** A script of an active skill that a call would read. */
export interface ReadScript {
  readonly skill: string
  readonly location: string
  readonly path: string
  readonly within?: string
}

/** The script of an active skill that a call would show to the model: a tool that reads files, or a command that does. */
export function scriptReadBy(call: ReadCall, active: readonly SkillScripts[]): ReadScript | undefined {
  if (active.length === 0) return undefined
  const shell = scriptInShell(call, active, 'read')
  if (shell !== undefined) return shell
  const { cwd } = call
  const all = [call.argument, ...call.maybe.map((use) => use.argument)]
  const argument = all.find((each) => each?.reads !== undefined && each.reads !== false)
  if (argument === undefined) return undefined
  const read = argument === call.argument ? call.arguments : readArguments(argument, call.input)
  // A search without a path is one in the working folder.
  if ('problem' in read && !read.missing) return undefined
  const paths = textsOf(read)
  for (const value of [...paths, ...joinedPaths(call, paths, argument).flatMap(shownPaths)]) {
    for (const skill of active) {
      for (const location of locationsOf(skill)) {
        const found = { skill: skill.name, location: runLocation(skill) }
        const path = findScriptIn(location, value, skill, cwd)
        if (path !== undefined) return { ...found, path }
        const included = scriptIncluded(value, skill, location, { cwd, below: argument.reads === 'below' })
        if (included !== undefined) return { ...found, path: included, within: value }
      }
    }
  }
  return undefined
}

/** A path, or a pattern at any depth, as some tools read it. A search for `*.py` in a whole project names no skill. */
function shownPaths({ text: path, glob }: JoinedPath): readonly string[] {
  if (path === undefined) return []
  if (glob === undefined) return [path]
  const namesSomething = glob.split(/[/\\]/).some((part) => !/^\.*$/.test(part) && !isPattern(part))
  return namesSomething ? [path, `${path.slice(0, path.length - glob.length)}**/${glob}`] : []
}

/** A script that a pattern may stand for, or that lies below a folder of the skill whose files the tool shows. */
function scriptIncluded(
  value: string,
  skill: SkillScripts,
  location: string,
  { cwd, below }: { readonly cwd: string | undefined; readonly below: boolean },
): string | undefined {
  const isGlob = isPattern(value)
  if (!isGlob && !below) return undefined
  const patterns = pathPatterns(value, location, cwd)
  const folder = comparablePath(location, '')
  const folders = below ? patterns.filter((path) => `${path}/`.startsWith(folder)).map((path) => `${path}/*`) : []
  // Relative to the skill's folder only if the text begins with a folder: a project's `**/*.py` means no skill.
  const inSkill = /^(?:\.[/\\])*[^*?]+[/\\]/.test(value) ? pathPatterns(value, location, location) : []
  const wanted = isGlob ? [...patterns, ...inSkill, ...folders] : folders
  return skill.scripts.find((script) => wanted.some((pattern) => mayName(pattern, comparablePath(location, script))))
}

/** The first script of an active skill that a command line runs, or shows. */
function scriptInShell(call: ReadCall, active: readonly SkillScripts[], use: 'run' | 'read'): ReadScript | undefined {
  if (call.argument?.kind !== 'shell') return undefined
  for (const file of textsOf(call.arguments).flatMap((text) => namedFiles(call.line(text)))) {
    const paths = file.use === use ? [file.path, ...(file.folder === '' ? [] : [file.folder + file.path])] : []
    for (const skill of active) {
      const path = paths.map((each) => findScript(each, skill, call.cwd)).find((each) => each !== undefined)
      if (path !== undefined) return { skill: skill.name, location: runLocation(skill), path }
    }
  }
  return undefined
}

/** What a command does with scripts of active skills: the one that it runs, and the one that it shows. For figures. */
interface ScriptUse {
  readonly run?: Pick<ReadScript, 'skill' | 'path'> | undefined
  readonly read?: Pick<ReadScript, 'skill' | 'path'> | undefined
}

/** Returns what a call does with scripts of active skills, if its tool runs commands. */
export async function scriptUse(
  call: GatedCall,
  active: readonly SkillScripts[],
  context: CallContext,
): Promise<ScriptUse> {
  if (active.length === 0 || context.tools.find(call.tool).argument?.kind !== 'shell') return {}
  await loadCommands()
  const read = readCall(call, context)
  const [run, shown] = (['run', 'read'] as const).map((use) => {
    const found = scriptInShell(read, active, use)
    return found && { skill: found.skill, path: found.path }
  })
  return { run, read: shown }
}

/** The part of an argument that a refusal repeats. */
const MAX_QUOTE_CHARS = 200

/** The tools that run scripts: the session's own by its name, and the host's. */
export interface ScriptTools {
  readonly runScript?: string | undefined
  readonly shell?: ShellTool | undefined
}

/** Why a script is not read, and what to do instead. */
export function scriptReason({ skill, location, path, within }: ReadScript, tools: ScriptTools): string {
  const how = howToRun({ skill, location, path }, tools)
  const what = `${quoteName(path)} is a script of the active skill ${quoteName(skill)}: scripts are run, not read.`
  if (within === undefined) return `${what} ${how}`
  return `${quoteBeginning(within, MAX_QUOTE_CHARS)} includes scripts. ${what} ${how} To read other files, name them.`
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
  const { name, program } = shell
  if (program !== undefined)
    return `Run it with ${quoteName(name)}: its interpreter is \`${program.name}\`, and ${quoteName(script)} is the first of \`${program.args}\`. If that program may not be run here, say so.`
  return `Run it with ${quoteName(name)}: \`${shellWord(script)}\`. Then only its output takes up context.`
}

/** A path as a word of a shell, with what cannot be seen made visible. */
function shellWord(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${showName(path).replaceAll("'", `'\\''`)}'`
}
