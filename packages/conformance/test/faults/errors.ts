import type { Session } from '@repertoire/core'
import { type Fault, results, system, ungated, without } from './break.ts'

/** Reads the arguments of calls in another way. */
const inputs =
  (read: (input: unknown) => unknown) =>
  (session: Session): Partial<Session> => ({
    call: (call, execute, options) => session.call({ ...call, input: read(call.input) }, execute, options),
  })

const isEmpty = (input: unknown): boolean => input instanceof Object && Object.keys(input).length === 0

const withoutKey = (input: unknown, unwanted: string): unknown =>
  JSON.parse(
    JSON.stringify(input, (_, value: unknown) =>
      value instanceof Object && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== unwanted))
        : value,
    ),
  )

/** A call in a message that is sent back. */
interface WrittenCall {
  readonly function: { readonly name: string; readonly arguments: string }
}

export const errorsFaults: readonly Fault[] = [
  {
    wrong: 'wraps what a tool throws into words of its own',
    caughtBy: ['errors-tool-throws', 'gate-after-throwing-tool'],
    body: results((text) => (text.includes('on fire') ? `Error: ${text}\n Please fix your mistakes.` : text)),
  },
  {
    wrong: 'turns every result into a string as JavaScript does',
    caughtBy: ['errors-odd-results'],
    body: results((text) => (text.startsWith('{"b"') ? '[object Object]' : text)),
  },
  {
    wrong: 'parses a result that looks like JSON, and writes it anew',
    caughtBy: ['errors-odd-results'],
    body: results((text) => (text.startsWith('{ "size"') ? JSON.stringify(JSON.parse(text)) : text)),
  },
  {
    wrong: 'offers the skill tools before those of the host',
    caughtBy: ['listing-host-tools-kept'],
    body: (body) => ({ ...body, tools: (body.tools ?? []).toReversed() }),
  },
  {
    wrong: 'swallows the errors of the endpoint',
    caughtBy: ['errors-endpoint-fails', 'cleanup-after-error'],
    conversation: (conversation) => ({
      send: (text, options) => conversation.send(text, options).catch(() => ({ status: 'done', text: '' }) as const),
    }),
  },
  {
    wrong: 'stops at the first broken skill',
    caughtBy: ['errors-broken-neighbour'],
    session: system((text) => text.replace(/<skill name="omega.*\n/, '')),
  },
  {
    wrong: 'reads a malformed rule as one that allows everything',
    caughtBy: ['errors-malformed-rules'],
    body: results((text) => (text.includes('SKILL_NOT_FOUND') ? '<skill_content name="open">' : text)),
  },
  {
    wrong: 'takes arguments that are broken off for none',
    caughtBy: ['errors-hostile-texts', 'navigation-arguments-as-text'],
    session: inputs((input) => (typeof input === 'string' && input.startsWith('{') ? {} : input)),
  },
  {
    wrong: 'takes a list for no arguments',
    caughtBy: ['errors-hostile-texts'],
    session: inputs((input) => (Array.isArray(input) ? {} : input)),
  },
  {
    wrong: 'takes arguments that are null for none',
    caughtBy: ['errors-null-arguments'],
    session: inputs((input) => input ?? {}),
  },
  {
    wrong: 'hands a tool nothing where it is called without arguments',
    caughtBy: ['errors-no-arguments'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call,
          (judged) => execute?.({ ...judged, input: isEmpty(judged.input) ? undefined : judged.input }),
          options,
        ),
    }),
  },
  {
    wrong: 'cleans arguments of the key "__proto__", and goes on',
    caughtBy: ['errors-prototype-keys'],
    session: inputs((input) => withoutKey(input, '__proto__')),
  },
  {
    wrong: 'cleans arguments of the key "constructor", and goes on',
    caughtBy: ['errors-prototype-keys'],
    session: inputs((input) => withoutKey(input, 'constructor')),
  },
  {
    wrong: 'takes arguments that it cannot judge as allowed',
    caughtBy: ['errors-wrong-input-types'],
    session: ungated((tool, input) => tool === 'Bash' && typeof (input as { command?: unknown }).command !== 'string'),
  },
  {
    wrong: 'sends arguments back to the model as it wrote them',
    caughtBy: ['errors-hostile-texts', 'errors-null-arguments', 'navigation-arguments-as-text'],
    body: (body) => ({
      ...body,
      messages: body.messages.map((message) => {
        const calls = message['tool_calls'] as readonly WrittenCall[] | undefined
        if (calls === undefined) return message
        const written = calls.map((call) =>
          call.function.arguments === '{}' ? { ...call, function: { ...call.function, arguments: 'null' } } : call,
        )
        return { ...message, tool_calls: written }
      }),
    }),
  },
  {
    wrong: 'has a limit of its own for the model calls of a message',
    caughtBy: ['errors-step-limit'],
    task: (task) => ({ ...task, maxSteps: 20 }),
  },
  {
    wrong: 'keeps problems from the host',
    caughtBy: ['errors-problems-told'],
    options: (options) => without(options, 'onProblem'),
  },
]
