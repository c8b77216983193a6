import { judge, type Judgement } from '@repertoire/gate/internal'
import type { Outcome, Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { quoteName } from '@repertoire/skill-md/internal'
import type { AuditedRun } from '../../audit/events.ts'
import { checkScript, type ScriptOutcome, type ScriptRun, startScript } from '../../execution/run-script.ts'
import { hasSucceeded, scriptOutputText, toScriptOutput } from '../../execution/script-output.ts'
import type { ScriptSettings } from '../../execution/settings.ts'
import type { CallConsentRequest } from '../../ports/consent.ts'
import type { ScriptFile, ScriptResult } from '../../ports/script-runner.ts'
import type { AuditDraft } from '../audit/event.ts'
import type { Asking } from '../consent/asking.ts'
import { obtainCallConsent, unusedCallRequest } from '../consent/call-consent.ts'
import type { CallScope, SessionContext } from '../context.ts'
import { hostReason, type Refused, refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { type ActiveSkill, isPinned } from '../state/state.ts'
import {
  hasAgreedScripts,
  requestedScript,
  type RequestedScript,
  scriptGate,
  withOwnScripts,
} from './active-scripts.ts'
import { hasCode } from '../../text/message.ts'

/** A script that may be run now. */
export interface PermittedScript {
  readonly call: ToolCall
  readonly requested: RequestedScript
  readonly by: ScriptSettings
  /** In the mode `advisory`: the refusal that a skill would have given. */
  readonly advised: Refusal | undefined
}

/**
 * Decides about a call of the tool that runs scripts: whether it is a script of an active skill, permitted by the rules
 * in force, and consented to where the host's policy asks.
 */
export async function permitScript(
  scope: CallScope,
  call: ToolCall,
  asking: Asking,
): Promise<PermittedScript | Refused> {
  const { context } = scope
  const { scripts, toolNames } = context
  const active = scope.active()
  if (scripts === undefined) return refuse.noScriptRunner(toolNames.runScript)
  const requested = requestedScript(context, active, call)
  if ('ok' in requested) return requested
  const { skill, path } = requested
  const permitted = await gateScript(scope, requested)
  if (!permitted.allowed) return refused(permitted.refusal)
  const { advised, askedBy } = permitted
  if (!hasAgreedScripts(skill, context)) {
    return refuse.otherScriptRunner(skill.name, skill === active.at(-1) && !isPinned(skill))
  }
  if (askedBy !== undefined) {
    const asked = { call, rule: askedBy, script: { skill: skill.name, path } }
    const denied = await obtainCallConsent(scope, asked, asking)
    if (denied !== undefined) return denied
  }
  return { call, requested, by: scripts, advised }
}

/**
 * Runs a script of an active skill with exactly the bytes that were agreed to. A script that fails has a result like
 * any other.
 */
export async function runSkillScript(
  scope: CallScope,
  { call, requested: { skill, path, args }, by: scripts, advised }: PermittedScript,
  signal: AbortSignal,
): Promise<Outcome> {
  const { context } = scope
  const { audit } = context
  const active = scope.active()
  if (advised !== undefined) await audit?.recordRefusal(call, active, advised, { enforced: false })
  const agreed = await readAgreed(context, skill, quoteName(path), signal)
  if ('ok' in agreed) return agreed
  const { runner, limits, network } = scripts
  const job = { runner, script: path, args, ...agreed, network, limits, signal }
  const interpreter = await checkScript(job)
  if ('ok' in interpreter) return scriptRefusal(interpreter)
  const by = auditedRun(scripts, interpreter.name)
  const draft = { active, call, skill, script: { skill: skill.name, path }, run: by }
  const unaudited = await audit?.recordIntent({ ...draft, type: 'script.started', outcome: 'started' })
  if (unaudited !== undefined) return unaudited
  const outcome = await startScript(job, interpreter)
  const failed = outcome.ok ? undefined : scriptRefusal(outcome)
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

function scriptRefusal({ code, reason, detail }: Exclude<ScriptOutcome, { ok: true }>): Refused {
  return refused({ code, reason, detail })
}

/** Returns the request for consent that a run waits for by the host's policy; undefined where it waits for none. */
export async function scriptConsentRequest(scope: CallScope, call: ToolCall): Promise<CallConsentRequest | undefined> {
  const { context } = scope
  if (context.scripts === undefined) return undefined
  const requested = requestedScript(context, scope.active(), call)
  if ('ok' in requested || !hasAgreedScripts(requested.skill, context)) return undefined
  const permitted = await gateScript(scope, requested)
  if (!permitted.allowed || permitted.askedBy === undefined) return undefined
  const { skill, path } = requested
  return unusedCallRequest(scope, { call, rule: permitted.askedBy, script: { skill: skill.name, path } })
}

/** Judges the run of a script by the rules in force. */
async function gateScript(
  { context, active, hostTools }: CallScope,
  { skill, path, args }: RequestedScript,
): Promise<Judgement> {
  const judged = { tool: context.toolNames.runScript, input: { path, args, skill: skill.name } }
  const stack = withOwnScripts(active(), skill, context)
  const gate = { ...scriptGate(context, hostTools()), cwd: skill.location }
  return judge(judged, stack, gate)
}

function ended(
  outcome: ScriptOutcome,
  signal: AbortSignal,
): Pick<AuditDraft, 'outcome' | 'code' | 'reason' | 'durationMs'> {
  if (!outcome.ok)
    return { outcome: signal.aborted ? 'aborted' : 'failed', code: outcome.code, reason: hostReason(outcome) }
  const { result } = outcome
  const how = result.end === 'aborted' ? 'aborted' : hasSucceeded(result) ? 'succeeded' : 'failed'
  return { outcome: how, durationMs: result.durationMs }
}

export function auditedRun({ runner, network }: ScriptSettings, interpreter: string): AuditedRun {
  const { name: isolation, isolated } = runner.isolation
  return { interpreter, runner: runner.name, isolation, isolated, network }
}

/** The same with how the script ended. */
export function endedRun(run: AuditedRun, { end, exitCode, signalName, dropped }: ScriptResult): AuditedRun {
  const droppedBytes = dropped.stdout + dropped.stderr
  return {
    ...run,
    end,
    exitCode,
    signal: signalName,
    droppedBytes: droppedBytes || undefined,
  }
}

/**
 * Reads the files that a skill's script may use, as they were agreed to, and its variables. Refuses where they cannot
 * be read, or the host's function gives none.
 * @param script as the subject of a sentence
 */
export async function readAgreed(
  { pinnedFolders, scripts }: SessionContext,
  skill: ActiveSkill,
  script: string,
  signal: AbortSignal,
): Promise<Pick<ScriptRun, 'files' | 'environment'> | Refused> {
  let files: readonly ScriptFile[] | undefined
  try {
    files = await pinnedFolders.readFiles(skill, signal)
    return { files, environment: await scripts?.environment(skill, signal) }
  } catch (error) {
    signal.throwIfAborted()
    if (files !== undefined) return refuse.noEnvironment(script, error)
    const code = hasCode(error, 'RESOURCE_TOO_LARGE') ? 'SCRIPT_UNAVAILABLE' : 'SCRIPT_CHANGED'
    return refuse.scriptNotRun(code, script, error)
  }
}
