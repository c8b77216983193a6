import { argument, type Fault, without } from './break.ts'
import { startLoop } from '../loop-driver.ts'

const INVOCATION = /^\/([\w-]+)\s*([^]*)$/

/** What an adapter does for a message that says nothing. */
const NOTHING = { activated: [], suggested: [] }

export const turnsFaults: readonly Fault[] = [
  {
    wrong: 'begins no turn',
    caughtBy: [
      'turns-invocation',
      'turns-not-invocable',
      'turns-person-only',
      'turns-invocation-consent',
      'turns-invocation-digest',
      'turns-invocation-resumed',
      'turns-suggestion',
      'turns-triggers-activate',
      'forks-invoked',
      'activation-hooks-invoked',
      'activation-mount-end',
      'audit-person',
    ],
    session: () => ({ beginTurn: () => Promise.resolve(NOTHING) }),
  },
  {
    wrong: 'puts what a turn says before the message',
    caughtBy: ['turns-invocation', 'turns-not-invocable', 'turns-suggestion', 'turns-triggers-activate'],
    body(body) {
      const at = body.messages.findIndex(
        ({ role }, index) => role === 'user' && body.messages[index + 1]?.['role'] === 'user',
      )
      if (at < 0) return body
      const [message, text] = body.messages.slice(at, at + 2)
      return { ...body, messages: body.messages.toSpliced(at, 2, text!, message!) }
    },
  },
  {
    wrong: 'puts what a turn says into the system prompt as well',
    caughtBy: ['turns-invocation', 'turns-suggestion'],
    session(session) {
      let text: string | undefined
      return {
        async beginTurn(message, options) {
          const turn = await session.beginTurn(message, options)
          text = turn.text
          return turn
        },
        reminder: async (isShown) => text ?? (await session.reminder(isShown)),
      }
    },
  },
  {
    wrong: 'takes every word behind a slash for a skill',
    caughtBy: ['turns-unknown-invocation'],
    session: (session) => ({
      async beginTurn(message, options) {
        const turn = await session.beginTurn(message, options)
        const isUnknown = message.startsWith('/') && turn.text === undefined
        return isUnknown ? { ...turn, text: 'There is no such command.' } : turn
      },
    }),
  },
  {
    wrong: 'asks nobody before a turn begins',
    caughtBy: ['turns-invocation-suspends'],
    session: () => ({ invocation: () => undefined }),
  },
  {
    wrong: 'activates for a person as for the model',
    caughtBy: ['turns-person-only', 'turns-not-invocable'],
    session: (session) => ({
      async beginTurn(message, options = {}) {
        const [, name = '', args = ''] = INVOCATION.exec(message) ?? []
        if (session.invocation(message, 'x') === undefined) return session.beginTurn(message, options)
        const call = { id: 'turn', tool: 'activate_skill', input: { name, args } }
        const { text } = await session.call(call, () => undefined, { signal: options.signal, fork: options.fork })
        return { ...NOTHING, ...(text !== undefined && { text }) }
      },
    }),
  },
  {
    wrong: 'activates for the model as for a person',
    caughtBy: ['turns-person-only'],
    session: (session) => ({
      call: (call, execute, options) =>
        call.tool === 'activate_skill'
          ? session.activate(argument(call.input, 'name'), { id: call.id, ...options })
          : session.call(call, execute, options),
    }),
  },
  {
    wrong: 'forgets what a person passes to a skill',
    caughtBy: ['turns-invocation', 'turns-invocation-consent'],
    session: (session) => ({
      beginTurn: (message, options) => session.beginTurn(message.replace(INVOCATION, '/$1'), options),
    }),
  },
  {
    wrong: 'asks anew which skills fit behind every result',
    caughtBy: ['turns-suggestion', 'turns-suggestion-suspended'],
    body(body) {
      const suggestion = body.messages.find(({ content }) => String(content).startsWith('Skills that may fit'))
      const isBehindResult = body.messages.at(-1)?.['role'] === 'tool'
      return suggestion && isBehindResult ? { ...body, messages: [...body.messages, suggestion] } : body
    },
  },
  {
    wrong: 'drops what the host wants of triggers',
    caughtBy: ['turns-triggers-off', 'turns-triggers-activate'],
    options: (options) => without(options, 'turns'),
  },
  {
    wrong: 'shows no reminder',
    caughtBy: ['turns-reminder', 'turns-reminder-resumed'],
    session: () => ({ reminder: () => Promise.resolve(undefined) }),
  },
  {
    wrong: 'reminds of what stands in the conversation still',
    caughtBy: ['turns-reminder-given-back', 'turns-invocation', 'activation-once-in-context'],
    session: (session) => ({ reminder: () => session.reminder(() => false) }),
  },
  {
    wrong: 'puts the reminder before the list of skills',
    caughtBy: ['turns-reminder', 'turns-reminder-resumed'],
    session(session) {
      let reminder: string | undefined
      return {
        async reminder(isShown) {
          reminder = await session.reminder(isShown)
          return reminder === undefined ? undefined : `${reminder}\n\nEnd of the reminder.`
        },
      }
    },
  },
  {
    wrong: 'loses its skills with its messages',
    caughtBy: ['turns-reminder', 'turns-reminder-given-back'],
    conversation(first, task) {
      let current = first
      return {
        send: (text, options) => current.send(text, options),
        active: () => current.active(),
        end: () => current.end(),
        forget: () => Promise.resolve(void (current = startLoop(task))),
      }
    },
  },
]
