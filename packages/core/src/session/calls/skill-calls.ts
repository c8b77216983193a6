import type { CatalogView } from '../../catalog/view.ts'
import { canonicalTool } from '../../gate/index.ts'
import { skillToolName } from '../../tools/skill-tool-name.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import {
  activate,
  type Activated,
  type ActivationContext,
  activationConsentRequest,
  denied,
} from '../activation/activate.ts'
import { deactivate } from '../activation/deactivate.ts'
import { readSkillResource } from './read-resource.ts'
import { hasToolPerSkill, ownSkill, requestedSkill } from './requested-skill.ts'

/** What the skill tools work on. */
export interface SkillCallsContext extends ActivationContext {
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
}

/** What belongs to the run of a call. */
interface SkillCallOptions {
  readonly signal?: AbortSignal
  /** Whether there is something that runs a sub-agent. */
  readonly forks: boolean
}

/** Carries a call out. */
type SkillCall = (call: ToolCall, options: SkillCallOptions) => Activated | Promise<Activated>

/** The calls that a session carries out itself. */
export interface SkillCalls {
  /** What carries a tool's calls out; undefined for a tool that is none of the skill tools. */
  find(tool: string): SkillCall | undefined
  /** The real name of a skill tool that is called in another case; undefined for a tool that is none. */
  toolName(tool: string): string | undefined
  /** What a denied activation shows the model; where the input names no skill, what is wrong with it. */
  deniedText(call: ToolCall, reason: string | undefined): string
  consentFor(call: ToolCall): Promise<ConsentRequest | undefined>
}

/**
 * The calls of the skill tools. They see the stack of the step, and not what other calls of the same message change:
 * a framework may run each where nothing is known of the others.
 */
export function createSkillCalls(calls: SkillCallsContext): SkillCalls {
  const { context, view, active, hostTools } = calls
  const { toolNames } = context
  const handlers = new Map<string, SkillCall>([
    ...(hasToolPerSkill(context) ? [] : [[toolNames.activate, activateWanted] as const]),
    [toolNames.deactivate, (call) => deactivate(calls, call)],
    [toolNames.readResource, (call) => readSkillResource({ context, active: active(), hostTools: hostTools() }, call)],
  ])

  function toolName(tool: string): string | undefined {
    // Where no skill is visible there are no skill tools, and a call of one is a call of an unknown tool.
    if (view.list().length === 0 && active().length === 0) return undefined
    const own = ownSkill(calls, tool)
    if (own !== undefined) return skillToolName(own.name)
    return handlers.has(tool) ? tool : canonicalTool(tool, handlers.keys())
  }

  function find(tool: string): SkillCall | undefined {
    const name = toolName(tool)
    if (name === undefined) return undefined
    return handlers.get(name) ?? activateWanted
  }

  function activateWanted(call: ToolCall, { signal, forks }: SkillCallOptions): Activated | Promise<Activated> {
    const wanted = requestedSkill(calls, call)
    return 'ok' in wanted ? wanted : activate(calls, call, wanted, { by: 'model', forks }, signal)
  }

  return {
    find,
    toolName,
    deniedText(call, reason) {
      const wanted = requestedSkill(calls, call)
      return ('ok' in wanted ? wanted : denied(wanted.skill, reason)).text
    },
    async consentFor(call) {
      if (find(call.tool) !== activateWanted) return undefined
      const wanted = requestedSkill(calls, call)
      return 'ok' in wanted ? undefined : activationConsentRequest(calls, call, wanted, 'model')
    },
  }
}
