import { openAdapterSession, type AdapterSession, type Step } from '../../src/adapter.ts'
import {
  type AuditEvent,
  type AuditOptions,
  type AuditSink,
  type Outcome,
  type RepertoireOptions,
  type SessionOptions,
  type SessionProblem,
  type TokenUsage,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'

const HOST = ['Bash', 'Read', 'Write']

const skillText = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody of ${name}.\n`

const skills = {
  git: {
    'SKILL.md': skillText('git', 'allowed-tools: Read Bash(git log:*)\n'),
    'references/a.md': 'one\ntwo\n',
    'scripts/go.sh': 'echo',
  },
  runner: { 'SKILL.md': skillText('runner', 'allowed-tools: Bash(*)\n'), 'scripts/go.sh': 'echo' },
  hooked: {
    'SKILL.md': skillText('hooked', 'hooks:\n  pre: [before.sh]\n  post: [after.sh]\n'),
    'before.sh': '',
    'after.sh': '',
  },
  apart: { 'SKILL.md': skillText('apart', 'context: fork\nagent: helper\n') },
}

/** Whether an event is one of a question for consent: every activation begins with two. */
export const isQuestion = ({ type }: AuditEvent): boolean => type.startsWith('consent.')

/** A sink that keeps what it is given: the events of questions apart from the others. */
export function keeping(): AuditSink & { readonly events: AuditEvent[]; readonly questions: AuditEvent[] } {
  const events: AuditEvent[] = []
  const questions: AuditEvent[] = []
  return { events, questions, write: (event) => void (isQuestion(event) ? questions : events).push(event) }
}

export const types = (events: readonly AuditEvent[]): readonly string[] => events.map(({ type }) => type)

/** A clock that is a second later every time it is asked. */
export function ticking(): () => number {
  let seconds = 0
  return () => Date.UTC(2026, 0, 1) + 1_000 * seconds++
}

/** A session over real skills with an audit. */
export async function open(
  audit: AuditSink | readonly AuditSink[] | AuditOptions | undefined,
  session: SessionOptions = {},
  options: Partial<RepertoireOptions> = {},
) {
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    audit,
    ...options,
  })
  const problems: SessionProblem[] = []
  const opened = openAdapterSession(repertoire, {
    id: 'task',
    consent: () => true,
    hostTools: HOST,
    onProblem: (problem) => problems.push(problem),
    ...session,
  })
  return { repertoire, session: opened, problems }
}

/** Calls tools, each in its own step, and tells which of the host's ran. */
export function caller(session: AdapterSession, model?: string) {
  let calls = 0
  const ran: string[] = []
  const call = async (
    tool: string,
    input: unknown,
    { id, run, signal }: { readonly id?: string; readonly run?: () => unknown; readonly signal?: AbortSignal } = {},
  ): Promise<Outcome> => {
    const step = await session.step({ tools: HOST, nameOf: () => model })
    const execute = (judged: { readonly tool: string }): unknown => {
      ran.push(judged.tool)
      return run === undefined ? 'done' : run()
    }
    return step.call({ id: id ?? `c${++calls}`, tool, input }, execute, { signal })
  }
  return { ran, call, activate: (name: string) => call('activate_skill', { name }) }
}

export const code = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.refusal.code)

/** Makes a step whose model call takes tokens. */
export async function called(session: AdapterSession, model: string | undefined, usage: TokenUsage): Promise<Step> {
  const step = await session.step({ tools: [], nameOf: () => model })
  step.recordUsage(usage)
  return step
}
