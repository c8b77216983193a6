import { applyArguments } from '../../disclosure/arguments.ts'
import { type Activation, formatRules, summariseFolder } from '../../disclosure/skill-content.ts'
import type { InspectedSkill } from './inspect.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { Writable } from '../writable.ts'

/** Returns the value of an activation. It depends only on the folder that was consented to and on the state, so that it can be made again. */
export function activationValue({ skill, manifest, body, listing }: InspectedSkill, active: ActiveSkill): Activation {
  const { args, mount, shownRules, shownDenied } = active
  const { allowedTools, disallowedTools, type, metadata } = manifest
  const { location } = skill
  const value: Writable<Activation> = {
    name: skill.name,
    basePath: mount?.location ?? location,
    instructions: applyArguments(body, args),
    folder: summariseFolder(listing),
    mountPath: mount?.path ?? location,
    layer: skill.layer,
    source: skill.source,
    type,
    metadata,
  }
  if (allowedTools !== undefined) value.allowedTools = shownRules ?? formatRules(allowedTools)
  if (disallowedTools !== undefined) value.disallowedTools = shownDenied ?? formatRules(disallowedTools)
  if (args !== undefined) value.args = args
  return value
}
