import { openModelEndpoint } from '@repertoire/conformance'
import { describeConformance } from '@repertoire/conformance/vitest'
import { expect, test } from 'vitest'
import { call, openSkills, say } from './setup.ts'
import { langchainDriver } from '../src/conformance.ts'

describeConformance(langchainDriver)

test.each(langchainDriver.variants)('[LLM-1] $name streams where it says so', async ({ name, protocol }) => {
  const endpoint = await openModelEndpoint()
  const play = endpoint.play([call('activate_skill', { name: 'editing' }), say], { protocol })
  const conversation = await langchainDriver.start({
    variant: name,
    endpoint: play,
    repertoire: await openSkills(),
    session: { consent: () => true },
    instructions: 'Be brief.',
    tools: [],
    maxSteps: 5,
  })
  expect(await conversation.send('Hello')).toMatchObject({ status: 'done' })
  const streams = name.startsWith('stream')
  expect(play.requests.map(({ stream }) => stream)).toEqual([streams, streams])
  await conversation.end()
  await endpoint.close()
})
