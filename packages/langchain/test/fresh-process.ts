/**
 * Takes up, as a process that knows nothing else, what another one left of a thread: reads it as JSON, answers the open
 * question with a yes, and prints what the model then said and which skills are active; once with each session secret.
 */
import { readFile } from 'node:fs/promises'
import { isSkillError, memorySource } from '@repertoire/core'
import { langchainDriver } from '../src/conformance.ts'
import { openSkills } from './setup.ts'

const [path = '', baseURL = '', apiKey = '', ...stateKeys] = process.argv.slice(2)
const { saved, requestId, skills } = JSON.parse(await readFile(path, 'utf8'))

async function takeUp(sessionSecret: string): Promise<object> {
  const conversation = await langchainDriver.start({
    variant: 'invoke',
    endpoint: { baseURL, apiKey, model: 'conformance-model' },
    repertoire: await openSkills({ sessionSecret, sources: [memorySource({ layer: 'project', id: 'tests', skills })] }),
    session: {},
    instructions: 'Be careful.',
    tools: [],
    maxSteps: 5,
    saved,
  })
  const turn = await conversation.answer([{ requestId, approved: true }])
  return { turn, active: await conversation.active() }
}

const outcomes: object[] = []
for (const sessionSecret of stateKeys) {
  outcomes.push(
    await takeUp(sessionSecret).catch((thrown: Error) => {
      // LangGraph hands it on as the cause of its own.
      if (!isSkillError(thrown.cause)) throw thrown
      return { error: thrown.cause.code }
    }),
  )
}
console.log(JSON.stringify(outcomes))
