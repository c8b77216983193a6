import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ModelEndpoint, openModelEndpoint, type ScriptStep } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire, type Repertoire, type SessionStore } from '@repertoire/core'
import {
  AbstractChat,
  type Agent,
  type ChatState,
  createAgentUIStreamResponse,
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type LanguageModel,
  tool,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { z } from 'zod'

/** The `skillsAgent` of either version. */
type MakeAgent = (options: {
  readonly model: LanguageModel
  readonly tools: ToolSet
  readonly maxRetries: number
  readonly repertoire: Repertoire
  readonly sessions: SessionStore
  readonly session: object
}) => Agent<any, any>

/** What a chat looks like afterwards. */
export interface Played {
  /** What the page shows last, after each message and each answer: a text, or an error. */
  readonly said: readonly string[]
  readonly ran: readonly string[]
  /** The texts of the results that the model was shown last. */
  readonly results: readonly string[]
  /** The states of all calls in the page. */
  readonly states: readonly string[]
}

interface Answers {
  readonly say: (text: string) => Promise<void>
  /** Answers the first card that waits. */
  readonly press: (approved: boolean) => Promise<void>
  /** The skills that later requests find. */
  readonly publish: (skills: Readonly<Record<string, string>>) => void
}

const both = (name: string, ...inputs: readonly object[]): ScriptStep => ({
  calls: inputs.map((input) => ({ tool: name, input })),
})
const activate = (...names: readonly string[]): ScriptStep => both('activate_skill', ...names.map((name) => ({ name })))
const texts = ['One.', 'Two.', 'Three.'].map((text) => ({ text }))

/** Chats in which answers come late, in part, or for a folder that has changed, as the AI SDK's own chat plays them. */
const CHATS: Readonly<Record<string, { script: readonly ScriptStep[]; play: (chat: Answers) => Promise<void> }>> = {
  'a late yes': { script: [activate('careful'), ...texts], play: late('Go', true) },
  'a late no': { script: [activate('careful'), ...texts], play: late('Go', false) },
  'a late yes to a /name': { script: texts, play: late('/careful', true) },
  'a yes to one of two activations': { script: [activate('careful', 'brisk'), ...texts], play: one(true) },
  'a no to one of two activations': { script: [activate('careful', 'brisk'), ...texts], play: one(false) },
  'a yes to one of two tools': { script: [both('Wipe', { at: 1 }, { at: 2 }), ...texts], play: one(true) },
  'a no to one of two tools': { script: [both('Wipe', { at: 1 }, { at: 2 }), ...texts], play: one(false) },
  'a yes to a folder that has changed': {
    script: [activate('careful'), activate('careful'), ...texts],
    async play({ say, publish, press }) {
      await say('Go')
      publish({ careful: 'LOOK TWICE.' })
      await press(true)
      await press(true)
    },
  },
  'a yes to a skill that is gone': {
    script: [activate('careful'), ...texts],
    async play({ say, publish, press }) {
      await say('Go')
      publish({})
      await press(true)
    },
  },
}

function late(opening: string, approved: boolean) {
  return async ({ say, press }: Answers): Promise<void> => {
    await say(opening)
    await say('Never mind.')
    await press(approved)
    await say('Hello?')
  }
}

function one(approved: boolean) {
  return async ({ say, press }: Answers): Promise<void> => {
    await say('Go')
    await press(approved)
    await say('Never mind.')
    await say('Hello?')
  }
}

/** Plays all chats. */
export async function playChats(skillsAgent: MakeAgent): Promise<Record<string, Played>> {
  const endpoint = await openModelEndpoint()
  const played: Record<string, Played> = {}
  for (const [name, { script, play }] of Object.entries(CHATS))
    played[name] = await playChat(skillsAgent, endpoint, script, play)
  await endpoint.close()
  return played
}

async function playChat(
  skillsAgent: MakeAgent,
  endpoint: ModelEndpoint,
  script: readonly ScriptStep[],
  play: (chat: Answers) => Promise<void>,
): Promise<Played> {
  const model = endpoint.play(script)
  const provider = createOpenAICompatible({ name: 'loopback', baseURL: model.baseURL, apiKey: model.apiKey })
  const sessions = memorySessions()
  const session = { onProblem: () => undefined }
  const [said, ran]: [string[], string[]] = [[], []]
  const Wipe = tool({
    inputSchema: z.object({ at: z.number() }),
    needsApproval: true,
    execute: ({ at }) => void ran.push(`Wipe ${at}`),
  })
  let published: Readonly<Record<string, string>> = { careful: 'LOOK FIRST.', brisk: 'BE QUICK.' }
  let error: string | undefined
  const chat = new Chat({
    id: 'c',
    state: new State(),
    transport: new DefaultChatTransport({
      api: 'http://chat.test',
      async fetch(_, init) {
        const { messages } = JSON.parse(init?.body as string) as { messages: UIMessage[] }
        const skills = Object.fromEntries(
          Object.entries(published).map(([name, body]) => [
            name,
            { 'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n---\n${body}\n` },
          ]),
        )
        const repertoire = await openRepertoire({ sources: [memorySource({ skills })], sessionSecret: 'a secret' })
        const agent = skillsAgent({
          model: provider(model.model),
          tools: { Wipe },
          maxRetries: 0,
          repertoire,
          sessions,
          session,
        })
        return createAgentUIStreamResponse({
          agent,
          uiMessages: messages,
          options: { session: 'c' },
          onError: (cause) => (error = String(cause)),
        })
      },
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: () => undefined,
  })
  const calls = () => chat.messages.flatMap(({ parts }) => parts.filter(isToolUIPart))
  const answered = async (work: () => void | PromiseLike<void>): Promise<void> => {
    error = undefined
    await work()
    while (chat.status === 'submitted' || chat.status === 'streaming') await chat.settled()
    const last = chat.messages.at(-1)?.parts.findLast(({ type }) => type === 'text' || type.includes('tool'))
    said.push(last?.type === 'text' ? last.text : (error ?? ''))
  }
  await play({
    say: (text) => answered(() => chat.sendMessage({ text })),
    press: (approved) =>
      answered(() => {
        const card = calls().find(({ state }) => state === 'approval-requested')
        return chat.addToolApprovalResponse({ id: card?.approval?.id ?? 'none', approved })
      }),
    publish: (skills) => (published = skills),
  })
  const results = model.requests.at(-1)!.messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
  return { said, ran, results, states: calls().map(({ state }) => state) }
}

class Chat extends AbstractChat<UIMessage> {
  #settled = Promise.withResolvers<void>()
  /** Resolves when the status changes. */
  settled(): Promise<void> {
    return this.#settled.promise
  }
  protected override setStatus(change: Parameters<AbstractChat<UIMessage>['setStatus']>[0]): void {
    super.setStatus(change)
    this.#settled.resolve()
    this.#settled = Promise.withResolvers()
  }
}

class State implements ChatState<UIMessage> {
  status: ChatState<UIMessage>['status'] = 'ready'
  error = undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage): void => void (this.messages = [...this.messages, message])
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1))
  replaceMessage = (index: number, message: UIMessage): void =>
    void (this.messages = this.messages.with(index, structuredClone(message)))
  snapshot = <T>(value: T): T => structuredClone(value)
}
