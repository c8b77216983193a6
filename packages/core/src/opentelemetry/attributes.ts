import type { Attributes } from '@opentelemetry/api'
import { isObject } from '@repertoire/skill-md/internal'
import type { AuditEvent } from '../audit/events.ts'

/**
 * Names of the GenAI semantic conventions, as strings: they are in development, and the package of the conventions has
 * none of them any more. As of semantic conventions 1.41.0, the last with GenAI in it; those of skills as drafted
 * since, in the repository for GenAI. What these have no name for is our own, `repertoire.*`.
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

export type Operation = 'execute_tool' | 'invoke_agent' | 'chat'

/** What the conventions have names for, or a span has by itself. */
const NAMED: ReadonlySet<string> = new Set(
  'version time session agent model tool callId input usage durationMs error'.split(' '),
)

/** The attributes of a span: everything that is known, by the names of the conventions or as the event has it. */
export function spanAttributes(event: AuditEvent, operation: Operation | undefined, provider?: string): Attributes {
  const { input, script, shown } = event
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
    ...ownAttributes(
      'repertoire',
      Object.entries(event).filter(([name]) => !NAMED.has(name)),
    ),
  })
}

/** The fields of an event by path, `repertoire.run.exit_code`. Of skills and tools there are names, and no texts. */
function ownAttributes(prefix: string, fields: readonly (readonly [string, unknown])[]): Attributes {
  return Object.assign(
    {},
    ...fields.map(([name, value]) => {
      const path = `${prefix}.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
      if (name === 'text') return {}
      if (isObject(value)) return ownAttributes(path, Object.entries(value))
      return { [path]: Array.isArray(value) ? value.map(nameOf) : value }
    }),
  ) as Attributes
}

function nameOf(item: unknown): string {
  const { name, tool } = Object(item) as { readonly name?: string; readonly tool?: string }
  return name ?? tool ?? String(item)
}

/** The attributes of a measurement: few values each, since every combination is its own series. */
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
function present(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
