import process from 'node:process'
import { afterEach, expect, it, vi } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { HOST, open } from './session-world.ts'

const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
afterEach(() => emitWarning.mockClear())

it('[ACT-7] warns once for a repertoire of sessions that end before their runs, if nothing hears of problems', async () => {
  const { repertoire } = await open()
  for (const id of ['one', 'two']) {
    const session = openAdapterSession(repertoire, { id })
    await session.end()
    await session.step({ tools: HOST })
  }
  expect(emitWarning.mock.calls).toEqual([
    [
      expect.stringContaining('The session ended before its run'),
      expect.objectContaining({ type: 'RepertoireWarning', code: 'SESSION_ENDED_EARLY' }),
    ],
  ])
})

it('[ACT-7] warns of nothing that `onProblem` hears', async () => {
  const { session } = await open({ onProblem: () => undefined })
  await session.end()
  await session.step({ tools: HOST })
  expect(emitWarning).not.toHaveBeenCalled()
})

it('[ACT-7] goes on in a runtime without processes', async () => {
  const { session } = await open()
  await session.end()
  vi.stubGlobal('process', undefined)
  try {
    await session.step({ tools: HOST })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(emitWarning).not.toHaveBeenCalled()
})
