import type { ChatBody } from '../loop-driver.ts'
import { type Fault, forgetful } from './break.ts'

const systemOf = ({ messages }: ChatBody): string => String(messages[0]?.['content'])
const isSecond = (body: ChatBody): boolean => systemOf(body).includes('second agent')

const withSystem = (body: ChatBody, content: string): ChatBody => ({
  ...body,
  messages: [{ ...body.messages[0], content }, ...body.messages.slice(1)],
})

const BASH = { type: 'function', function: { name: 'Bash', description: 'Runs.', parameters: { type: 'object' } } }

export const handoffFaults: readonly Fault[] = [
  {
    wrong: 'opens another session for the agent that takes over',
    caughtBy: ['handoffs-rights', 'handoffs-activation', 'handoffs-next-message'],
    // In these checks, the second call of the session is the first after a handoff.
    session: forgetful((_, calls) => calls === 1),
  },
  {
    wrong: 'offers every tool to the agent that takes over',
    caughtBy: ['handoffs-hidden'],
    body: (body) => (isSecond(body) ? { ...body, tools: [...(body.tools ?? []), BASH] } : body),
  },
  {
    wrong: 'shows the agent that takes over its own instructions alone',
    caughtBy: ['handoffs-shown'],
    body: (body) => (isSecond(body) ? withSystem(body, 'You are the second agent.') : body),
  },
  {
    wrong: 'goes back to the first agent once a person has answered',
    caughtBy: ['handoffs-consent'],
    body(body) {
      const isAnswered = body.messages.some(({ content }) => String(content).includes('Body of the reading skill.'))
      return isAnswered ? withSystem(body, systemOf(body).replace('second agent', 'first agent')) : body
    },
  },
]
