import { memorySource, openRepertoire, type SessionProblem } from '@repertoire/core'
import { expect, it } from 'vitest'
import { skillsAgent, withSkills } from '../src/index.ts'
import { activate, CAREFUL, modelOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()
const open = () => openRepertoire({ sources: [memorySource({ skills: CAREFUL })] })

it('[CFG-1] names a promise that was not awaited', async () => {
  const repertoire = open()
  expect(() => skillsAgent({ model: 'vendor/model', repertoire: repertoire as never })).toThrow(
    'skillsAgent: `repertoire` is a promise. Await it, and give a repertoire',
  )
  const session = repertoire.then((opened) => opened.openSession())
  expect(() => withSkills(session as never)).toThrow('withSkills: `session` is a promise. Await it')
})

it.each(['generate', 'stream'] as const)(
  '[ASK-3, ASK-5] reports that %s ends with a request that nobody can answer',
  async (by) => {
    const problems: SessionProblem[] = []
    const model = modelOf(endpoint().play([activate('careful')]))
    const session = { onProblem: (problem: SessionProblem) => void problems.push(problem) }
    const agent = skillsAgent({ model, repertoire: await open(), session })
    const result = await agent[by]({ prompt: 'Hello' })
    if ('consumeStream' in result) await result.consumeStream()
    expect(await result.text).toBe('')
    expect(problems).toEqual([
      { code: 'CONSENT_UNATTENDED', message: expect.stringContaining('by `sessions` and an id for each call') },
    ])
  },
)
