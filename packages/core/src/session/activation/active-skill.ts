import { type Activation, formatRules, summariseFolder } from '../../disclosure/skill-content.ts'
import { applyArguments } from '../../disclosure/arguments.ts'
import { planOf, planText } from '../../execution/composite/plan.ts'
import type { GateMode } from '@repertoire/gate/internal'
import { inTime } from '../../time-limit.ts'
import type { SessionContext } from '../context.ts'
import { type InspectedSkill, inspectSkill, runnerKey } from '../inspect-skill.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { ToolFit } from '../tool-fit.ts'

/** Scripts of one skill that a session's state carries. */
const MAX_SCRIPTS = 1_000

/** Returns a skill as the state keeps it, not mounted yet. */
export function toActiveSkill(
  { skill, folder, manifest, assumedRules, digest, scripts, runner }: InspectedSkill,
  args: string | undefined,
  { allowed, disallowed }: ToolFit,
  mode: GateMode,
): ActiveSkill {
  const { name, layer, source, location } = skill
  const { alias } = folder
  const { allowedTools, disallowedTools, hooks, model } = manifest
  const rules = allowedTools ?? assumedRules
  const agreed = runnerKey(runner)
  return {
    name,
    layer,
    source,
    location,
    digest,
    scripts: scripts.slice(0, MAX_SCRIPTS),
    alias,
    runner: agreed,
    rules,
    ...(rules !== undefined && allowedTools === undefined && { assumed: true }),
    denied: disallowedTools,
    ...(mode !== 'restrict' && (rules ?? disallowedTools) !== undefined && { shownMode: mode }),
    args,
    model,
    post: hooks.post.length > 0 ? hooks.post : undefined,
    ...(allowed !== undefined && !isSame(allowed, formatRules(rules ?? [])) && { shownRules: allowed }),
    ...(disallowed !== undefined &&
      !isSame(disallowed, formatRules(disallowedTools ?? [])) && { shownDenied: disallowed }),
  }
}

function isSame(shown: readonly string[], written: readonly string[]): boolean {
  return shown.length === written.length && shown.every((rule, index) => rule === written[index])
}

/** Returns the value of an activation. It depends on folder and state alone, so that it can be made again. */
export function activationValue(inspected: InspectedSkill, active: ActiveSkill): Activation {
  const { skill, manifest, listing } = inspected
  const { args, mount, rules, shownRules, shownDenied, shownMode, assumed } = active
  const { description, disallowedTools, source: origin, type, metadata } = manifest
  const { location } = skill
  return {
    name: skill.name,
    description,
    basePath: mount?.location ?? location,
    instructions: instructionsOf(inspected, args, mount?.location ?? location),
    folder: summariseFolder(listing, inspected.body),
    mountPath: mount?.path ?? location,
    layer: skill.layer,
    source: skill.source,
    type,
    metadata,
    // Those of the state: a skill that names none may have been given some.
    allowedTools: rules && (shownRules ?? formatRules(rules)),
    disallowedTools: disallowedTools && (shownDenied ?? formatRules(disallowedTools)),
    assumedTools: assumed,
    mode: shownMode,
    args,
    origin,
  }
}

/** Returns the instructions of a skill that is activated: its body with the arguments filled in, or its plan. */
function instructionsOf(
  { body, manifest, definition }: InspectedSkill,
  args: string | undefined,
  folder: string,
): string {
  const planned = definition.type === 'composite' ? planOf(definition.steps) : undefined
  if (planned !== undefined && !('problem' in planned)) return planText(planned)
  return applyArguments(body, args, { names: manifest.arguments, folder })
}

/**
 * Reads an active skill's folder again, or its private copy; undefined: it is gone, or not what was consented to.
 * @throws whatever a source's folder throws, and `TIMED_OUT` if it does not answer
 */
export async function inspectActive(
  { pinnedFolders, profile, loadTimeout, mounts }: SessionContext,
  active: ActiveSkill,
): Promise<InspectedSkill | undefined> {
  const skill = pinnedFolders.skillOf(active)
  if (skill === undefined) return undefined
  const copy = active.mount && mounts?.open?.(active.mount)
  for (const folder of copy === undefined ? [skill.folder] : [copy, skill.folder]) {
    const inspecting = inspectSkill({ ...skill, folder }, profile)
    const inspected = await inTime(inspecting, loadTimeout, 'Its folder')
    if (!('broken' in inspected) && inspected.digest === active.digest) return inspected
  }
  return undefined
}
