import { activate, openModelEndpoint, say } from '@repertoire/conformance'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { folderWith, skill } from '../scripted.ts'
import { evaluate } from './readme-example.ts'

test('[EVAL-5] the program of the README prints a table', async () => {
  const files = { ...skill('pdf'), 'pdf/evals/evals.json': '[{ "prompt": "Fill it.", "should_trigger": true }]' }
  const folder = folderWith(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`.agents/skills/${path}`, text])),
  )
  const endpoint = await openModelEndpoint()
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(async () => {
    process.chdir(before)
    await endpoint.close()
  })
  const steps = [activate('pdf'), say('Done.')]
  expect(await evaluate('.agents/skills/pdf', endpoint.play([...steps, ...steps, ...steps]))).toMatch(
    /pdf .* 3\/3 = 100 %/,
  )
})
