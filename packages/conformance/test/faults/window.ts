import type { AdapterSession, WindowFit, WindowRequest } from '@repertoire/core/adapter'
import type { ChatMessage } from '../loop-driver.ts'
import { type Fault, without } from './break.ts'

/** Changes what is sent in the place of a conversation. */
const fitting =
  (
    change: (fit: WindowFit, request: WindowRequest) => WindowFit | undefined,
    ask = (request: WindowRequest) => request,
  ) =>
  (session: AdapterSession): Partial<AdapterSession> => ({
    async fitWindow(describe) {
      const request = ask(describe())
      const fit = await session.fitWindow(() => request)
      return fit && change(fit, request)
    },
  })

const isSummary = ({ content }: ChatMessage): boolean => String(content).startsWith('<conversation_summary>')

export const windowFaults: readonly Fault[] = [
  {
    wrong: 'sends a conversation as it is, however long',
    caughtBy: [
      'window-summary',
      'window-own-model',
      'window-failing-summary',
      'window-pinned',
      'window-evicted',
      'window-resumed',
    ],
    session: () => ({ fitWindow: async () => undefined }),
  },
  {
    wrong: 'cuts a conversation without its summary',
    caughtBy: ['window-summary', 'window-own-model', 'window-failing-summary', 'window-pinned', 'window-resumed'],
    session: fitting((fit) => ({ ...fit, messages: fit.messages.filter((each) => typeof each === 'number') })),
  },
  {
    wrong: 'gives a summary the authority of the system prompt',
    caughtBy: ['window-summary', 'window-own-model', 'window-failing-summary', 'window-pinned', 'window-resumed'],
    body: (body) => ({
      ...body,
      messages: body.messages.map((message) => (isSummary(message) ? { ...message, role: 'system' } : message)),
    }),
  },
  {
    wrong: 'takes a summary for text of its own, and does not escape it',
    caughtBy: ['window-summary'],
    body: (body) => ({
      ...body,
      messages: body.messages.map((message) =>
        isSummary(message)
          ? { ...message, content: String(message['content']).replaceAll('&lt;', '<').replaceAll('&gt;', '>') }
          : message,
      ),
    }),
  },
  {
    wrong: 'leaves the message of the person out with the oldest ones',
    caughtBy: ['window-summary', 'window-own-model', 'window-failing-summary', 'window-resumed'],
    session: fitting((fit) => ({ ...fit, messages: fit.messages.filter((each) => each !== 0) })),
  },
  {
    wrong: 'parts a call from its result',
    caughtBy: ['window-summary', 'window-failing-summary', 'window-pinned'],
    session: fitting((fit, { messages }) => ({
      ...fit,
      messages: fit.messages.filter((each) => typeof each !== 'number' || messages[each]?.calls?.length === 0),
    })),
  },
  {
    wrong: 'has no model for summaries',
    caughtBy: ['window-own-model'],
    session: fitting(
      (fit) => fit,
      (request) => without(request, 'summarize'),
    ),
  },
  {
    wrong: 'takes no section out of the system prompt',
    caughtBy: ['window-evicted'],
    session: fitting((fit) => ({ ...fit, system: (text) => text })),
  },
  {
    wrong: 'asks for the instructions of active skills before it cuts the conversation',
    caughtBy: ['window-pinned'],
    session: () => ({ reminder: async () => undefined }),
  },
  {
    wrong: 'keeps no summary in what it saves',
    caughtBy: ['window-resumed'],
    options: (options) => (options.saved === undefined ? options : without(options, 'saved')),
  },
]
