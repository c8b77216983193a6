import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '@repertoire/core'
import { UNATTENDED_REASON } from '@repertoire/core/adapter'
import { DENIED, STOPPED } from './stage.ts'
import type { Aspect, Conversation, Run, Seen } from './scenario.ts'
import { readMessages, textBehind } from './messages.ts'

/** What is compared of two runs. The order is by how much a first difference says about its cause. */
export const ASPECTS: readonly Aspect[] = [
  // How each turn ends, and what is left when the task has ended: it names the error of a run that failed.
  {
    id: 'ended',
    read: ({ ends, left }) => [
      ...ends.map(({ turn, end }): Seen => [`the end of ${turn}`, end]),
      ...left.map((what): Seen => ['what is left in the end', what]),
    ],
  },
  // The system prompt of each model call.
  {
    id: 'systemPrompts',
    read: (run) => eachRequest(run, ({ system }, at) => [[`the system prompt of ${at}`, system]]),
  },
  // The tools that each model call offers: the host's and those of skills, in order, with their inputs. And the schema.
  {
    id: 'offeredTools',
    read: (run) =>
      eachRequest(run, ({ tools, output }, at) => [
        [`the tools of ${at}`, tools.map(({ name }) => name).join('\n')],
        ...tools.map((tool): Seen => [
          `the tool ${tool.name} of ${at}`,
          `${tool.description}\n${whole(tool.inputSchema)}`,
        ]),
        ...(output === undefined ? [] : [[`the answer that ${at} wants`, whole(output)] as const]),
      ]),
  },
  // What really ran, and with what input.
  {
    id: 'toolRuns',
    read: (run) =>
      inOrderOfCalls(run.toolRuns, run).map(({ tool, input, callId, at }, index) => [
        `run ${index + 1}, behind request ${at}`,
        `${tool} ${json(input)}${run.hasUniqueIds && callId !== '' ? ` (${callId})` : ''}`,
      ]),
  },
  // The result of each call, as the model is first shown it.
  {
    id: 'results',
    read: (run) =>
      run.conversations.flatMap((each) =>
        [...firstResults(each, run)].map(([id, text]): Seen => [
          `the result of ${id}, in ${each.name}`,
          worded(text, run),
        ]),
      ),
  },
  // What the session says behind a person's message, and in the place of messages.
  {
    id: 'turnTexts',
    read: (run) =>
      eachRequest(run, ({ messages }, at) =>
        readMessages(messages, run).flatMap((message): Seen[] =>
          message.role === 'user' && !message.isWritten ? [[`what is said in ${at}`, message.text]] : [],
        ),
      ),
  },
  // The earlier messages in each model call: as they were, each call with its own result.
  {
    id: 'history',
    read: (run) =>
      run.conversations.flatMap((conversation) => {
        const results = firstResults(conversation, run)
        return conversation.exchanges.map(({ request }, index): Seen => [
          `the messages of request ${index + 1} of ${conversation.name}`,
          readMessages(request.messages, run)
            .map((message) => asLine(message, results))
            .join('\n'),
        ])
      }),
  },
  // What people are asked, when, and in what order.
  {
    id: 'questions',
    read: (run) =>
      run.questions.map(({ at, asked }, index) => [
        `question ${index + 1}, behind request ${at}`,
        json({
          ...asked,
          callId: scripted(asked['callId'] as string | undefined, run),
          session: asked['session'] && sessionName(asked['session'] as string, run),
        }),
      ]),
  },
  // The active skills after each turn.
  {
    id: 'activeSkills',
    read: ({ active }) => active.map(({ turn, skills }) => [`the active skills after ${turn}`, skills.join(', ')]),
  },
  // The events of the audit, each once and in order.
  {
    id: 'auditEvents',
    read: (run) => [
      ...eventsOf(run, ({ type }) => !isTold(type)),
      ...eventsOf(run, ({ type }) => type === 'skills.shown'),
      ...eventsOf(run, ({ type }) => type.startsWith('consent.')),
    ],
  },
  // The problems that the host receives.
  {
    id: 'problems',
    read: (run) =>
      run.problems.map(({ code, skill, message }, index) => [
        `problem ${index + 1}`,
        json({ code, skill, message: worded(message, run) }),
      ]),
  },
  // The model and the tokens of each model call, as the audit has them.
  {
    id: 'usage',
    read: usage,
  },
]

/** Clients name the dialect of a schema, and close one that says nothing of other properties. */
function whole(schema: unknown): string {
  const { additionalProperties = false, $schema: _, ...others } = schema as Readonly<Record<string, unknown>>
  return json({ required: [], ...others, additionalProperties })
}

/** Reads every request of every conversation. */
function eachRequest(
  { conversations }: Run,
  read: (request: Conversation['exchanges'][number]['request'], at: string) => readonly Seen[],
): readonly Seen[] {
  return conversations.flatMap(({ name, exchanges }) =>
    exchanges.flatMap(({ request }, index) => read(request, `request ${index + 1} of ${name}`)),
  )
}

/** The text of each call's result if it is first shown, by the id of the call. */
function firstResults({ exchanges }: Conversation, run: Run): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { request } of exchanges) {
    for (const message of readMessages(request.messages, run)) {
      if (message.role === 'tool' && !texts.has(message.callId)) texts.set(message.callId, message.text)
    }
  }
  return texts
}

function asLine(message: ReturnType<typeof readMessages>[number], results: ReadonlyMap<string, string>): string {
  if (message.role === 'user')
    return message.isWritten ? `person: ${json(message.text)}` : `session: ${textBehind(message.text)}`
  if (message.role === 'assistant') {
    const { text, calls, reasoning } = message
    return `model: ${json({ text, calls, ...(reasoning !== undefined && { reasoning }) })}`
  }
  const { callId, text } = message
  return `result of ${callId}: ${results.get(callId) === text ? 'as before' : json(text)}`
}

/** Leaves out the words of frameworks and clients: for a call denied or stopped, an error, a count of tokens. */
function worded(text: string, { errors }: Run): string {
  if (text.includes(DENIED)) return '(denied by a person)'
  if (text.includes(UNATTENDED_REASON) || text.includes('runs unattended and cannot ask'))
    return '(nobody can be asked)'
  if (text.includes(STOPPED) || text.includes('was stopped')) return '(stopped)'
  const error = errors.find((each) => text.includes(each))
  // Why a sub-agent has come to no end is for its framework to say.
  if (error === undefined && text.includes('FORK_FAILED')) return text.replace(/(ran without a result: ).*/, '$1…')
  if (error === undefined) return text.replaceAll(/about \d+ tokens/g, 'about so many tokens')
  const before = text.slice(0, text.indexOf(error))
  return `${before.slice(0, before.lastIndexOf(': ') + 2)}${error}`
}

/**
 * What side by side calls begin depends on the framework's timing: it is put into the order of the calls, or of what
 * they are, where ids do not tell calls apart.
 */
function inOrderOfCalls(runs: Run['toolRuns'], run: Run): Run['toolRuns'] {
  const rank = ({ callId, ...ran }: Run['toolRuns'][number]) => (run.hasUniqueIds ? placeOf(callId, run) : json(ran))
  return runs.toSorted((one, other) => one.at - other.at || compare(rank(one), rank(other)))
}

/** The place of a call among those of the model; behind all of them: the adapter has made it up. */
function placeOf(id = '', { callIds }: Run): number {
  return callIds.includes(id) ? callIds.indexOf(id) : callIds.length
}

/** These depend on streams, or have their own lines. */
function isTold(type: AuditEvent['type']): boolean {
  return type === 'model.called' || type === 'skills.shown' || type.startsWith('consent.')
}

/** The events of some kinds: one session after the other, one step after the other, in the order of their calls. */
function eventsOf(run: Run, isWanted: (event: AuditEvent) => boolean): readonly Seen[] {
  const steps = new Map<string, number>()
  const placed = run.events.map((event) => {
    const step = (steps.get(event.session) ?? 0) + (event.type === 'skills.shown' ? 1 : 0)
    steps.set(event.session, step)
    return { event, step, rank: run.hasUniqueIds ? placeOf(event.callId, run) : json(facts(event, run)) }
  })
  const sorted = placed
    .filter(({ event }) => isWanted(event))
    .toSorted(
      (one, other) =>
        compare(sessionName(one.event.session, run), sessionName(other.event.session, run)) ||
        one.step - other.step ||
        compare(one.rank, other.rank),
    )
  return sorted.map(({ event, step }) => [
    `the event ${event.type} of ${sessionName(event.session, run)}, step ${step}`,
    // Core has made both, with their fields in one order.
    JSON.stringify(facts(event, run)),
  ])
}

function compare<T>(one: T, other: T): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function isJudged(type: AuditEvent['type']): boolean {
  return type.startsWith('tool.') || type.startsWith('restriction.')
}

/** The id of a call that the model has made; undefined: the adapter has made it up, as for what a person invokes. */
function scripted(id: string | undefined, run: Run): string | undefined {
  return run.hasUniqueIds && run.callIds.includes(id ?? '') ? id : undefined
}

/** The name of a session: that of a sub-agent ends in the id of its call. */
function sessionName(session: string, run: Run): string {
  const [task = '', ...calls] = session.split('/')
  return [task, ...calls.map((id) => scripted(id, run) ?? 'a call')].join('/')
}

/** An event without what differs from run to run. */
function facts(event: AuditEvent, run: Run): object {
  const { type, session, callId, model = '', tool, skills, error, reason, shown, consent, window } = event
  return {
    ...event,
    time: undefined,
    version: undefined,
    durationMs: undefined,
    session: sessionName(session, run),
    callId: scripted(callId, run),
    // What comes before a model call in its process belongs to none.
    model: type === 'skills.shown' ? (run.models[model] ?? model) : undefined,
    tool: tool?.toLowerCase(),
    // What its neighbours have activated by then is a matter of time, except for calls that are judged by it.
    skills: isJudged(type) ? skills.map(({ name }) => name) : undefined,
    error: error && worded(error, run),
    reason: reason && worded(reason, run),
    // After a run that failed, a framework may count steps from what it has kept.
    shown: shown && { ...shown, tokens: undefined, step: undefined },
    consent: consent && { ...consent, request: undefined },
    window: window && { by: window.by, messages: window.messages, skills: window.skills },
  }
}

/** Each `model.called`, with the request whose tokens it has, or with tokens that the endpoint has counted for none. */
function usage(run: Run): readonly Seen[] {
  const counted = run.conversations.flatMap(({ name, exchanges }) =>
    exchanges.flatMap(({ tokens }, index) => (tokens ? { tokens, of: `request ${index + 1} of ${name}` } : [])),
  )
  const tokensOf = ({ inputTokens, outputTokens }: NonNullable<AuditEvent['usage']>): unknown => {
    const used = { inputTokens, outputTokens }
    const at = counted.findIndex(({ tokens }) => isDeepStrictEqual(tokens, used))
    return at === -1 ? used : `those of ${counted.splice(at, 1)[0]!.of}`
  }
  // Model calls of sub-agents whose calls no id tells apart are put into the order of what they are.
  const rankOf = ({ session, skills }: Pick<AuditEvent, 'session' | 'skills'>): string =>
    run.hasUniqueIds ? session : json([session, skills.map(({ name }) => name)])
  const calls = run.events
    .filter(({ type }) => type === 'model.called')
    .map((event) => ({ ...event, session: sessionName(event.session, run) }))
    .toSorted((one, other) => compare(rankOf(one), rankOf(other)))
  const told = calls.map(({ session, model = '', skills, usage: used }): Seen => {
    const [named, tokens] = [run.models[model] ?? model, used && tokensOf(used)]
    return [session, json({ model: named, skills: skills.map(({ name }) => name), tokens })]
  })
  const sorted = run.hasUniqueIds ? told : told.toSorted(([, one], [, other]) => compare(one, other))
  return sorted.map(([session, text], index) => [`model call ${index + 1}, of ${session}`, text])
}

/** JSON with its keys in order. */
function json(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => compare(one, other)))
        : each,
    ) ?? 'undefined'
  )
}
