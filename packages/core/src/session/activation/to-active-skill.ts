import type { SkillRules } from '../../disclosure/mode-texts.ts'
import { formatRules } from '../../disclosure/skill-content.ts'
import type { GateMode } from '@repertoire/gate/internal'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { ToolFit } from '../tool-fit.ts'
import { runnerKey } from '../scripts/agreed-runner.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { Writable } from '../writable.ts'

/** Scripts of one skill that a session's state carries. */
const MAX_SCRIPTS = 1_000

/** Returns a skill as the state keeps it, not mounted yet. */
export function toActiveSkill(
  { skill, folder, manifest, assumedRules, digest, scripts, runner }: InspectedSkill,
  args: string | undefined,
  { allowed, disallowed }: Pick<ToolFit, 'allowed' | 'disallowed'>,
  mode: GateMode = 'restrict',
): ActiveSkill {
  const { name, layer, source, location } = skill
  const { alias } = folder
  const { allowedTools, disallowedTools, hooks, model } = manifest
  const active: Writable<ActiveSkill> = {
    name,
    layer,
    source,
    location,
    digest,
    scripts: scripts.slice(0, MAX_SCRIPTS),
  }
  if (alias !== undefined) active.alias = alias
  const agreed = runnerKey(runner)
  if (agreed !== undefined) active.runner = agreed
  if (allowedTools !== undefined) active.rules = allowedTools
  else if (assumedRules !== undefined) Object.assign(active, { rules: assumedRules, assumed: true })
  if (disallowedTools !== undefined) active.denied = disallowedTools
  if (mode !== 'restrict' && (active.rules ?? active.denied) !== undefined) active.shownMode = mode
  if (args !== undefined) active.args = args
  if (model !== undefined) active.model = model
  if (hooks.post.length > 0) active.post = hooks.post
  if (allowed !== undefined && !isSame(allowed, formatRules(active.rules ?? []))) active.shownRules = allowed
  if (disallowed !== undefined && !isSame(disallowed, formatRules(disallowedTools ?? []))) {
    active.shownDenied = disallowed
  }
  return active
}

/** A skill's rules, as the texts about modes need them. */
export function rulesOf({ rules, denied, assumed }: ActiveSkill): SkillRules {
  return { allowed: rules, denied, assumed: assumed === true }
}

function isSame(shown: readonly string[], written: readonly string[]): boolean {
  return shown.length === written.length && shown.every((rule, index) => rule === written[index])
}
