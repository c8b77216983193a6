/**
 * Takes up, as a process that knows nothing else, what another one left of a thread: reads it as JSON, answers the
 * open question with a yes, and prints what the model then said and which skills are active.
 */
import { readFile } from 'node:fs/promises'
import { memorySource } from '@repertoire/core'
import { langchainDriver } from '../src/conformance.ts'
import { openSkills } from './setup.ts'

const [path = '', baseURL = '', apiKey = '', stateKey = ''] = process.argv.slice(2)
const { saved, requestId, skills } = JSON.parse(await readFile(path, 'utf8'))
const conversation = await langchainDriver.start({
  variant: 'invoke',
  endpoint: { baseURL, apiKey, model: 'conformance-model' },
  repertoire: await openSkills({ stateKey, sources: [memorySource({ layer: 'project', id: 'tests', skills })] }),
  session: {},
  instructions: 'Be careful.',
  tools: [],
  maxSteps: 5,
  saved,
})
const turn = await conversation.answer([{ requestId, approved: true }])
console.log(JSON.stringify({ turn, active: await conversation.active() }))
