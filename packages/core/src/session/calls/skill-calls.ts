import type { CatalogView } from '../../catalog/view.ts'
import { canonicalTool } from '../../gate/index.ts'
import { skillToolName } from '../../tools/skill-tool-name.ts'
import { lazyImport } from '../../lazy-import.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { ActivationContext, ActivationResult } from '../activation/activate.ts'
import type { DeactivationContext } from '../activation/deactivate.ts'
import { untilAborted } from '../../time-limit.ts'
import type { SearchContext } from './search-skills.ts'
import type { ResourceContext } from './read-resource.ts'
import { WORK } from '../lazy-work.ts'
import { consentDenied } from '../refusal.ts'
import { activatesByName, type RequestContext, requestedSkill, skillOfOwnTool } from '../requested-skill.ts'

/** What the skill tools work on. */
export interface SkillCallsContext extends ActivationContext {
  readonly context: ActivationContext['context'] &
    DeactivationContext['context'] &
    RequestContext['context'] &
    SearchContext['context'] &
    ResourceContext['context']
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
}

/** What runs scripts: most programs never do. */
const SCRIPTS = lazyImport(() => import('../scripts/run-script.ts'))

/** How a skill call is run. */
interface SkillCallOptions {
  readonly signal: AbortSignal
  /** Whether the host can run a sub-agent. */
  readonly canFork: boolean
  readonly message: string | undefined
}

/** Carries out a call of a skill tool. */
type SkillCall = (call: ToolCall, options: SkillCallOptions) => ActivationResult | Promise<ActivationResult>

/** The calls that a session carries out itself. */
export interface SkillCalls {
  /** Returns what carries out calls of a tool; undefined where it is not a skill tool. */
  find(tool: string): SkillCall | undefined
  /** Whether a tool is the one that runs scripts. */
  runsScript(tool: string): boolean
  /** Returns the request for consent that the run of a script waits for by the host's policy; undefined: it waits for none. */
  scriptConsentFor(call: ToolCall): Promise<ConsentRequest | undefined>
  /**
   * Returns what carries out calls of a tool that wait for no others, and for which no other waits: of the one that runs
   * scripts, and of the one that finds skills. Undefined: it is neither.
   */
  findBeside(tool: string): ((call: ToolCall, signal: AbortSignal) => Promise<Outcome>) | undefined
  /** Returns the real name of a skill tool that is called in another case; undefined where it is not a skill tool. */
  toolName(tool: string): string | undefined
  /** Returns what a denied activation shows the model; where the input names no skill, what is wrong with it. */
  deniedText(call: ToolCall, reason: string | undefined): string
  /** Returns the request for consent that a call waits for; undefined where it waits for none. */
  consentFor(call: ToolCall, signal: AbortSignal): Promise<ConsentRequest | undefined>
}

/**
 * Creates the calls of the skill tools. They see the stack of the step, and not what other calls of the same message
 * change: a framework may run each without knowing of the others.
 */
export function createSkillCalls(calls: SkillCallsContext): SkillCalls {
  const { context, state, view, active, hostTools } = calls
  const { toolNames } = context
  const handlers = new Map<string, SkillCall>([
    [toolNames.activate, activateRequested],
    [toolNames.deactivate, (call) => deactivateRequested(call)],
    [toolNames.readResource, readResource],
    [toolNames.runScript, (call, { signal }) => runScript(call, signal)],
    [toolNames.search, (call, { signal }) => search(call, signal)],
  ])

  function toolName(tool: string): string | undefined {
    const skill = skillOfOwnTool(calls, tool)
    if (skill !== undefined) return skillToolName(skill.name)
    const name = canonicalTool(tool, handlers.keys())
    // A host without a runner may have a tool of that name itself.
    const isHosts = name === toolNames.runScript && context.scripts === undefined && isHostTool(name)
    if (isHosts || (name === toolNames.search && context.listing.search === 'never')) return undefined
    if (name === toolNames.activate && !activatesByName(calls)) return undefined
    // Where no skill is visible there are no skill tools, and a call of one is a call of an unknown tool.
    return name !== undefined && (view.list().length > 0 || active().length > 0) ? name : undefined
  }

  function find(tool: string): SkillCall | undefined {
    const name = toolName(tool)
    if (name === undefined) return undefined
    return handlers.get(name) ?? activateRequested
  }

  async function readResource(call: ToolCall, { signal }: SkillCallOptions): Promise<Outcome> {
    const resource = { context, active: active(), hostTools: hostTools() }
    const { readSkillResource } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    return untilAborted(readSkillResource(resource, call), signal)
  }

  function isHostTool(name: string): boolean {
    return canonicalTool(name, hostTools() ?? []) !== undefined
  }

  async function runScript(call: ToolCall, signal: AbortSignal): Promise<Outcome> {
    // The stack of the step, and not what another step makes of it while this is imported.
    const script = { context, state, active: active(), hostTools: hostTools() }
    const { runSkillScript } = SCRIPTS.loaded === undefined ? await SCRIPTS.load() : SCRIPTS.loaded
    return runSkillScript(script, call, signal)
  }

  async function scriptConsentFor(call: ToolCall): Promise<ConsentRequest | undefined> {
    const script = { context, state, active: active(), hostTools: hostTools() }
    const { scriptConsentRequest } = SCRIPTS.loaded === undefined ? await SCRIPTS.load() : SCRIPTS.loaded
    return scriptConsentRequest(script, call)
  }

  async function search(call: ToolCall, signal: AbortSignal): Promise<Outcome> {
    const searching = { context, view, active: active() }
    const { searchSkills } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    return searchSkills(searching, call, signal)
  }

  async function activateRequested(
    call: ToolCall,
    { signal, canFork, message }: SkillCallOptions,
  ): Promise<ActivationResult> {
    const requested = requestedSkill(calls, call)
    if ('ok' in requested) return requested
    const { activate } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    return activate(calls, call, requested, { by: 'model', canFork, message }, signal)
  }

  async function deactivateRequested(call: ToolCall): Promise<Outcome> {
    const { deactivate } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
    return deactivate(calls, call)
  }

  return {
    find,
    runsScript: (tool) => toolName(tool) === toolNames.runScript,
    scriptConsentFor,
    findBeside(tool) {
      const name = toolName(tool)
      if (name === toolNames.search) return search
      return name === toolNames.runScript ? runScript : undefined
    },
    toolName,
    deniedText(call, reason) {
      const requested = requestedSkill(calls, call)
      return ('ok' in requested ? requested : consentDenied(requested.skill, reason)).text
    },
    async consentFor(call, signal) {
      if (find(call.tool) !== activateRequested) return undefined
      const requested = requestedSkill(calls, call)
      if ('ok' in requested) return undefined
      const { activationConsentRequest } = WORK.loaded === undefined ? await WORK.load() : WORK.loaded
      return activationConsentRequest(calls, call, requested, 'model', signal)
    },
  }
}
