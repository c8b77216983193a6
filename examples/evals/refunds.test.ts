import { openSkills } from '@repertoire/core/node'
import { readEvals, skillHarness } from '@repertoire/evals'
import { withTape } from '@repertoire/evals/vitest'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'
import process from 'node:process'
import { expect, test } from 'vitest'

const { RECORD, OPENAI_API_KEY: apiKey, OPENAI_MODEL = 'scripted' } = process.env
const record = RECORD === undefined ? undefined : { baseURL: 'https://api.openai.com/v1', apiKey }
const cases = await readEvals('skills')

test.each(cases.filter(({ shouldTrigger }) => shouldTrigger === false))('no refund for: $prompt', async (each) => {
  await withTape({ folder: 'tape', model: OPENAI_MODEL, record }, async (model) => {
    const harness = skillHarness({
      adapter: reactLoopDriver,
      repertoire: (audit) => openSkills('skills', { audit }),
      model,
    })
    const run = await harness.run(each)
    expect(run.activated).not.toContain('refunds')
  })
})
