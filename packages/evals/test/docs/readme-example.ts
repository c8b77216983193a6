import { openSkills } from '@repertoire/core/node'
import { readEvals, renderMarkdown, skillHarness, summarise } from '@repertoire/evals'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'

/** Runs the evals of a skill three times each, and returns a report. */
export async function evaluate(skill: string, model: { baseURL: string; apiKey: string; model: string }) {
  const cases = await readEvals(skill)
  const harness = skillHarness({
    adapter: reactLoopDriver,
    repertoire: (audit) => openSkills('.agents/skills', { audit }),
    model,
  })
  const runs = []
  for (const each of cases) {
    for (const attempt of [1, 2, 3]) runs.push(await harness.run(each, { attempt }))
  }
  return renderMarkdown(summarise(runs))
}
