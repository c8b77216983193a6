import { nearestNames, quoteBeginning, quoteName, showName } from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import { readInput } from '../../tools/input.ts'
import { hasSkillTools } from '../../tools/styles/table.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import { pathInsideMount } from '../activation/private-path.ts'
import { MAX_NAME_CHARS, type Refused, refused } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A script of an active skill that is to be run. */
export interface RequestedScript {
  readonly skill: ActiveSkill
  /** Relative to the skill's folder. */
  readonly path: string
  readonly args: readonly string[]
}

/** Scripts that a refusal names. */
const MAX_NAMED = 20

/** Returns the script that a call of the model's means, or why there is none. */
export function requestedScript(
  context: Pick<SessionContext, 'toolNames' | 'listing'>,
  active: readonly ActiveSkill[],
  call: ToolCall,
): RequestedScript | Refused {
  const { runScript: tool } = context.toolNames
  const input = readInput(tool, call.input)
  if ('wrong' in input) return invalid(input.wrong)
  const path = input.text('path')
  const name = input.text('skill')
  const args = input.texts('args')
  if ('wrong' in path) return invalid(path.wrong)
  if ('wrong' in name) return invalid(name.wrong)
  if ('wrong' in args) return invalid(args.wrong)
  const written = path.value ?? ''
  if (written === '') {
    return invalid(
      `\`path\` of \`${tool}\` is empty. Give a path relative to the skill's folder, such as scripts/run.py.`,
    )
  }
  const candidates = name.value ? active.filter((skill) => skill.name === name.value) : active.toReversed()
  for (const skill of candidates) {
    const found = scriptAt(skill, written)
    if (found !== undefined) return { skill, path: found, args: args.value }
  }
  const [skill] = candidates
  return skill === undefined ? notActive(context, name.value) : notFound(skill, written)
}

function invalid(reason: string): Refused {
  return refused({ code: 'INPUT_INVALID', reason })
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

function notActive({ toolNames, listing }: Pick<SessionContext, 'toolNames' | 'listing'>, name = ''): Refused {
  const how = hasSkillTools(listing.style) ? 'the tool that it has of its own' : `\`${toolNames.activate}\``
  const which = name === '' ? 'No skill is active' : `The skill ${quoteBeginning(name, MAX_NAME_CHARS)} is not active`
  return refused({
    code: 'SKILL_NOT_ACTIVE',
    reason: `${which}. Activate it with ${how} before its scripts are run.`,
  })
}

function notFound(skill: ActiveSkill, written: string): Refused {
  const { name, scripts } = skill
  const what = `The skill ${quoteName(name)} has no script ${quoteBeginning(written, MAX_NAME_CHARS)}.`
  if (scripts.length === 0) return refused({ code: 'RESOURCE_NOT_FOUND', reason: `${what} It has none at all.` })
  const plain = written.replaceAll('\\', '/')
  const inside =
    scripts.find((path) => plain.endsWith(`/${path}`)) ??
    scripts.find((path) => path.endsWith(`/${plain}`)) ??
    nearestNames(plain, scripts, 1)[0]
  const hint = inside === undefined ? '' : ` Did you mean ${quoteName(inside)}?`
  const more = scripts.length > MAX_NAMED ? ` and ${scripts.length - MAX_NAMED} more` : ''
  return refused({
    code: 'RESOURCE_NOT_FOUND',
    reason: `${what}${hint} Its scripts are: ${scripts.slice(0, MAX_NAMED).map(showName).join(', ')}${more}.`,
  })
}
