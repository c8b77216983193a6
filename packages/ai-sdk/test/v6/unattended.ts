import process from 'node:process'
import { memorySource, openRepertoire } from '@repertoire/core'
import { openModelEndpoint } from '@repertoire/conformance'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { withSkills } from '../../src/v6/index.ts'

/** Prints which tools of a sub-agent ran: one needs approval, which nobody can give there. */
const endpoint = await openModelEndpoint()
const { baseURL, apiKey, model } = endpoint.play([
  { calls: [{ tool: 'activate_skill', input: { name: 'ship' } }] },
  {
    calls: [
      { tool: 'Deploy', input: {} },
      { tool: 'Check', input: {} },
    ],
  },
  { text: 'Shipped.' },
  { text: 'Done.' },
])
const skills = { ship: { 'SKILL.md': '---\nname: ship\ndescription: Ships.\ncontext: fork\n---\nShip it.\n' } }
const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
const ran: string[] = []
const noting = (name: string, needsApproval: boolean) =>
  tool({
    description: name,
    inputSchema: jsonSchema({ type: 'object' }),
    needsApproval,
    execute: () => {
      ran.push(name)
      return 'ok'
    },
  })
const provider = createOpenAICompatible({ name: 'local', baseURL, apiKey })
// Its types here are those of version 7.
await generateText({
  model: provider(model),
  prompt: 'Hello',
  stopWhen: stepCountIs(5),
  ...withSkills(repertoire.openSession({ consent: () => true }), {
    subagents: { default: { tools: { Deploy: noting('Deploy', true), Check: noting('Check', false) } } },
  }),
})
process.stdout.write(JSON.stringify(ran))
await repertoire.close()
await endpoint.close()
