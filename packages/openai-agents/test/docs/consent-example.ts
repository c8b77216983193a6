import type { Agent, RunState, Session } from '@openai/agents'
import type { ConsentAnswer } from '@repertoire/core'
import type { SkillsRunner } from '@repertoire/openai-agents'

type Input = string | RunState<any, any>

/** Runs a chat on. Returns the text, or the requests that it now waits for, and its state. */
export async function goOn(skills: SkillsRunner, agent: Agent<any, any>, session: Session, input: Input) {
  const chat = skills.task(await session.getSessionId())
  const result = await chat.run(agent, input, { session })
  const pending = await chat.requests(result.state)
  if (pending.length === 0) return { text: String(result.finalOutput) }
  return { requests: pending.map(({ request }) => request), state: result.state.toString() }
}

/** Later, also in another process. */
export async function addAnswers(
  skills: SkillsRunner,
  agent: Agent<any, any>,
  session: Session,
  { state, answers }: { readonly state: string; readonly answers: readonly ConsentAnswer[] },
) {
  const chat = skills.task(await session.getSessionId())
  const waiting = await chat.restore(agent, state)
  await chat.answer(waiting, answers)
  return goOn(skills, agent, session, waiting)
}
