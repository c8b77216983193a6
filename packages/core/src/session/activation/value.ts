import { summariseFolder } from '../../disclosure/folder-summary.ts'
import { type Activation, formatRules } from '../../disclosure/skill-content.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import { instructionsOf } from './instructions.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { Writable } from '../writable.ts'

/** Returns the value of an activation. It depends only on the folder that was consented to and on the state, so that it can be made again. */
export function activationValue(inspected: InspectedSkill, active: ActiveSkill): Activation {
  const { skill, manifest, listing } = inspected
  const { args, mount, rules, shownRules, shownDenied, shownMode, assumed } = active
  const { description, disallowedTools, source: origin, type, metadata } = manifest
  const { location } = skill
  const value: Writable<Activation> = {
    name: skill.name,
    description,
    basePath: mount?.location ?? location,
    instructions: instructionsOf(inspected, args),
    folder: summariseFolder(listing, inspected.body),
    mountPath: mount?.path ?? location,
    layer: skill.layer,
    source: skill.source,
    type,
    metadata,
  }
  // Those of the state: a skill that names none may have been given some.
  if (rules !== undefined) value.allowedTools = shownRules ?? formatRules(rules)
  if (disallowedTools !== undefined) value.disallowedTools = shownDenied ?? formatRules(disallowedTools)
  if (assumed === true) value.assumedTools = true
  if (shownMode !== undefined) value.mode = shownMode
  if (args !== undefined) value.args = args
  if (origin !== undefined) value.origin = origin
  return value
}
