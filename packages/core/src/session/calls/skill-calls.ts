import { canonicalTool } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { MAX_FOUND, MAX_PHRASES, type SkillToolNames, foundText } from '../../tools/definitions.ts'
import { readFields, skillToolName } from '../../tools/skill-tools.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { refuse } from '../refusals.ts'
import { taskOf } from '../state/state.ts'
import { isExecuted } from '../inspect-skill.ts'
import {
  type SkillCallScope,
  activatesByName,
  isHostTool,
  isSkillToolName,
  requestedSkill,
  skillOfOwnTool,
} from '../requested-skill.ts'
import { activationConsentRequest } from '../activation/prepare.ts'
import { scriptConsentRequest } from '../scripts/run-script.ts'
import { listedDescription } from '../../disclosure/listing.ts'
import { reportIncomplete } from '../step/begin.ts'

/** Which skill tool is called. A skill's own tool is one that activates. */
export type SkillTool = keyof SkillToolNames

/** Returns which skill tool a name is of, in any case; undefined if it is of none. */
export function skillToolOf(scope: SkillCallScope, name: string): SkillTool | undefined {
  const { context, state, view, active } = scope
  const { toolNames } = context
  // Who was asked about a skill may say yes when it is gone: the call is told of the skill, and not of the tool.
  const hasAsked = state.current().open.length > 0
  if (skillOfOwnTool(scope, name) !== undefined || (hasAsked && isSkillToolName(scope, name))) return 'activate'
  const canonical = canonicalTool(name, Object.values(toolNames))
  const tool = (Object.keys(toolNames) as readonly SkillTool[]).find((each) => toolNames[each] === canonical)
  if (tool === undefined) return undefined
  // A host without a runner may have a tool of that name itself.
  const isHosts = tool === 'runScript' && context.scripts === undefined && isHostTool(scope, toolNames.runScript)
  if (isHosts || (tool === 'search' && context.listing.search === 'never')) return undefined
  if (tool === 'activate' && !activatesByName(scope)) return undefined
  // Where no skill is visible there are no skill tools, and a call of one is a call of an unknown tool.
  return view.list().length > 0 || active().length > 0 || hasAsked ? tool : undefined
}

/** Returns the real name of a skill tool that is called in another case; undefined if it is not a skill tool. */
export function realSkillTool(scope: SkillCallScope, name: string): string | undefined {
  const skill = skillOfOwnTool(scope, name)
  if (skill !== undefined) return skillToolName(skill.name)
  const tool = skillToolOf(scope, name)
  return tool && scope.context.toolNames[tool]
}

/** Returns the request for consent that a call of a skill tool waits for; undefined where it waits for none. */
export async function skillToolRequest(
  scope: SkillCallScope,
  tool: SkillTool,
  call: ToolCall,
  message: string | undefined,
  signal: AbortSignal,
): Promise<ConsentRequest | undefined> {
  const { context, state } = scope
  if (tool === 'runScript') return context.gate.host.asked.length === 0 ? undefined : scriptConsentRequest(scope, call)
  if (tool !== 'activate') return undefined
  const requested = requestedSkill(scope, call)
  if ('ok' in requested) return undefined
  const request = () => activationConsentRequest(scope, call, requested, 'model', signal)
  const { manifest, name } = requested.skill
  // Each call of a fork or of what is executed is work of its own, and is asked about by itself.
  if (message === undefined || manifest.context === 'fork' || isExecuted(manifest, context)) return request()
  const ofMessage = { session: taskOf(state.current()), message, skill: name, callId: call.id }
  const { requests } = context.messageCalls
  if ((await requests.find(ofMessage)?.catch(() => false)) === true) return undefined
  let made: ConsentRequest | undefined
  await requests.lead(ofMessage, async () => (made = await request()) !== undefined)
  return made
}

/** Carries out a call of the tool that finds skills. It shows nothing but what the session's list may show. */
export async function searchSkills(scope: SkillCallScope, call: ToolCall, signal: AbortSignal): Promise<Outcome> {
  const { toolNames, search, audit, reportProblem } = scope.context
  const active = scope.active()
  const read = readFields(toolNames.search, call.input, { queries: 'texts' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const { queries = [] } = read.values
  if (queries.length > MAX_PHRASES || queries.every((query) => query.trim() === ''))
    return refuse.inputInvalid(
      `\`queries\` of \`${toolNames.search}\` must be 1 to ${MAX_PHRASES} phrases, such as ["fill PDF form fields"].`,
    )
  const { hits, diagnostics } = await search(queries, { limit: MAX_FOUND, signal })
  reportIncomplete(diagnostics, reportProblem)
  // The catalog may have been reloaded since: what is gone cannot be activated.
  const skills = hits.flatMap(({ name }) => scope.view.find(name) ?? [])
  const found = skills.map(({ name }) => name)
  // Recorded before the model gets the result.
  const unaudited = await audit?.recordIntent({ type: 'skills.searched', outcome: 'succeeded', active, call, found })
  if (unaudited !== undefined) return unaudited
  const value = skills.map(({ name, manifest }) => ({ name, description: listedDescription(manifest) }))
  const names = new Set(active.map(({ name }) => name))
  return { ok: true, value, text: foundText(skills, names, toolNames) }
}
