import { activationText } from '../../disclosure/skill-content.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { Mount } from '../../ports/mount.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { Skill } from '../../ports/skill.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { activationValue } from './value.ts'
import { asActive } from './active-skill.ts'
import { type Activator, activationRefusal } from './refusal.ts'
import { type AgreementContext, obtainConsent, isGranted } from '../consent/obtain.ts'
import { consentRequest } from '../consent/request.ts'
import type { SessionContext } from '../context.ts'
import { hooksUnavailable, runPreHooks } from './hooks.ts'
import { mountSkill, unmountSkill } from './mounting.ts'
import { type InspectedSkill, inspectSkill } from './inspect.ts'
import { failureReason, type Refused, refused } from '../calls/refusal.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { RequestedSkill } from '../calls/requested-skill.ts'

/** What an activation works on. */
export interface ActivationContext extends AgreementContext {
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
}

/** A skill that may be activated: read whole, agreed to, its hooks before the activation run. Nothing of it is active yet. */
export interface PreparedActivation extends RequestedSkill {
  /** What asked for it. */
  readonly call: ToolCall
  readonly prepared: InspectedSkill
  /** What is to be put on a stack, but that it has no private copy yet. */
  readonly active: ActiveSkill
}

/** A skill that is admitted and is to be run by a sub-agent. */
export interface WantedFork {
  readonly admitted: PreparedActivation
  /** The stack of the step that wants it. */
  readonly active: readonly ActiveSkill[]
  readonly callId: string
}

/** What an activation comes to: its outcome, or what is left to be done outside of the session's turn. */
export type Activated = Outcome | { readonly fork: WantedFork }

/** Characters that are passed to a skill at the most: a session's state carries them. */
const MAX_ARGS_CHARS = 100_000

/**
 * The question that an activation waits for, for whoever answers later; undefined where it waits for none.
 */
export async function activationConsentRequest(
  activation: ActivationContext,
  call: ToolCall,
  wanted: RequestedSkill,
  by: Activator['by'],
): Promise<ConsentRequest | undefined> {
  const { context, state, change } = activation
  if (context.consent !== undefined || state().ended || isActive(activation, wanted.skill.name)) return undefined
  const prepared = await prepare(context, wanted)
  if ('ok' in prepared || isGranted(state(), prepared)) return undefined
  if (activationRefusal(prepared, { by, forks: true }, state()) !== undefined) return undefined
  const request = consentRequest(state().id, call, prepared, wanted.args)
  change({ type: 'asked', request: { id: request.id, callId: call.id } })
  return request
}

/**
 * Activates a skill: reads its folder, gets the agreement, runs its hooks, mounts it, and puts it on the stack. What
 * stops it leaves nothing active and nothing mounted.
 * @throws the signal's reason
 */
export async function activate(
  activation: ActivationContext,
  call: ToolCall,
  wanted: RequestedSkill,
  activator: Activator,
  signal?: AbortSignal,
): Promise<Activated> {
  const { skill } = wanted
  const { audit } = activation.context
  const active = activation.active()
  const already = active.find(({ name }) => name === skill.name)
  if (already !== undefined) return alreadyActive(already)
  try {
    const admitted = await admit(activation, call, wanted, activator, signal)
    if (!('ok' in admitted) && admitted.prepared.manifest.context === 'fork') {
      return { fork: { admitted, active, callId: call.id } }
    }
    const entered = 'ok' in admitted ? admitted : enter(activation, admitted, signal)
    const outcome = entered instanceof Promise ? await entered : entered
    if (!outcome.ok) await audit?.refused(call, active, outcome.refusal, { skill })
    return outcome
  } catch (error) {
    await audit?.note({ type: 'skill.denied', outcome: 'aborted', active, call, skill, error })
    throw error
  }
}

/**
 * The first part of an activation: reads the folder, gets the agreement to what it holds, and runs the hooks before.
 * @throws the signal's reason
 */
async function admit(
  activation: ActivationContext,
  call: ToolCall,
  wanted: RequestedSkill,
  activator: Activator,
  signal?: AbortSignal,
): Promise<PreparedActivation | Refused> {
  const { context, state } = activation
  const { skill, args } = wanted
  const prepared = await prepare(context, wanted)
  if ('ok' in prepared) return prepared
  const objection = activationRefusal(prepared, activator, state())
  if (objection !== undefined) return objection
  const agreement = obtainConsent(activation, call, prepared, args, signal)
  const { approved, reason } = agreement instanceof Promise ? await agreement : agreement
  if (!approved) return denied(skill, reason)
  const active = asActive(prepared, args)
  context.held.hold(active, { folder: prepared.folder, fileName: prepared.fileName, files: prepared.files })
  // Another call of the same message may have activated it: what runs before an activation has run.
  const isEntered = state().active.some(({ name }) => name === skill.name)
  if (!isEntered && context.audit !== undefined) {
    const about = { active: activation.active(), call, skill: active }
    const unaudited = await context.audit.intent({ type: 'skill.activating', outcome: 'started', ...about })
    if (unaudited !== undefined) return unaudited
  }
  const { pre } = prepared.manifest.hooks
  const stopped = isEntered || pre.length === 0 ? undefined : await runPreHooks(activation, active, pre, signal)
  return stopped ?? { skill, args, call, prepared, active }
}

/**
 * The second part of an activation: mounts an admitted skill, and puts it on the stack, of the session whose context it
 * is given.
 * @throws the signal's reason
 */
export function enter(
  activation: ActivationContext,
  admitted: PreparedActivation,
  signal?: AbortSignal,
): Outcome | Promise<Outcome> {
  const { context, state } = activation
  const entered = state().active.find(({ name }) => name === admitted.active.name)
  if (entered === undefined && context.mounts !== undefined) return mountAndPut(activation, admitted, signal)
  signal?.throwIfAborted()
  return put(activation, admitted, entered?.mount, entered !== undefined)
}

async function mountAndPut(
  activation: ActivationContext,
  admitted: PreparedActivation,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { context, state } = activation
  const { prepared, active } = admitted
  const { id } = state()
  const mount = await mountSkill(context, id, active, prepared)
  if (mount !== undefined && 'ok' in mount) return mount
  if (signal?.aborted) {
    await unmountSkill(context, id, active.name)
    signal.throwIfAborted()
  }
  return put(activation, admitted, mount, false)
}

function put(
  { context, change, active: judgedBy }: ActivationContext,
  { call, prepared, active }: PreparedActivation,
  mount: Mount | undefined,
  isEntered: boolean,
): Outcome | Promise<Outcome> {
  const mounted = mount === undefined ? active : { ...active, mount }
  const judging = judgedBy()
  change({ type: 'activated', skill: mounted })
  const value = activationValue(prepared, mounted)
  const text = activationText(value)
  context.held.holdText(mounted, text)
  const outcome = { ok: true, value, text } as const
  if (isEntered || context.audit === undefined) return outcome
  const about = { active: judging, call, skill: mounted }
  return context.audit.note({ type: 'skill.activated', outcome: 'succeeded', ...about }).then(() => outcome)
}

/** What the model is shown of an activation that was not agreed to. */
export function denied(skill: Skill, reason: string | undefined): Refused {
  const why = reason === undefined || reason.trim() === '' ? 'it was not agreed to' : reason
  return refused({
    code: 'CONSENT_DENIED',
    reason: `The skill "${skill.name}" was not activated: ${why}. Go on without it.`,
  })
}

function isActive({ active }: ActivationContext, name: string): boolean {
  return active().some((skill) => skill.name === name)
}

function alreadyActive({ name, inherited, forked }: ActiveSkill): Outcome {
  let hint =
    'Its instructions stand above and still hold; if you no longer see them, deactivate it and activate it again.'
  if (forked === true) hint = 'Its instructions stand above and still hold: this work is done under it.'
  if (inherited === true) {
    hint =
      'It belongs to the task that this work is a part of: its rules hold here, and its instructions are for that task. Go on without it.'
  }
  return { ok: true, value: { name, active: true }, text: `The skill "${name}" is already active. ${hint}` }
}

/** Reads a skill's folder, and tells what keeps it from being activated before anybody is asked. */
async function prepare(
  context: SessionContext,
  { skill, args = '' }: RequestedSkill,
): Promise<InspectedSkill | Refused> {
  const broken = (why: string): Refused =>
    refused({ code: 'SKILL_BROKEN', reason: `The skill "${skill.name}" was not activated: ${why}` })
  if (args.length > MAX_ARGS_CHARS) {
    return refused({
      code: 'INPUT_INVALID',
      reason: `The skill "${skill.name}" was not activated: its arguments are ${args.length} characters long. Give at most ${MAX_ARGS_CHARS}.`,
    })
  }
  try {
    const prepared = await inspectSkill(skill, context.parser, context.profile)
    if ('broken' in prepared) return broken(prepared.broken)
    return hooksUnavailable(context, prepared.manifest) ?? prepared
  } catch (error) {
    // Whatever a source of anybody's throws: the model is told, and the run goes on.
    return broken(failureReason(error))
  }
}
