import type { Attributes } from '@opentelemetry/api'
import type { AuditEvent } from '../audit/events.ts'

/**
 * Names of the GenAI semantic conventions, as strings: they are in development, and the package of the conventions has
 * none of them any more. As of semantic conventions 1.41.0, the last with GenAI in it; those of skills as drafted since, in
 * the repository for GenAI. What these have no name for is our own, `repertoire.*`.
 */
const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.name',
  model: 'gen_ai.request.model',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
  arguments: 'gen_ai.tool.call.arguments',
  skill: 'gen_ai.skill.name',
  skillResource: 'gen_ai.skill.resource.name',
  error: 'error.type',
} as const

/** The events of what is done with a skill. No others: that a skill is active does not say that a call is due to it. */
const OF_SKILL = /^(?:skill|resource|script|execution|fork|hook)\./

/** What an event is in the words of the conventions. */
export type Operation = 'execute_tool' | 'invoke_agent' | 'chat'

/** The attributes of a span: everything that is known. */
export function spanAttributes(event: AuditEvent, operation: Operation | undefined, provider?: string): Attributes {
  const { skills, skill, script, run, input, found, window, shown, consent } = event
  const isOfSkill = event.skill !== undefined && OF_SKILL.test(event.type)
  return present({
    [GEN_AI.operation]: operation,
    [GEN_AI.provider]: provider,
    [GEN_AI.conversation]: event.session,
    [GEN_AI.agent]: event.agent,
    [GEN_AI.model]: event.model,
    [GEN_AI.tool]: event.tool,
    [GEN_AI.toolType]: event.tool === undefined ? undefined : 'function',
    [GEN_AI.callId]: event.callId,
    [GEN_AI.arguments]: input === undefined ? undefined : JSON.stringify(input),
    [GEN_AI.skill]: isOfSkill ? event.skill.name : undefined,
    [GEN_AI.skillResource]: isOfSkill ? (event.path ?? script?.path) : undefined,
    [GEN_AI.error]: errorType(event),
    'langfuse.observation.skills_available': shown?.skills.map(({ name }) => name),
    'repertoire.event': event.type,
    'repertoire.outcome': event.outcome,
    'repertoire.enforced': event.enforced,
    'repertoire.correlation_id': event.correlationId,
    'repertoire.tenant': event.tenant,
    'repertoire.environment': event.environment,
    'repertoire.skill.name': skill?.name,
    'repertoire.skill.digest': skill?.digest,
    'repertoire.skill.layer': skill?.layer,
    'repertoire.skill.source': skill?.source,
    'repertoire.skills.active': skills.map(({ name }) => name),
    'repertoire.allowed_tools': event.allowedTools,
    'repertoire.refused_by': event.refusedBy?.by,
    'repertoire.refused_by.skill': event.refusedBy?.skill,
    'repertoire.refused_by.rule': event.refusedBy?.rule,
    'repertoire.tool.stands_for': event.standsFor,
    'repertoire.unbounded_rules': event.unboundedRules,
    'repertoire.unmatched_tools': event.unmatchedTools,
    'repertoire.input.digest': event.inputDigest,
    'repertoire.script.skill': script?.skill,
    'repertoire.script.path': script?.path,
    'repertoire.script.interpreter': run?.interpreter,
    'repertoire.script.runner': run?.runner,
    'repertoire.script.isolation': run?.isolation,
    'repertoire.script.isolated': run?.isolated,
    'repertoire.script.network': run?.network,
    'repertoire.script.end': run?.end,
    'repertoire.script.exit_code': run?.exitCode,
    'repertoire.script.signal': run?.signal,
    'repertoire.script.dropped_bytes': run?.droppedBytes,
    'repertoire.skills.found': found,
    'repertoire.step': shown?.step,
    'repertoire.skills.shown': shown?.skills.map(({ name }) => name),
    'repertoire.skills.left': shown?.left.map(({ name }) => name),
    'repertoire.tools.offered': shown?.tools,
    'repertoire.tools.withheld': shown?.withheld?.map(({ tool }) => tool),
    'repertoire.tokens.system': shown?.tokens.system,
    'repertoire.tokens.list': shown?.tokens.list,
    'repertoire.tokens.bodies': shown?.tokens.bodies,
    'repertoire.tokens.tools': shown?.tokens.tools,
    'repertoire.tokens.messages': shown?.tokens.messages,
    'repertoire.prompt.digest': shown?.digest,
    'repertoire.consent.request': consent?.request,
    'repertoire.consent.about': consent?.about,
    'repertoire.consent.digest': consent?.digest,
    'repertoire.consent.answer': consent?.answer,
    'repertoire.consent.by': consent?.by,
    'repertoire.window.size': window?.size,
    'repertoire.window.tokens_before': window?.tokensBefore,
    'repertoire.window.tokens': window?.tokens,
    'repertoire.window.messages': window?.messages,
    'repertoire.window.summarized_by': window?.by,
    'repertoire.window.skills': window?.skills,
    'repertoire.missing': event.missing,
    'repertoire.ended_by': event.endedBy,
    'repertoire.path': event.path,
    'repertoire.hook': event.hook,
    'repertoire.reason': event.reason,
  })
}

/** The attributes of a measurement: few values each, since every combination is a series of its own. */
export function metricAttributes(event: AuditEvent, operation: Operation, provider?: string): Attributes {
  return present({
    [GEN_AI.operation]: operation,
    [GEN_AI.provider]: provider,
    [GEN_AI.model]: event.model,
    [GEN_AI.error]: errorType(event),
  })
}

/** The same for what is counted by skill: the event's own, or the one whose script is run. */
export function skillAttributes({ model, skill, skills, script, outcome }: AuditEvent): Attributes {
  const about = skill ?? skills.find(({ name }) => name === script?.skill)
  return present({
    [GEN_AI.model]: model,
    'repertoire.skill.name': about?.name,
    'repertoire.skill.layer': about?.layer,
    'repertoire.outcome': outcome,
  })
}

/** A class of errors, as `error.type` wants it: never a message. */
export function errorType({ outcome, code }: AuditEvent): string | undefined {
  if (['succeeded', 'started', 'allowed', 'suspended'].includes(outcome)) return undefined
  return code ?? (outcome === 'aborted' ? 'aborted' : '_OTHER')
}

/** Leaves out what is not known. */
function present(attributes: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>) {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes
}
