import type { EvalCase, EvalRun } from '@repertoire/evals'
import { toJson } from '../output/json.ts'

const TASKS: Readonly<Record<string, string>> = {
  'write-a-skill': 'Make a skill that checks links in Markdown files. Say what its SKILL.md contains, and write it.',
  'review-a-skill': 'Review the skill in this folder, and say what to change first.',
  'read-by-reference':
    'Activate the skill that helps to write skills, read each file that it refers to, and sum it up.',
  'run-a-script':
    'Find a skill with a script that fits, run the script, and say what it printed. Do not read the script.',
}

const SKILL = '---\nname: links\ndescription: Helps with links.\n---\n\nCheck every link of the file.\n'

/** Tasks in which a model has to find its way in skills. */
export const NAVIGATION: readonly EvalCase[] = Object.entries(TASKS).map(([id, prompt]) => ({
  id: `navigation/${id}`,
  prompt,
  files: [{ path: 'links/SKILL.md', content: SKILL }],
  assertions: [],
  place: { file: 'navigation', line: 1 },
}))

const FILE_CALLS = new Set(['resource.read', 'resource.refused', 'script_read.blocked'])

/** Says by model how many paths led nowhere, how many scripts were read, and how many tokens a task took. */
export function navigationText(runs: readonly EvalRun[], json: boolean): string {
  const models = [...Map.groupBy(runs, ({ model }) => model)].map(([model, all]) => {
    const events = all.flatMap((run) => run.events)
    const count = (isIt: (event: EvalRun['events'][number]) => boolean): number => events.filter(isIt).length
    const tokens = all.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0)
    return {
      model,
      runs: all.length,
      failed: all.filter(({ error }) => error !== undefined).length,
      files: count(({ type, missing }) => FILE_CALLS.has(type) || missing !== undefined),
      missing: count(({ code, missing }) => code === 'RESOURCE_NOT_FOUND' || missing !== undefined),
      scriptsRead: count(({ type }) => type === 'script_read.blocked'),
      tokensPerRun: Math.round(tokens / all.length),
    }
  })
  const counted = models.map(({ tokensPerRun }) => tokensPerRun)
  const spread = counted.length === 0 ? 0 : Math.max(...counted) / Math.max(1, Math.min(...counted)) - 1
  if (json) return toJson({ models, tokenSpread: spread })
  const lines = models.map(
    ({ model, runs: all, failed, files, missing, scriptsRead, tokensPerRun }) =>
      `${model}: ${missing} of ${files} paths led nowhere (at most 5 %), ${scriptsRead} scripts read (none), ` +
      `${tokensPerRun} tokens a run, ${all} runs, ${failed} failed`,
  )
  return `${[...lines, `Tokens between models differ by ${(spread * 100).toFixed(0)} % (at most 20 %).`].join('\n')}\n`
}
