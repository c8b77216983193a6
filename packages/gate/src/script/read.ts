import { comparablePath, isPattern, mayName, pathPatterns } from '../protect/path-pattern.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { quoteBeginning, quoteName, showName } from '@repertoire/skill-md/internal'
import { type ReadCall, textsOf } from '../call.ts'
import type { ShellTool } from '../host-tools/toolset.ts'
import { joinedPaths } from '../joined-paths.ts'
import { findScriptIn, locationsOf, runLocation, type SkillScripts } from './skill.ts'

/** A script of an active skill that a call would read. */
export interface ReadScript {
  readonly skill: string
  /** The folder that it is run in. */
  readonly location: string
  /** In that folder. */
  readonly path: string
  /** The argument, where it is a pattern or a folder that includes the script. */
  readonly within?: string
}

/** The script of an active skill that a call would show to the model, if the tool is one that reads files. */
export function scriptReadBy(call: ReadCall, active: readonly SkillScripts[]): ReadScript | undefined {
  if (active.length === 0) return undefined
  const { cwd } = call
  const argument = readArgument(call)
  if (argument === undefined) return undefined
  const read = argument === call.argument ? call.arguments : call.readArgument(argument)
  // A search without a path is one in the working folder.
  if ('problem' in read && !read.missing) return undefined
  const below = argument.reads === 'below'
  for (const value of shownPaths(argument, call, 'values' in read ? textsOf(read) : [])) {
    for (const skill of active) {
      for (const location of locationsOf(skill)) {
        const path = findScriptIn(location, value, skill, cwd)
        if (path !== undefined) return { skill: skill.name, location: runLocation(skill), path }
        const included = scriptIncluded(value, skill, location, { cwd, below })
        if (included !== undefined) {
          return { skill: skill.name, location: runLocation(skill), path: included, within: value }
        }
      }
    }
  }
  return undefined
}

/** What the arguments of a call name, together too. A pattern counts at any depth, as some tools read it. */
function shownPaths(argument: ToolArgument, call: ReadCall, paths: readonly string[]): readonly string[] {
  const joined = (joinedPaths(argument, call, paths) ?? []).flatMap(({ path, glob }) => {
    if (path === undefined) return []
    if (glob === undefined) return [path]
    // `**/*.py` searches a whole project, and names no skill.
    const namesSomething = glob.split(/[/\\]/).some((part) => !/^\.*$/.test(part) && !isPattern(part))
    return namesSomething ? [path, `${path.slice(0, path.length - glob.length)}**/${glob}`] : []
  })
  return [...paths, ...joined]
}

/** The argument that names what the tool shows; of a tool that may be one that shows files, that one's. */
function readArgument({ argument, maybe }: ReadCall): ToolArgument | undefined {
  const all = [argument, ...maybe.map((use) => use.argument)]
  return all.find((each) => each?.reads !== undefined && each.reads !== false)
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
  // Relative to the skill's folder only where the text begins with a folder: a project's `**/*.py` means no skill.
  const inSkill = /^(?:\.[/\\])*[^*?]+[/\\]/.test(value) ? pathPatterns(value, location, location) : []
  const wanted = isGlob ? [...patterns, ...inSkill, ...folders] : folders
  return skill.scripts.find((script) => wanted.some((pattern) => mayName(pattern, comparablePath(location, script))))
}

/** The part of an argument that a refusal repeats. */
const MAX_QUOTE_CHARS = 200

/** The tools that run scripts, by their names. */
export interface ScriptTools {
  /** The session's own, where it is offered for the skill. */
  readonly runScript?: string | undefined
  /** The host's, for commands. */
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
