import { Agent, tool } from '@openai/agents'
import { type ConsentHandler, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { agentTool, errorFunction, skillsRunner } from '@repertoire/openai-agents'
import { z } from 'zod'

export async function answer(prompt: string, consent: ConsentHandler) {
  const status = tool({
    name: 'Status',
    description: 'Shows the state of the build.',
    parameters: z.object({ branch: z.string() }),
    execute: async ({ branch }) => `${branch} is green.`,
    errorFunction,
  })
  const reviewer = new Agent({ name: 'Reviewer', instructions: 'You review code.', tools: [status] })
  const coder = new Agent({
    name: 'Coder',
    instructions: 'You are a careful coder.',
    tools: [status, agentTool(reviewer, { toolName: 'Review', toolDescription: 'Reviews a change.' })],
    handoffs: [reviewer],
  })
  const repertoire = await openRepertoire({ sources: standardSources({ project: process.cwd() }) })
  const skills = skillsRunner({ repertoire, session: { agent: 'coder', consent } })
  const { finalOutput } = await skills.run(coder, prompt, { maxTurns: 20 })
  return finalOutput
}
