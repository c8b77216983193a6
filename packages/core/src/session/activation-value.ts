import { applyArguments } from '../disclosure/arguments.ts'
import { type Activation, formatRules, summariseFolder } from '../disclosure/skill-content.ts'
import type { PreparedSkill } from './prepare.ts'
import type { ActiveSkill } from './state.ts'

/** What an activation returns: made of the folder as it was agreed to and of the state alone, so that it can be made again. */
export function activationValue({ skill, manifest, body, listing }: PreparedSkill, active: ActiveSkill): Activation {
  const { args, mount } = active
  return {
    name: skill.name,
    basePath: mount?.location ?? skill.location,
    instructions: applyArguments(body, args),
    ...(manifest.allowedTools !== undefined && { allowedTools: formatRules(manifest.allowedTools) }),
    ...(manifest.disallowedTools !== undefined && { disallowedTools: formatRules(manifest.disallowedTools) }),
    ...(args !== undefined && { args }),
    folder: summariseFolder(listing),
    mountPath: mount?.path ?? skill.location,
    layer: skill.layer,
    source: skill.source,
    type: manifest.type,
    metadata: manifest.metadata,
  }
}
