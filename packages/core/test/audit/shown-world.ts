import {
  type AuditEvent,
  type AuditOptions,
  type RepertoireOptions,
  type Session,
  type ShownSkills,
  type SkillSource,
  memorySource,
} from '../../src/index.ts'
import { type AdapterSessionOptions, adapterSession, joinSystemPrompt, type WindowMessage } from '../../src/adapter.ts'
import { open as openSession } from '../session/session-world.ts'

/** A source of skills by their names, each the text of its manifest. */
export function source(
  skills: Readonly<Record<string, string>>,
  layer: 'project' | 'enterprise' = 'project',
  id?: string,
): SkillSource {
  return memorySource({
    layer,
    id,
    skills: Object.fromEntries(Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }])),
  })
}

/** What a model call is made with. */
interface ModelCall {
  readonly tools?: readonly string[]
  readonly own?: string
  readonly messages?: readonly WindowMessage[]
  readonly model?: string
}

/** What is sent to the model. */
export interface SentCall {
  readonly system: string
  /** The tools, in the form of OpenAI's. */
  readonly tools: readonly string[]
  readonly messages: readonly string[]
}

/** Makes one model call as an adapter does, up to what is sent. */
export async function send(
  opened: Session,
  { tools = ['Bash', 'Read', 'Write'], own = 'Be careful.', messages = [], model = 'model-a' }: ModelCall = {},
): Promise<SentCall> {
  const session = adapterSession(opened)
  await session.ready()
  const view = session.beginStep(tools, { model })
  const system = view.system(own)
  const offered = [
    ...tools.filter((name) => !view.isHidden(name)).map((name) => ({ name })),
    ...view.tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
  ].map((tool) => JSON.stringify({ type: 'function', function: tool }))
  const fit = await session.fitWindow(() => ({ system, tools: offered, messages }))
  const texts = fit?.messages.map((each) => (typeof each === 'number' ? messages[each]!.text : each.summary))
  const sent = texts ?? messages.map(({ text }) => text)
  const fitted = fit?.system(system ?? '') ?? system
  const reminder = await session.reminder((text) => [fitted, ...sent].some((each) => each?.includes(text)))
  return { system: joinSystemPrompt(fitted, reminder) ?? '', tools: offered, messages: sent }
}

/** A session whose steps are kept. */
export async function openShown(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
  audit: Partial<AuditOptions> = {},
) {
  const events: AuditEvent[] = []
  const sink = { write: (event: AuditEvent) => void events.push(event) }
  const opened = await openSession({ id: 'task', ...session }, { audit: { sink, ...audit }, ...options })
  return { ...opened, events, steps: () => stepsOf(events) }
}

/** What the steps have shown. */
function stepsOf(events: readonly AuditEvent[]): readonly ShownSkills[] {
  return events.flatMap(({ type, shown }) => (type === 'skills.shown' && shown !== undefined ? [shown] : []))
}
