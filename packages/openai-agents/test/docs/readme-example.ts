import type { Agent, Session } from '@openai/agents'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { skillsRunner } from '@repertoire/openai-agents'

/** Returns a function that answers a message of a chat, whose history the SDK's `session` keeps. */
export async function openChat(agent: Agent) {
  const repertoire = await openSkills('.agents/skills')
  const skills = skillsRunner({ repertoire, sessions: memorySessions() })

  return async (session: Session, message: string) => {
    const result = await skills.run(agent, message, { session, stream: true })
    for await (const text of result.toTextStream()) process.stdout.write(text)
    await result.completed
    // What waits for a person: `result.state.approve(interruption)`, and run on with `result.state`.
    return result
  }
}
