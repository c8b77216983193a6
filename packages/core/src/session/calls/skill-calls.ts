import type { CatalogView } from '../../catalog/view.ts'
import { canonicalTool, type Outcome, type ToolCall } from '@repertoire/gate/internal'
import type { SkillToolNames } from '../../tools/definitions.ts'
import { skillToolName } from '../../tools/skill-tool-name.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { type ActivationContext, type ActivationResult, activate as activateSkill } from '../activation/activate.ts'
import { type DeactivationContext, deactivate as deactivateSkill } from '../activation/deactivate.ts'
import { untilAborted } from '../../time-limit.ts'
import { type SearchContext, searchSkills } from './search-skills.ts'
import { type ResourceContext, readSkillResource } from './read-resource.ts'
import type { Place } from '../consent/questions.ts'
import { consentDenied } from '../refusal.ts'
import { isExecuted } from '../execution/request.ts'
import { activatesByName, type RequestContext, requestedSkill, skillOfOwnTool } from '../requested-skill.ts'
import { activationConsentRequest } from '../activation/prepare.ts'
import { runSkillScript, scriptConsentRequest } from '../scripts/run-script.ts'

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

/** How a skill call is run. */
interface SkillCallOptions {
  /** The call's place among the questions of its task. */
  readonly place: Place
  readonly signal: AbortSignal
  /** Whether the host can run a sub-agent. */
  readonly canFork: boolean
  readonly message: string | undefined
}

/** How a call is run that waits for no others. */
type BesideOptions = Pick<SkillCallOptions, 'place' | 'signal'>

/** Carries out a call of a skill tool. */
export type SkillCall = (call: ToolCall, options: SkillCallOptions) => ActivationResult | Promise<ActivationResult>

/** The calls that a session carries out itself. */
export interface SkillCalls {
  /** Returns what carries out calls of a tool; undefined where it is not a skill tool. */
  find(tool: string): SkillCall | undefined
  /** Whether calls of a tool activate a skill: by the tool for all skills, or by that of one. */
  activates(tool: string): boolean
  /** Whether a tool is the one that runs scripts. */
  runsScript(tool: string): boolean
  /** Returns the request for consent that the run of a script waits for by the host's policy; undefined: it waits for none. */
  scriptConsentFor(call: ToolCall): Promise<ConsentRequest | undefined>
  /**
   * Returns what carries out calls of a tool that wait for no others, and for which no other waits: of the one that runs
   * scripts, and of the one that finds skills. Undefined: it is neither.
   */
  findBeside(tool: string): ((call: ToolCall, options: BesideOptions) => Promise<Outcome>) | undefined
  /** Returns the real name of a skill tool that is called in another case; undefined where it is not a skill tool. */
  toolName(tool: string): string | undefined
  /** Returns what a denied activation shows the model; where the input names no skill, what is wrong with it. */
  deniedText(call: ToolCall, reason: string | undefined): string
  /** Returns the request for consent that a call waits for; undefined where it waits for none. */
  consentFor(call: ToolCall, options: Pick<SkillCallOptions, 'signal' | 'message'>): Promise<ConsentRequest | undefined>
}

function namesOf(names: SkillToolNames): readonly string[] {
  return [names.activate, names.deactivate, names.readResource, names.runScript, names.search]
}

/**
 * Creates the calls of the skill tools. They see the stack of the step, and not what other calls of the same message
 * change: a framework may run each without knowing of the others.
 */
export function createSkillCalls(calls: SkillCallsContext): SkillCalls {
  return new CallsOfSkills(calls)
}

/** A class, since frameworks open a session for every call. */
class CallsOfSkills implements SkillCalls {
  readonly #calls: SkillCallsContext

  constructor(calls: SkillCallsContext) {
    this.#calls = calls
  }

  find(tool: string): SkillCall | undefined {
    const name = this.toolName(tool)
    if (name === undefined) return undefined
    const { deactivate, readResource, runScript, search } = this.#calls.context.toolNames
    switch (name) {
      case deactivate:
        return (call, { message }) => this.#deactivate(call, message)
      case readResource:
        return (call, { signal }) => this.#readResource(call, signal)
      case runScript:
        return (call, options) => this.#runScript(call, options)
      case search:
        return (call, { signal }) => this.#search(call, signal)
      default:
        // By the tool for all skills, or by that of one.
        return (call, options) => this.#activate(call, options)
    }
  }

  runsScript(tool: string): boolean {
    return this.toolName(tool) === this.#calls.context.toolNames.runScript
  }

  findBeside(tool: string): ((call: ToolCall, options: BesideOptions) => Promise<Outcome>) | undefined {
    const { search, runScript } = this.#calls.context.toolNames
    const name = this.toolName(tool)
    if (name === search) return (call, { signal }) => this.#search(call, signal)
    return name === runScript ? (call, options) => this.#runScript(call, options) : undefined
  }

  toolName(tool: string): string | undefined {
    const { context, view, active } = this.#calls
    const { toolNames } = context
    const skill = skillOfOwnTool(this.#calls, tool)
    if (skill !== undefined) return skillToolName(skill.name)
    const name = canonicalTool(tool, namesOf(toolNames))
    if (name === undefined) return undefined
    // A host without a runner may have a tool of that name itself.
    const isHosts = name === toolNames.runScript && context.scripts === undefined && this.#isHostTool(name)
    if (isHosts || (name === toolNames.search && context.listing.search === 'never')) return undefined
    if (name === toolNames.activate && !activatesByName(this.#calls)) return undefined
    // Where no skill is visible there are no skill tools, and a call of one is a call of an unknown tool.
    return view.list().length > 0 || active().length > 0 ? name : undefined
  }

  deniedText(call: ToolCall, reason: string | undefined): string {
    const requested = requestedSkill(this.#calls, call)
    return ('ok' in requested ? requested : consentDenied(requested.skill, reason)).text
  }

  async consentFor(
    call: ToolCall,
    { signal, message }: Pick<SkillCallOptions, 'signal' | 'message'>,
  ): Promise<ConsentRequest | undefined> {
    if (!this.activates(call.tool)) return undefined
    const requested = requestedSkill(this.#calls, call)
    if ('ok' in requested) return undefined
    const request = () => activationConsentRequest(this.#calls, call, requested, 'model', signal)
    const { context, state } = this.#calls
    const { manifest, name } = requested.skill
    // Each call of a fork or of what is executed is work of its own, and is asked about by itself.
    if (message === undefined || manifest.context === 'fork' || isExecuted(manifest, context)) return request()
    const ofMessage = { session: state.current().id, message, skill: name, callId: call.id }
    const { requests } = context.messageCalls
    const isAsked = await requests.find(ofMessage)?.catch(() => false)
    if (isAsked === true) return undefined
    let made: ConsentRequest | undefined
    await requests.lead(ofMessage, async () => (made = await request()) !== undefined)
    return made
  }

  async scriptConsentFor(call: ToolCall): Promise<ConsentRequest | undefined> {
    const script = this.#ofStep()
    return scriptConsentRequest(script, call)
  }

  activates(tool: string): boolean {
    const { deactivate, readResource, runScript, search } = this.#calls.context.toolNames
    const name = this.toolName(tool)
    return name !== undefined && ![deactivate, readResource, runScript, search].includes(name)
  }

  #isHostTool(name: string): boolean {
    return canonicalTool(name, this.#calls.hostTools() ?? []) !== undefined
  }

  /** With the stack of the step, and not what another step makes of it while something is imported. */
  #ofStep() {
    const { context, state, active, hostTools } = this.#calls
    return { context, state, active: active(), hostTools: hostTools() }
  }

  async #readResource(call: ToolCall, signal: AbortSignal): Promise<Outcome> {
    const resource = this.#ofStep()
    return untilAborted(readSkillResource(resource, call), signal)
  }

  async #runScript(call: ToolCall, options: BesideOptions): Promise<Outcome> {
    const script = this.#ofStep()
    return runSkillScript(script, call, options)
  }

  async #search(call: ToolCall, signal: AbortSignal): Promise<Outcome> {
    const { context, view, active } = this.#calls
    const searching = { context, view, active: active() }
    return searchSkills(searching, call, signal)
  }

  async #activate(call: ToolCall, { place, signal, canFork, message }: SkillCallOptions): Promise<ActivationResult> {
    const requested = requestedSkill(this.#calls, call)
    if ('ok' in requested) return requested
    return activateSkill(this.#calls, call, requested, { by: 'model', canFork, place, message }, signal)
  }

  async #deactivate(call: ToolCall, message: string | undefined): Promise<Outcome> {
    return deactivateSkill(this.#calls, call, message)
  }
}
