import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { memorySource } from '../../src/index.ts'
import { longTask, promptOf } from '../session/window/window-world.ts'
import { openForModel, openWithSummaries } from './long-conversations-example.ts'

const sources = [memorySource({ layer: 'project', skills: {} })]
const request = { system: undefined, tools: [], messages: longTask(200, 1_000) }

it('[WIN-2, WIN-5] shows on the page of long conversations a program that keeps to a window, and one with summaries of its own', async () => {
  const plain = openAdapterSession(await openForModel(sources, 200_000))
  // The summary, what the person said, and the last ten messages.
  expect((await promptOf(await plain.step({ tools: [] }), request)).messages).toHaveLength(12)
  const asked: string[] = []
  const own = await openWithSummaries(sources, async (system, prompt) => {
    asked.push(system, prompt)
    return 'Many files were read.'
  })
  const session = openAdapterSession(own)
  expect((await promptOf(await session.step({ tools: [] }), request)).messages).toHaveLength(22)
  expect(asked).toHaveLength(2)
  expect(session.state.summary?.text).toBe('Many files were read.')
})

it('[WIN-1] does nothing where no window was asked for', async () => {
  const { openRepertoire } = await import('../../src/index.ts')
  const session = openAdapterSession(await openRepertoire({ sources }))
  expect((await promptOf(await session.step({ tools: [] }), request)).messages).toBe(request.messages)
})
