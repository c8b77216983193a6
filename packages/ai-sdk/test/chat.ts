import {
  memorySessions,
  memorySource,
  type MemorySourceOptions,
  openRepertoire,
  type Repertoire,
  type RepertoireOptions,
  withStoredSession,
} from '@repertoire/core'
import { type Agent, createAgentUIStream, isToolUIPart, readUIMessageStream, type ToolSet, type UIMessage } from 'ai'
import { skillsAgent, type SkillsAgentOptions, type SkillsCall } from '../src/index.ts'
import { CAREFUL, modelOf, notingTools, type useEndpoint } from './task.ts'

const REVIEW = '---\nname: review\ndescription: Reviews.\ncontext: fork\nagent: reviewer\n---\nREVIEW IT.\n'
const BY_HAND =
  '---\nname: by-hand\ndescription: By hand.\ndisable-model-invocation: true\n---\nDO IT BY HAND: $ARGUMENTS\n'
export const SKILLS = { ...CAREFUL, review: { 'SKILL.md': REVIEW }, 'by-hand': { 'SKILL.md': BY_HAND } }

export const open = (
  skills: MemorySourceOptions['skills'] = SKILLS,
  options?: Partial<RepertoireOptions>,
): Promise<Repertoire> =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills })], sessionSecret: 'secret', ...options })

type Endpoint = ReturnType<ReturnType<typeof useEndpoint>>
type Script = Parameters<Endpoint['play']>[0]

/** An agent with a store, whose model plays a script; and another machine's, over the same store. */
export async function chat(endpoint: Endpoint, script: Script, options: Partial<SkillsAgentOptions<ToolSet>> = {}) {
  const play = endpoint.play(script)
  const { runs, tools } = notingTools()
  const sessions = memorySessions()
  const machine = async (skills?: MemorySourceOptions['skills']) => {
    const settings = {
      model: modelOf(play),
      tools,
      maxRetries: 0,
      repertoire: await open(skills),
      ...options,
      sessions,
    }
    return skillsAgent<ToolSet>(settings)
  }
  const repertoire = await open()
  const active = (id = 'c') =>
    withStoredSession(repertoire, { store: sessions, id }, async ({ activeSkills }) => activeSkills)
  return { play, runs, agent: await machine(), machine, active, sessions, repertoire }
}

export const options = { session: 'c' }

/** A chat as a browser has it: each request sends all messages, to whichever machine. */
export function browser(machine: () => Promise<Agent<SkillsCall, ToolSet>>) {
  const messages: UIMessage[] = []
  async function request(on = machine): Promise<UIMessage> {
    const stream = await createAgentUIStream({ agent: await on(), uiMessages: structuredClone(messages), options })
    const last = messages.at(-1)
    let answer = last?.role === 'assistant' ? messages.pop() : undefined
    const from = answer && { message: answer }
    for await (const state of readUIMessageStream({ ...from, stream: stream as ReadableStream })) answer = state
    messages.push(answer!)
    return answer!
  }
  return {
    send: (text: string): Promise<UIMessage> => {
      messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] })
      return request()
    },
    /** Answers what the last message asks, as `addToolApprovalResponse` does. */
    answer: (approved: boolean, on?: typeof machine): Promise<UIMessage> => {
      const last = messages.at(-1)!
      for (const part of last.parts) {
        if (!('approval' in part) || part.state !== 'approval-requested') continue
        Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved } })
      }
      return request(on)
    },
  }
}

export const textOf = ({ parts }: UIMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
export const callsOf = ({ parts }: UIMessage) => parts.filter(isToolUIPart)
export const questions = ({ parts }: UIMessage): (string | undefined)[] =>
  parts.flatMap((part) => ('approval' in part && part.state === 'approval-requested' ? [JSON.stringify(part)] : []))
