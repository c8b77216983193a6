import { nearestNames, showName } from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import { readFields } from '../../tools/input.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import { pathInsideMount } from '../activation/mount.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A script of an active skill that is to be run. */
export interface RequestedScript {
  readonly skill: ActiveSkill
  /** Relative to the skill's folder. */
  readonly path: string
  readonly args: readonly string[]
}

/** Returns the script that a call of the model's means, or why there is none. */
export function requestedScript(
  context: Pick<SessionContext, 'toolNames' | 'listing'>,
  active: readonly ActiveSkill[],
  call: ToolCall,
): RequestedScript | Refused {
  const { runScript: tool } = context.toolNames
  const read = readFields(tool, call.input, { path: 'text', skill: 'text', args: 'texts' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const { path = '', skill: name = '', args } = read.values
  if (path === '') return refuse.noPath(tool, 'scripts/run.py')
  const candidates = name === '' ? active.toReversed() : active.filter((skill) => skill.name === name)
  for (const skill of candidates) {
    const found = scriptAt(skill, path)
    if (found !== undefined) return { skill, path: found, args }
  }
  const [skill] = candidates
  if (skill !== undefined) {
    return refuse.scriptNotFound(skill.name, path, nearestPath(path, skill.scripts), skill.scripts)
  }
  const how = hasSkillTools(context.listing.style) ? undefined : context.toolNames.activate
  return refuse.activateFirst(name === '' ? undefined : name, how, 'its scripts are run')
}

/** Returns the path that a model most likely means: it adds folders, leaves some out, or writes a wrong letter. */
export function nearestPath(written: string, paths: readonly string[]): string | undefined {
  const plain = written.replaceAll('\\', '/')
  return (
    paths.find((path) => plain.endsWith(`/${path}`)) ??
    paths.find((path) => path.endsWith(`/${plain}`)) ??
    nearestNames(plain, paths, 1)[0]
  )
}

/**
 * The script of a skill that a path names, as it is or as the model was shown it. A path that is absolute, or that holds
 * `..`, names none, as in `read_skill_resource`.
 */
function scriptAt(skill: ActiveSkill, written: string): string | undefined {
  const inside = pathInsideMount(written, skill) ?? written
  return (
    skill.scripts.find((script) => script === inside) ??
    skill.scripts.find((script) => showName(script) === inside) ??
    skill.scripts.find((script) => script === withoutDots(inside))
  )
}

/** A relative path without `.` in it; undefined where it is not one. */
function withoutDots(path: string): string | undefined {
  return pathProblem(path) === undefined
    ? path
        .split('/')
        .filter((part) => part !== '.')
        .join('/')
    : undefined
}
