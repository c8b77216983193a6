import {
  type AuditEvent,
  type AuditOptions,
  type RepertoireOptions,
  type Session,
  type ShownSkills,
  type SkillSource,
  memorySource,
} from '../../src/index.ts'
import { type AdapterSessionOptions, adapterSession, type Step, type WindowMessage } from '../../src/adapter.ts'
import { open as openSession } from '../session/session-world.ts'
import { promptOf } from '../session/window/window-world.ts'

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
  readonly step: Step
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
  const step = await session.step({ tools, nameOf: () => model })
  const offered = [
    ...tools.filter((name) => !step.isHidden(name)).map((name) => ({ name })),
    ...step.tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
  ].map((tool) => JSON.stringify({ type: 'function', function: tool }))
  const sent = await promptOf(step, { system: step.system(own), tools: offered, messages })
  return { step, system: sent.system ?? '', tools: offered, messages: sent.messages.map(({ text }) => text) }
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
