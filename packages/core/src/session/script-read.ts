import { argumentValues, isScriptPath, toolArgument } from '../gate/index.ts'
import { foldPart, pathsInside } from '../resources/inside.ts'
import type { ToolCall } from '../types.ts'
import type { SessionContext } from './context.ts'
import type { ActiveSkill } from './state.ts'

/** A script of an active skill, by its path in the skill's folder. */
export interface ScriptOfSkill {
  readonly skill: string
  readonly location: string
  readonly path: string
}

/** The script of an active skill that a call would show to the model, if the tool is one that reads files. */
export function scriptReadBy(
  call: ToolCall,
  active: readonly ActiveSkill[],
  context: SessionContext,
): ScriptOfSkill | undefined {
  const argument = toolArgument(context.toolArguments, call.tool)
  if (argument?.reads !== true) return undefined
  for (const { value } of argumentValues(argument, call.input) ?? []) {
    if (typeof value !== 'string') continue
    for (const skill of active) {
      const { name, location } = skill
      const path =
        pathsInside(value, location, context.cwd).find((inside) => isScriptOf(skill, inside)) ??
        // Models take paths against the skill's folder too. Only what it holds counts: projects have `scripts/` as well.
        pathsInside(value, location, location).find((inside) => isListed(skill, inside))
      if (path !== undefined) return { skill: name, location, path }
    }
  }
  return undefined
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
