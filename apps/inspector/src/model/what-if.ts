import { type GateContext, judge, openToolTable, readCall, resolveGate } from '@repertoire/gate/internal'
import { parseAllowedTools } from '@repertoire/skill-md/internal'
import type { LogEvent, NamedSkill } from './event.ts'
import { type Call, type Run, wasAsked } from './run.ts'
import { subjectOf } from './timeline.ts'
import { NO_INPUT, type Rejudged, type WhatIfSettings } from './what-if-settings.ts'

/** A log judged again. */
export interface WhatIf {
  readonly calls: readonly Rejudged[]
  /** A rule that cannot be read. Absent: all can. */
  readonly problem?: string
}

/** The skills that were active at any call of a run. */
export function activeSkills({ calls }: Run): readonly string[] {
  const names = calls.flatMap(({ events }) => events.flatMap(({ skills }) => skills.map(({ name }) => name)))
  return [...new Set(names)]
}

/** Judges the calls of a run again. Nothing is run: the gate reads texts alone. */
export async function whatIf(run: Run, settings: WhatIfSettings): Promise<WhatIf> {
  let gate: GateContext['gate']
  try {
    const { mode, allow, deny, ask, protect } = settings
    gate = resolveGate({ enforcement: { mode }, policy: { allow, deny, ask, protect } })
  } catch (error) {
    return { calls: [], problem: error instanceof Error ? error.message : String(error) }
  }
  const calls: Rejudged[] = []
  for (const call of run.calls) {
    const rejudged = await judgeAgain(call, settings, gate)
    if (rejudged !== undefined) calls.push(rejudged)
  }
  return { calls }
}

/** Refusals of the gate, and of whoever its policy asks. All others have nothing to do with rules. */
const BY_RULES: ReadonlySet<string> = new Set(['TOOL_NOT_ALLOWED', 'SCRIPT_READ_BLOCKED', 'CALL_DENIED'])

async function judgeAgain(
  call: Call,
  settings: WhatIfSettings,
  gate: GateContext['gate'],
): Promise<Rejudged | undefined> {
  const event = call.events.find(({ type }) => /^(?:tool\.|restriction\.|script_read\.)/.test(type))
  if (event === undefined) return undefined
  const refusal = call.events.find(({ outcome, enforced }) => outcome === 'refused' && enforced)
  const recorded = call.advised ? 'against the rules' : refusal === undefined ? 'allowed' : 'refused'
  const base = { call: call.index, step: call.step, text: subjectOf(call), recorded } as const
  const unjudged = (reason: string): Rejudged => ({ ...base, verdict: 'unjudged', changed: false, reason, by: '' })
  if (refusal?.code !== undefined && !BY_RULES.has(refusal.code))
    return unjudged(`It was refused for another reason than a rule (${refusal.code}).`)
  const { input } = event
  if (input === undefined) return unjudged(NO_INPUT)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return unjudged('Its input is not an object.')
  if (wasCut(input)) return unjudged('Its input was cut or masked when it was recorded.')
  const skills = event.skills.filter(({ name }) => !settings.without.includes(name))
  if (event.type === 'script_read.blocked' && gate.mode !== 'advisory') {
    const skill = event.refusedBy?.skill
    if (skill === undefined || skills.some(({ name }) => name === skill))
      return { ...base, verdict: 'refused', changed: recorded !== 'refused', reason: event.reason ?? '', by: 'script' }
  }
  try {
    const active = skills.map(gated)
    const context = { gate, tools: toolsFor(event) }
    const read = { tool: event.tool ?? call.tool, input }
    const { arguments: found } = readCall(read, context)
    if (event.standsFor !== undefined && 'problem' in found && found.missing)
      return unjudged('The host renames its arguments by a `toolMap`, which a log does not hold.')
    const judgement = await judge(read, active, context)
    if (!judgement.allowed) {
      const { reason, refusedBy } = judgement.refusal
      return { ...base, verdict: 'refused', changed: recorded !== 'refused', reason, by: byOf(refusedBy) }
    }
    if (judgement.advised !== undefined) {
      const { reason, refusedBy } = judgement.advised
      const changed = recorded !== 'against the rules'
      return { ...base, verdict: 'against the rules', changed, reason, by: byOf(refusedBy) }
    }
    if (judgement.askedBy !== undefined)
      return {
        ...base,
        verdict: 'asked',
        changed: !wasAsked(call),
        reason: 'A person is asked first.',
        by: judgement.askedBy,
      }
    return { ...base, verdict: 'allowed', changed: recorded !== 'allowed', reason: '', by: '' }
  } catch (error) {
    return unjudged(error instanceof Error ? error.message : String(error))
  }
}

function gated({ name, allowedTools }: NamedSkill): Parameters<typeof judge>[1][number] {
  const skill = { name, location: `/skills/${name}`, scripts: [] }
  if (allowedTools === undefined) return skill
  const result = parseAllowedTools(allowedTools)
  if (result.ok) return { ...skill, rules: result.rules }
  throw new TypeError(`The log says that ${name} allows ${JSON.stringify(result.rule)}, which ${result.problem}.`)
}

/** What the rules take the call's tool for, as the log says it. */
function toolsFor({ tool = '', standsFor }: LogEvent): GateContext['tools'] {
  return openToolTable({ toolMap: standsFor === undefined || tool === '' ? {} : { [tool]: standsFor } }).of(undefined)
}

function byOf({ by, skill, rule }: { readonly by: string; readonly skill?: string; readonly rule?: string }): string {
  return [skill, by, rule].filter((part) => part !== undefined).join(' · ')
}

/** Whether a recorded input is less than the call's own: a verdict on it could be another. */
function wasCut(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('[redacted]') || value === '[unreadable]' || /^…|…$/.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, item]) => name === '…' || wasCut(item))
}
