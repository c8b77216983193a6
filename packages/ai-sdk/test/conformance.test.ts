import { describeConformance } from '@repertoire/conformance/vitest'
import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, test } from 'vitest'
import { activate, CAREFUL, useEndpoint } from './task.ts'
import { aiSdkDriver } from '../src/conformance.ts'

describeConformance(aiSdkDriver)

const endpoint = useEndpoint()

test.each(aiSdkDriver.variants)(
  '[GATE-5] $name: what an answer set going stays in a conversation whose run failed',
  async ({ name, protocol }) => {
    const script = [activate('careful'), { status: 400, message: 'Out of order.' }, { text: 'Done.' }]
    const play = endpoint().play(script, { protocol })
    const conversation = await aiSdkDriver.start({
      variant: name,
      endpoint: play,
      repertoire: await openRepertoire({ sources: [memorySource({ layer: 'project', skills: CAREFUL })] }),
      session: {},
      instructions: 'Be brief.',
      tools: [],
      maxSteps: 5,
    })
    const turn = await conversation.send('Hello')
    if (turn.status !== 'asking') throw new Error(`Not asked, but ${JSON.stringify(turn)}`)
    await expect(conversation.answer([{ requestId: turn.requests[0]!.id, approved: true }])).rejects.toThrow(
      'Out of order.',
    )
    expect(await conversation.active()).toEqual(['careful'])
    expect(await conversation.send('Go on')).toEqual({ status: 'done', text: 'Done.' })
    expect(play.requests.at(-1)!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(play.requests.at(-1)!.messages[2]!.text).toContain('LOOK FIRST.')
    await conversation.end()
  },
)

test.each(aiSdkDriver.variants)('[LLM-1] $name streams where it says so', async ({ name, protocol }) => {
  const play = endpoint().play([activate('careful'), { text: 'Done.' }], { protocol })
  const conversation = await aiSdkDriver.start({
    variant: name,
    endpoint: play,
    repertoire: await openRepertoire({ sources: [memorySource({ layer: 'project', skills: CAREFUL })] }),
    session: { consent: () => true },
    instructions: 'Be brief.',
    tools: [],
    maxSteps: 5,
  })
  expect(await conversation.send('Hello')).toEqual({ status: 'done', text: 'Done.' })
  const streams = /stream/.test(name)
  expect(play.requests.map(({ stream }) => stream)).toEqual([streams, streams])
  await conversation.end()
})
