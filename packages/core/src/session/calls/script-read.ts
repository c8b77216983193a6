import { argumentValues, toolArgument } from '../../gate/index.ts'
import { isScriptPath } from '../../resources/script-path.ts'
import { foldPart, pathsInside } from '../../resources/inside.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { comparable, isPattern, mayName, pathPatterns } from '../../gate/protect/path-pattern.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A script of an active skill, by its path in the skill's folder. */
export interface ScriptOfSkill {
  readonly skill: string
  /** The folder that it is run in. */
  readonly location: string
  readonly path: string
  /** The argument, where it is a pattern or a folder that takes the script in. */
  readonly within?: string
}

/** The script of an active skill that a call would show to the model, if the tool is one that reads files. */
export function scriptReadBy(
  call: ToolCall,
  active: readonly ActiveSkill[],
  context: SessionContext,
): ScriptOfSkill | undefined {
  const argument = toolArgument(context.toolArguments, call.tool)
  if (argument?.reads === undefined || argument.reads === false) return undefined
  for (const { value } of argumentValues(argument, call.input) ?? []) {
    if (typeof value !== 'string') continue
    for (const skill of active) {
      const { name } = skill
      const location = runnableAt(skill)
      for (const place of placesOf(skill)) {
        const path = scriptAt(value, skill, place, context.cwd)
        if (path !== undefined) return { skill: name, location, path }
        const taken = scriptTakenIn(value, skill, place, { cwd: context.cwd, below: argument.reads === 'below' })
        if (taken !== undefined) return { skill: name, location, path: taken, within: value }
      }
    }
  }
  return undefined
}

/** Where a skill's scripts are run: in its private copy, where it has one. */
export function runnableAt({ location, mount }: ActiveSkill): string {
  return mount?.location ?? location
}

/** All the paths that a skill's files go by. */
function placesOf({ location, alias, mount }: ActiveSkill): readonly string[] {
  return [
    location,
    ...(alias === undefined ? [] : [alias]),
    ...(mount === undefined ? [] : [mount.path, mount.location]),
  ]
}

/** The script of a skill that a path names, by whichever of the skill's places. */
export function scriptNamed(path: string, skill: ActiveSkill, cwd: string | undefined): string | undefined {
  for (const place of placesOf(skill)) {
    const script = scriptAt(path, skill, place, cwd)
    if (script !== undefined) return script
  }
  return undefined
}

function scriptAt(path: string, skill: ActiveSkill, place: string, cwd: string | undefined): string | undefined {
  return (
    pathsInside(path, place, cwd).find((inside) => isScriptOf(skill, inside)) ??
    // Models take paths against the skill's folder too. Only what it holds counts: projects have `scripts/` as well.
    pathsInside(path, place, place).find((inside) => isListed(skill, inside))
  )
}

/** A script that a pattern may stand for, or that lies below a folder of the skill which a tool shows whole. */
function scriptTakenIn(
  value: string,
  skill: ActiveSkill,
  place: string,
  { cwd, below }: { readonly cwd: string | undefined; readonly below: boolean },
): string | undefined {
  const isGlob = isPattern(value)
  if (!isGlob && !below) return undefined
  const patterns = pathPatterns(value, place, cwd)
  const folder = comparable(place, '')
  const folders = below ? patterns.filter((path) => `${path}/`.startsWith(folder)).map((path) => `${path}/*`) : []
  // Against the skill's folder only what says where it begins: a project's `**/*.py` means no skill.
  const inSkill = /^(?:\.[/\\])*[^*?]+[/\\]/.test(value) ? pathPatterns(value, place, place) : []
  const wanted = isGlob ? [...patterns, ...inSkill, ...folders] : folders
  return skill.scripts.find((script) => wanted.some((pattern) => mayName(pattern, comparable(place, script))))
}

/** Whether a relative path names a script of a skill, in any spelling that a file system may take for it. */
export function isScriptOf(skill: ActiveSkill, path: string): boolean {
  return isScriptPath(folded(path)) || isListed(skill, path)
}

function isListed(skill: ActiveSkill, path: string): boolean {
  const wanted = folded(path)
  return skill.scripts.some((script) => folded(script) === wanted)
}

function folded(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.map((part) => (part === '..' ? part : foldPart(part))).join('/')
}
