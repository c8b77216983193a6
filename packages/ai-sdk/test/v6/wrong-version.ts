import process from 'node:process'
import { memorySource, openRepertoire } from '@repertoire/core'
import { openModelEndpoint } from '@repertoire/conformance'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
import { withSkills } from '../../src/index.ts'

/** Prints what the entry for version 7 says where version 6 is installed. */
const endpoint = await openModelEndpoint()
const { baseURL, apiKey, model } = endpoint.play([{ text: 'Hello.' }])
const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
const provider = createOpenAICompatible({ name: 'local', baseURL, apiKey })
const said = await generateText({
  model: provider(model),
  prompt: 'Hello',
  ...withSkills(repertoire.openSession()),
}).then(
  () => 'nothing',
  (error: Error) => error.message,
)
process.stdout.write(said)
await repertoire.close()
await endpoint.close()
