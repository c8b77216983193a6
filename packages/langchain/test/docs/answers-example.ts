import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { consentRequests, resumeWith } from '@repertoire/langchain'
import type { createAgent } from 'langchain'

/** Asks about everything that a thread waits for, and continues until nothing is left. */
export async function answerAll(
  agent: ReturnType<typeof createAgent>,
  thread: string,
  ask: (request: ConsentRequest) => Promise<ConsentAnswer>,
): Promise<void> {
  const config = { configurable: { thread_id: thread } }
  for (;;) {
    const pending = await consentRequests(agent, config)
    if (pending.length === 0) return
    const answers: ConsentAnswer[] = []
    for (const { request } of pending) answers.push(await ask(request))
    await agent.invoke(resumeWith(pending, answers), config)
  }
}
