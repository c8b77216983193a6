import { nearestNames } from '../catalog/nearest.ts'
import type { CatalogView } from '../catalog/view.ts'
import { activationText, formatRules, summariseFolder } from '../disclosure/skill-content.ts'
import { canonicalTool } from '../gate/index.ts'
import { readInput } from '../tools/input.ts'
import { skillOfTool } from '../tools/skill-of-tool.ts'
import { skillToolName } from '../tools/skill-tool-name.ts'
import type { ConsentRequest, Outcome, Skill, ToolCall } from '../types.ts'
import { ask, consentRequest, isSameCall } from './consent.ts'
import type { SessionContext } from './context.ts'
import { type PreparedSkill, prepareSkill } from './prepare.ts'
import { readSkillResource } from './read-resource.ts'
import { failureReason, refused, unknownTool } from './refusal.ts'
import { type ActiveSkill, type Grant, sameGrant, type SessionChange, type SessionState } from './state.ts'

/** What the skill tools work on. */
export interface SkillCallsContext {
  readonly context: SessionContext
  readonly view: CatalogView
  readonly state: () => SessionState
  /**
   * The stack that calls are judged by: that of the step. Calls of one message do not see what the others change, since
   * a framework may run each where nothing is known of the others.
   */
  readonly active: () => readonly ActiveSkill[]
  readonly hostTools: () => readonly string[] | undefined
  readonly change: (change: SessionChange) => void
}

/** Carries a call out. The signal is that of the run that it belongs to. */
type SkillCall = (call: ToolCall, signal?: AbortSignal) => Promise<Outcome>

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

/** Scripts that a session's state carries of a skill at the most. */
const MOST_SCRIPTS = 1_000

/** Names that an error lists at the most. */
const MOST_NAMES = 20

export function createSkillCalls({ context, view, state, active, hostTools, change }: SkillCallsContext): SkillCalls {
  const { toolNames } = context
  const hasToolPerSkill = context.listing.style === 'tools'
  const handlers = new Map<string, SkillCall>([
    ...(hasToolPerSkill ? [] : [[toolNames.activate, activate] as const]),
    [toolNames.deactivate, deactivate],
    [toolNames.readResource, (call) => readSkillResource({ context, active: active(), hostTools: hostTools() }, call)],
  ])

  function toolName(tool: string): string | undefined {
    // Where no skill is visible there are no skill tools, and a call of one is a call of an unknown tool.
    if (view.list().length === 0 && active().length === 0) return undefined
    const own = ownSkill(tool)
    return own === undefined ? canonicalTool(tool, handlers.keys()) : skillToolName(own.name)
  }

  /**
   * The skill whose own tool it is. A name that the step has for a tool of the host's stays the host's, where a reload
   * has found a skill of that name since: the next step tells the host.
   */
  function ownSkill(tool: string): Skill | undefined {
    if (!hasToolPerSkill || canonicalTool(tool, hostTools() ?? []) !== undefined) return undefined
    return skillOfTool(view.list(), tool)
  }

  function find(tool: string): SkillCall | undefined {
    const name = toolName(tool)
    if (name === undefined) return undefined
    return handlers.get(name) ?? activate
  }

  function deniedText(call: ToolCall, reason: string | undefined): string {
    const wanted = wantedSkill(call)
    return ('ok' in wanted ? wanted : denied(wanted.skill, reason)).text
  }

  async function consentFor(call: ToolCall): Promise<ConsentRequest | undefined> {
    if (context.consent !== undefined || state().ended || find(call.tool) !== activate) return undefined
    const wanted = wantedSkill(call)
    if ('ok' in wanted || isActive(wanted.skill.name)) return undefined
    const prepared = await prepare(wanted.skill)
    if ('ok' in prepared || isGranted(prepared)) return undefined
    const request = consentRequest(state().id, call, prepared, wanted.args)
    change({ type: 'asked', request: { id: request.id, callId: call.id } })
    return request
  }

  async function activate(call: ToolCall, signal?: AbortSignal): Promise<Outcome> {
    const wanted = wantedSkill(call)
    if ('ok' in wanted) return wanted
    const { skill, args } = wanted
    if (isActive(skill.name)) {
      return {
        ok: true,
        value: { name: skill.name, active: true },
        text: `The skill "${skill.name}" is already active. Its instructions stand above and still hold; if you no longer see them, deactivate it and activate it again.`,
      }
    }
    const prepared = await prepare(skill)
    if ('ok' in prepared) return prepared
    if (!isGranted(prepared)) {
      const { approved, reason } = await consent(call, prepared, args, signal)
      if (!approved) return denied(skill, reason)
      // What cannot be seen whole can change unseen: its consent is for this activation.
      if (prepared.whole) change({ type: 'granted', grant: grantOf(prepared) })
    }
    const activated = asActive(prepared)
    context.held.hold(activated, { folder: skill.folder, files: prepared.files })
    change({ type: 'activated', skill: activated })
    const { manifest, body, listing } = prepared
    const value = {
      name: skill.name,
      basePath: skill.location,
      instructions: body,
      ...(manifest.allowedTools !== undefined && { allowedTools: formatRules(manifest.allowedTools) }),
      ...(manifest.disallowedTools !== undefined && { disallowedTools: formatRules(manifest.disallowedTools) }),
      ...(args !== undefined && { args }),
      folder: summariseFolder(listing),
      mountPath: skill.location,
      layer: skill.layer,
      source: skill.source,
      type: manifest.type,
      metadata: manifest.metadata,
    }
    return { ok: true, value, text: activationText(value) }
  }

  function deactivate(call: ToolCall): Promise<Outcome> {
    const top = active().at(-1)?.name
    const input = readInput(toolNames.deactivate, call.input ?? {})
    const named = 'wrong' in input ? input : input.text('name')
    if ('wrong' in named) return Promise.resolve(refused({ code: 'INPUT_INVALID', reason: named.wrong }))
    const name = named.value || top
    if (top === undefined || name === undefined || !isActive(name)) {
      const which =
        name === undefined ? 'No skill is active.' : `The skill ${JSON.stringify(name.slice(0, 80))} is not active.`
      return Promise.resolve(refused({ code: 'SKILL_NOT_ACTIVE', reason: which }))
    }
    if (name !== top) {
      return Promise.resolve(
        refused({
          code: 'SKILL_NOT_ON_TOP',
          reason: `"${name}" cannot be deactivated yet: "${top}" was activated after it. Deactivate "${top}" first.`,
        }),
      )
    }
    change({ type: 'deactivated', name })
    return Promise.resolve({
      ok: true,
      value: { name, active: false },
      text: `The skill "${name}" is no longer active, and its restriction is lifted.`,
    })
  }

  function wantedSkill(
    call: ToolCall,
  ): { readonly skill: Skill; readonly args: string | undefined } | Extract<Outcome, { ok: false }> {
    const own = ownSkill(call.tool)
    // It was there when the call came, and the catalog has changed since.
    if (hasToolPerSkill && own === undefined) return unknownTool(call.tool)
    // A tool that needs no input may be called with none.
    const input = own ? readInput(skillToolName(own.name), call.input ?? {}) : readInput(toolNames.activate, call.input)
    if ('wrong' in input) return refused({ code: 'INPUT_INVALID', reason: input.wrong })
    const args = input.text('args')
    const name = own ? { value: own.name } : input.text('name')
    if ('wrong' in name) return refused({ code: 'INPUT_INVALID', reason: name.wrong })
    if ('wrong' in args) return refused({ code: 'INPUT_INVALID', reason: args.wrong })
    if (own !== undefined) return { skill: own, args: args.value === '' ? undefined : args.value }
    const names = (): readonly string[] => view.list().map((skill) => skill.name)
    if (name.value === undefined || name.value === '') {
      return refused({
        code: 'INPUT_INVALID',
        reason: `\`name\` of \`${toolNames.activate}\` is empty. ${listed(names())}`,
      })
    }
    const skill = view.find(name.value)
    if (skill === undefined) {
      const [nearest] = nearestNames(name.value, names(), 1)
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
      return refused({
        code: 'SKILL_NOT_FOUND',
        reason: `There is no skill ${JSON.stringify(name.value.slice(0, 80))}.${hint} ${listed(names())}`,
      })
    }
    return { skill, args: args.value === '' ? undefined : args.value }
  }

  async function prepare(skill: Skill): Promise<PreparedSkill | Extract<Outcome, { ok: false }>> {
    try {
      const prepared = await prepareSkill(skill, context.parser, context.profile)
      if (!('broken' in prepared)) return prepared
      return refused({
        code: 'SKILL_BROKEN',
        reason: `The skill "${skill.name}" was not activated: ${prepared.broken}`,
      })
    } catch (error) {
      // Whatever a source of anybody's throws: the model is told, and the run goes on.
      return refused({
        code: 'SKILL_BROKEN',
        reason: `The skill "${skill.name}" was not activated: ${failureReason(error)}`,
      })
    }
  }

  async function consent(
    call: ToolCall,
    prepared: PreparedSkill,
    args: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ approved: boolean; reason?: string }> {
    const request = consentRequest(state().id, call, prepared, args)
    if (context.consent !== undefined) return ask(context.consent, request, context.consentTimeout, signal)
    const open = state().open.find(({ id }) => id === request.id)
    if (open?.approved === undefined) {
      const answered = state().open.filter(({ callId, approved }) => callId === call.id && approved !== undefined)
      if (answered.length === 0) return { approved: false, reason: 'nobody could be asked' }
      const isFolder = answered.some(({ id }) => isSameCall(id, request.id))
      const now = isFolder ? 'what the folder holds now' : 'what this call asks for'
      return { approved: false, reason: `what the answer was about is not ${now}` }
    }
    change({ type: 'settled', id: request.id })
    return { approved: open.approved, ...(open.reason !== undefined && { reason: open.reason }) }
  }

  const isActive = (name: string): boolean => active().some((skill) => skill.name === name)
  const isGranted = (prepared: PreparedSkill): boolean =>
    prepared.whole && state().granted.some((grant) => sameGrant(grant, grantOf(prepared)))

  return { find, toolName, deniedText, consentFor }
}

function denied(skill: Skill, reason: string | undefined): Extract<Outcome, { ok: false }> {
  const why = reason === undefined || reason.trim() === '' ? 'it was not agreed to' : reason
  return refused({
    code: 'CONSENT_DENIED',
    reason: `The skill "${skill.name}" was not activated: ${why}. Go on without it.`,
  })
}

function grantOf({ skill, digest }: PreparedSkill): Grant {
  return { skill: skill.name, source: skill.source, digest }
}

function asActive({ skill, manifest, digest, scripts }: PreparedSkill): ActiveSkill {
  return {
    name: skill.name,
    layer: skill.layer,
    source: skill.source,
    location: skill.location,
    ...(skill.folder.alias !== undefined && { alias: skill.folder.alias }),
    digest,
    ...(manifest.allowedTools !== undefined && { rules: manifest.allowedTools }),
    ...(manifest.disallowedTools !== undefined && { denied: manifest.disallowedTools }),
    scripts: scripts.slice(0, MOST_SCRIPTS),
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'There are no skills.'
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `The skills are: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`
}
