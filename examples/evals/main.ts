import { openSkills } from '@repertoire/core/node'
import { readEvals, renderMarkdown, skillHarness, summarise } from '@repertoire/evals'
import { createTape } from '@repertoire/evals/tape'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'
import process from 'node:process'
import { openProvider } from './model.ts'

const MIN_TRIGGERED = 0.6

// `RECORD=1 npm start` asks the provider. Without it, the recorded answers are replayed: no key, no network.
const recording = process.env['RECORD'] === undefined ? undefined : await openProvider()
const model = process.env['OPENAI_MODEL'] ?? 'scripted'
const tape = createTape({ folder: 'tape', model, record: recording?.provider })
const harness = skillHarness({
  adapter: reactLoopDriver,
  repertoire: (audit) => openSkills('skills', { audit }),
  model: tape,
})
const runs = []
for (const each of await readEvals('skills')) runs.push(await harness.run(each))
await recording?.close()

for (const { case: each, error } of runs) if (error !== undefined) console.error(`${each.id}: ${error}`)
const summary = summarise(runs)
console.log(renderMarkdown(summary))
const isGood = summary.errors === 0 && summary.skills.every(({ triggered }) => (triggered?.rate ?? 1) >= MIN_TRIGGERED)
process.exitCode = isGood ? 0 : 1
