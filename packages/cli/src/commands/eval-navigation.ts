import type { EvalCase, EvalRun } from '@repertoire/evals'

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

/** Counts by model how many paths led nowhere, how many scripts were read, and how many tokens a task took. */
export function figuresOf(runs: readonly EvalRun[]) {
  const models = [...Map.groupBy(runs, ({ model }) => model)].map(([model, all]) => {
    const events = all.flatMap((run) => run.events)
    const files = events.filter(({ type, missing }) => FILE_CALLS.has(type) || missing !== undefined)
    const tokens = all.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0)
    return {
      model,
      runs: all.length,
      files: files.length,
      missing: files.filter(({ code, missing }) => code === 'RESOURCE_NOT_FOUND' || missing !== undefined).length,
      scriptsRead: events.filter(({ type }) => type === 'script_read.blocked').length,
      tokensPerRun: Math.round(tokens / all.length),
    }
  })
  const counted = models.map(({ tokensPerRun }) => tokensPerRun)
  return { models, tokenSpread: Math.max(0, Math.max(...counted) / Math.max(1, Math.min(...counted)) - 1) }
}

/** Says the figures, each with its limit. */
export function navigationText({ models, tokenSpread }: ReturnType<typeof figuresOf>): string {
  const lines = models.map(
    ({ model, runs, files, missing, scriptsRead, tokensPerRun }) =>
      `${model}: ${missing} of ${files} paths led nowhere (at most 5 %), ${scriptsRead} scripts read (none), ` +
      `${tokensPerRun} tokens a run, ${runs} runs`,
  )
  return `${[...lines, `Tokens between models differ by ${(tokenSpread * 100).toFixed(0)} % (at most 20 %).`].join('\n')}\n`
}
