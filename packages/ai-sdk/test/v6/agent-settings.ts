import process from 'node:process'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { openModelEndpoint } from '@repertoire/conformance'
import { memorySource, openRepertoire } from '@repertoire/core'
import { jsonSchema, tool, ToolLoopAgent } from 'ai'
import { withSkills } from '../../src/v6/index.ts'

/** Prints what an agent offers with `activeTools`, and what its own repair makes of a call. */
const endpoint = await openModelEndpoint()
const play = endpoint.play([{ calls: [{ tool: 'look', input: {} }] }, { text: 'Done.' }])
const skills = { ship: { 'SKILL.md': '---\nname: ship\ndescription: Ships.\n---\nShip it.\n' } }
const repertoire = await openRepertoire({ sources: [memorySource({ skills })] })
const noting = (name: string) => tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => `${name} ran` })
const tools = { Read: noting('Read'), Write: noting('Write') }
const joined = withSkills(repertoire.openSession(), {
  tools,
  activeTools: ['Read'],
  repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: 'Read' }),
})
// Its types here are those of version 7.
const agent = new ToolLoopAgent({
  model: createOpenAICompatible({ name: 'local', baseURL: play.baseURL, apiKey: play.apiKey })(play.model),
  ...joined,
})
await agent.generate({ prompt: 'Hello' })
const offered = play.requests[0]!.tools.map(({ name }) => name)
process.stdout.write(JSON.stringify([offered, play.requests[1]!.messages.at(-1)!.text]))
await repertoire.close()
await endpoint.close()
