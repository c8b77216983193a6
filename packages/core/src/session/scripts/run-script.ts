import { isSkillError, quoteName } from '@repertoire/skill-md/internal'
import { checkScript, type ScriptOutcome, startScript } from '../../execution/run-script.ts'
import { hasSucceeded, scriptOutputText, toScriptOutput } from '../../execution/script-output.ts'
import type { ScriptSettings } from '../../execution/settings.ts'
import { judge, type Judgement, type Outcome, type ToolCall } from '@repertoire/gate/internal'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { ScriptFile } from '../../ports/script-runner.ts'
import type { AuditDraft } from '../audit/event.ts'
import {
  type CallConsentContext,
  obtainCallConsent,
  type ObtainingForCall,
  openCallRequest,
} from '../consent/call-consent.ts'
import { refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { auditedRun, endedRun, readSkillFiles } from './agreed.ts'
import { requestedScript, type RequestedScript } from './find-script.ts'
import { isRunnerAgreed, scriptGate, type ScriptGateContext, withOwnScripts } from './script-gate.ts'

/** What scripts are run with. */
export interface ScriptContext {
  readonly context: ScriptGateContext &
    CallConsentContext['context'] &
    Pick<SessionContext, 'listing' | 'pinnedFolders' | 'audit'>
  readonly state: CallConsentContext['state']
  /** The stack that the call is judged by: that of its step. */
  readonly active: readonly ActiveSkill[]
  readonly hostTools: readonly string[] | undefined
}

/**
 * Carries out a call of the tool that runs scripts: a script of an active skill, permitted by the rules in force, with
 * exactly the bytes that were agreed to. A script that fails has a result like any other.
 * @throws the signal's reason
 */
export async function runSkillScript(
  script: ScriptContext,
  call: ToolCall,
  { place, signal }: ObtainingForCall & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { context, active } = script
  const { scripts, toolNames } = context
  if (scripts === undefined) return refuse.noScriptRunner(toolNames.runScript)
  const requested = requestedScript(context, active, call)
  if ('ok' in requested) return requested
  const { skill, path } = requested
  const permitted = await gateScript(script, requested)
  if (!permitted.allowed) return refused(permitted.refusal)
  const { advised, askedBy } = permitted
  if (advised !== undefined) await context.audit?.recordRefusal(call, active, advised, { enforced: false })
  if (!isRunnerAgreed(skill, context)) return refuse.otherScriptRunner(skill.name)
  if (askedBy !== undefined) {
    const asked = { call, rule: askedBy, script: { skill: skill.name, path } }
    const denied = await obtainCallConsent(script, asked, { place, signal })
    if (denied !== undefined) return denied
  }
  place.release()
  let files: readonly ScriptFile[]
  try {
    files = await readSkillFiles(context.pinnedFolders, skill, signal)
  } catch (error) {
    signal.throwIfAborted()
    const code = isSkillError(error) && error.code === 'RESOURCE_TOO_LARGE' ? 'SCRIPT_UNAVAILABLE' : 'SCRIPT_CHANGED'
    return refuse.scriptNotRun(code, quoteName(path), error)
  }
  return run({ scripts, requested, files, call, active, audit: context.audit }, signal)
}

/** Returns the request for consent that a run waits for by the host's policy; undefined where it waits for none. */
export async function scriptConsentRequest(script: ScriptContext, call: ToolCall): Promise<ConsentRequest | undefined> {
  const { context, active } = script
  if (context.scripts === undefined) return undefined
  const requested = requestedScript(context, active, call)
  if ('ok' in requested || !isRunnerAgreed(requested.skill, context)) return undefined
  const permitted = await gateScript(script, requested)
  if (!permitted.allowed || permitted.askedBy === undefined) return undefined
  const { skill, path } = requested
  return openCallRequest(script, { call, rule: permitted.askedBy, script: { skill: skill.name, path } })
}

/** Judges the run of a script by the rules in force. */
async function gateScript(
  { context, active, hostTools }: ScriptContext,
  { skill, path, args }: RequestedScript,
): Promise<Judgement> {
  const judged = { tool: context.toolNames.runScript, input: { path, args, skill: skill.name } }
  const stack = withOwnScripts(active, skill, context)
  const gate = { ...scriptGate(context, hostTools), cwd: skill.location }
  return judge(judged, stack, gate)
}

/** A script with all that it is run with. */
interface ReadyScript {
  readonly scripts: ScriptSettings
  readonly requested: RequestedScript
  readonly files: readonly ScriptFile[]
  readonly call: ToolCall
  readonly active: readonly ActiveSkill[]
  readonly audit: SessionContext['audit']
}

async function run(
  { scripts, requested, files, call, active, audit }: ReadyScript,
  signal: AbortSignal,
): Promise<Outcome> {
  const { skill, path, args } = requested
  const { runner, limits, environment, network } = scripts
  const job = { runner, script: path, args, files, environment, network, limits, signal }
  const interpreter = await checkScript(job)
  if ('ok' in interpreter) return refused({ code: interpreter.code, reason: interpreter.reason })
  const by = auditedRun(scripts, interpreter.name)
  const draft = { active, call, skill, script: { skill: skill.name, path }, run: by }
  const unaudited = await audit?.recordIntent({ ...draft, type: 'script.started', outcome: 'started' })
  if (unaudited !== undefined) return unaudited
  const outcome = await startScript(job, interpreter)
  const failed = outcome.ok ? undefined : refused({ code: outcome.code, reason: outcome.reason })
  await audit?.record({
    ...draft,
    type: 'script.finished',
    ...ended(outcome, signal),
    refusal: failed?.refusal,
    run: outcome.ok ? endedRun(by, outcome.result) : by,
  })
  signal.throwIfAborted()
  if (!outcome.ok) return failed!
  const { result } = outcome
  return {
    ok: true,
    value: toScriptOutput({ skill: skill.name, path, interpreter: interpreter.name, result }),
    text: scriptOutputText({ skill: skill.name, path, result, limits }),
  }
}

function ended(
  outcome: ScriptOutcome,
  signal: AbortSignal,
): Pick<AuditDraft, 'outcome' | 'code' | 'reason' | 'durationMs'> {
  if (!outcome.ok) return { outcome: signal.aborted ? 'aborted' : 'failed', code: outcome.code, reason: outcome.reason }
  const { result } = outcome
  const how = result.end === 'aborted' ? 'aborted' : hasSucceeded(result) ? 'succeeded' : 'failed'
  return { outcome: how, durationMs: result.durationMs }
}
