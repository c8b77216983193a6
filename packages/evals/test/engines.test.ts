import { fixtureSkills } from '@repertoire/conformance'
import { bundledSource, openRepertoire } from '@repertoire/core'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readEvals, skillHarness } from '../src/index.ts'
import { promptfooProvider, promptfooTests } from '../src/promptfoo.ts'
import { CallsInOrder, FileIs, SkillNotUsed, SkillUsed, vitestHarness } from '../src/vitest.ts'
import { activate, call, caseOf, folderWith, say, scripted, skill, skillsOf } from './scripted.ts'

const PDF = caseOf({ id: 'pdf/1', skill: 'pdf', shouldTrigger: true })
const WRITE = call('Write', { file_path: 'out.txt', content: 'Filled.' })

async function harnessOf(...script: Parameters<typeof scripted>) {
  const repertoire = skillsOf(folderWith({ ...skill('pdf'), ...skill('forms') }))
  return skillHarness({ adapter: reactLoopDriver, repertoire, model: await scripted(...script) })
}

// As vitest-evals gives it to judges, which read the run alone.
const judged = { input: PDF, output: '', toolCalls: [], session: {}, harness: undefined }

test('[EVAL-3] a run for vitest-evals, and its judges, each with a control', async () => {
  const harness = vitestHarness(
    await harnessOf(() => [activate('pdf'), call('LS', { path: '.' }), WRITE, say('Done.')]),
  )
  const run = await harness.run(PDF, {})
  expect(run.session.events.at(0)).toEqual({ type: 'message', role: 'user', content: 'Fill the form.' })
  expect(run.session.events.at(-1)).toEqual({ type: 'message', role: 'assistant', content: 'Done.' })
  expect(run.session.events.slice(1, -1)).toEqual([
    { type: 'tool_call', id: 'call-1', name: 'LS', arguments: { path: '.' } },
    { type: 'tool_call', id: 'call-2', name: 'Write', arguments: { file_path: 'out.txt', content: 'Filled.' } },
  ])
  expect(run.usage).toMatchObject({ model: 'scripted', toolCalls: 2 })
  expect(run.errors).toEqual([])
  expect(JSON.parse(JSON.stringify(run.artifacts))).toEqual(run.artifacts)
  const score = (result: { readonly score: number }) => result.score
  expect(score(SkillUsed.assess({ ...judged, run }))).toBe(1)
  expect(SkillUsed.assess({ ...judged, run, skill: 'forms' })).toMatchObject({
    score: 0,
    metadata: { rationale: expect.stringMatching(/^forms was another-chosen: The model chose pdf instead/) },
  })
  expect(score(SkillNotUsed.assess({ ...judged, run, skill: 'forms' }))).toBe(1)
  expect(score(SkillNotUsed.assess({ ...judged, run }))).toBe(0)
  expect(score(CallsInOrder.assess({ ...judged, run, calls: ['LS', 'Write'] }))).toBe(1)
  expect(score(CallsInOrder.assess({ ...judged, run, calls: ['Write', 'LS'] }))).toBe(0)
  expect(score(FileIs.assess({ ...judged, run, path: 'out.txt', content: 'Filled.' }))).toBe(1)
  expect(score(FileIs.assess({ ...judged, run, path: 'out.txt', content: 'Empty.' }))).toBe(0)
  expect(score(FileIs.assess({ ...judged, run, path: 'none.txt', content: '' }))).toBe(0)
  expect(() => SkillUsed.assess({ ...judged, run: {} })).toThrow(/Give it as the harness of describeEval/)
})

test('[EVAL-3] a run that failed is an error of the engine, and satisfies no judge', async () => {
  const harness = await harnessOf(() => [{ status: 400, message: 'Not available.' }])
  const run = await vitestHarness(harness).run(PDF, {})
  expect(run.errors[0]?.message).toMatch(/Not available/)
  for (const judge of [SkillUsed, SkillNotUsed]) {
    const { score, metadata } = judge.assess({ ...judged, run })
    expect(score).toBe(0)
    expect(metadata.rationale).toMatch(/Not available/)
  }
  expect(CallsInOrder.assess({ ...judged, run, calls: [] }).score).toBe(0)
})

test('[EVAL-3] a provider for promptfoo has skillCalls, and tests come from cases', async () => {
  const cases = [
    {
      ...PDF,
      assertions: [{ type: 'contains', value: 'Done' } as const, { type: 'judge', text: 'It is polite.' } as const],
    },
    caseOf({ id: 'pdf/2', prompt: 'Sing.', skill: 'pdf', shouldTrigger: false }),
  ]
  const tests = promptfooTests(cases)
  expect(tests).toEqual([
    {
      description: 'pdf/1',
      vars: { prompt: 'Fill the form.', case: 0 },
      assert: [
        { type: 'skill-used', value: 'pdf' },
        { type: 'javascript', value: expect.any(Function) },
        { type: 'llm-rubric', value: 'It is polite.' },
      ],
    },
    {
      description: 'pdf/2',
      vars: { prompt: 'Sing.', case: 1 },
      assert: [{ type: 'not-skill-used', value: 'pdf' }],
    },
  ])
  const provider = promptfooProvider(await harnessOf(() => [activate('pdf'), say('Done.')]), cases)
  expect(provider.id()).toBe('repertoire:react-loop')
  // As promptfoo types a provider, and the functions of a config. The context may be missing.
  type CallApi = (prompt: string, context?: { vars: Record<string, string | object> }) => Promise<unknown>
  const typed: { id(): string; label?: string; callApi: CallApi } = provider
  const inConfig: CallApi & { label?: string } = provider
  expect(inConfig.label).toBe(typed.id())
  for (const ask of [typed.callApi, inConfig])
    await expect(ask('Fill it.')).rejects.toThrow('The test has no case. Give promptfooTests(cases)')
  const { vars } = tests[0]!
  const response = await provider.callApi(vars.prompt, { vars })
  expect(response).toMatchObject({
    output: 'Done.',
    metadata: { skillCalls: [{ name: 'pdf' }], fate: 'activated' },
    tokenUsage: { numRequests: 2 },
  })
  const [, check] = tests[0]!.assert
  const graded = (passed?: boolean) => {
    const assertions =
      passed === undefined ? response.metadata.assertions : [{ ...response.metadata.assertions[0]!, passed }]
    return (check!.value as Function)('', { providerResponse: { metadata: { assertions } } })
  }
  expect(graded()).toEqual({ pass: true, score: 1, reason: '{"type":"contains","value":"Done"}' })
  expect(graded(false)).toMatchObject({ pass: false, score: 0 })
  const failing = promptfooProvider(await harnessOf(() => [{ status: 400, message: 'Not available.' }]), cases)
  expect(await failing.callApi(vars.prompt, { vars })).toMatchObject({
    error: expect.stringMatching(/Not available/),
    metadata: { skillCalls: [] },
  })
})

test('[EVAL-3] a judge is typed by the options of its assertion, as vitest-evals infers them', () => {
  type Context = Record<keyof typeof judged | 'run', any>
  const run = { artifacts: { run: { case: PDF, calls: [], files: {}, fates: [], activated: [] } } }
  // As `toSatisfyJudge(judge, options)` does.
  const scoreOf = <Options extends Context>(
    judge: { assess(context: Options): { score: number } },
    options: Omit<Options, keyof Context>,
  ) => judge.assess({ ...judged, run, ...options } as unknown as Options).score
  expect(scoreOf(CallsInOrder, { calls: ['Read'] })).toBe(0)
  expect(scoreOf(FileIs, { path: 'a', content: 'b' })).toBe(0)
  expect(scoreOf(SkillNotUsed, { skill: 'forms' })).toBe(1)
  // @ts-expect-error: the path is missing
  expect(scoreOf(FileIs, { content: 'b' })).toBe(0)
})

test('[EVAL-3] a test for promptfoo whose case names no skill does not pass by itself', () => {
  const [lost, unknown] = promptfooTests([caseOf({ shouldTrigger: true }), caseOf({})])
  expect(lost?.assert).toEqual([{ type: 'skill-used', value: 'unnamed, by this case' }])
  expect(unknown?.assert).toEqual([])
})

test('[EVAL-3, ABUSE-138] no text of an eval file is a file or a template for promptfoo, which would run them', () => {
  const texts = [
    'file://evil.mjs',
    ' FILE://evil.mjs',
    'package:evil:run',
    '{{ env.KEY }}',
    'a {% include "x" %}',
    '{# x #}',
  ]
  for (const text of texts) {
    const [{ description, vars, assert }] = promptfooTests([
      caseOf({
        id: text,
        prompt: text,
        skill: text,
        shouldTrigger: true,
        assertions: [
          { type: 'judge', text },
          { type: 'contains', value: text },
          { type: 'file', path: text },
        ],
      }),
    ]) as [ReturnType<typeof promptfooTests>[number]]
    const shown = [description, vars.prompt, ...assert.map(({ value }) => value)].filter(
      (value) => typeof value === 'string',
    )
    expect(shown).toHaveLength(4)
    for (const each of shown) expect(each).toMatch(/^"(?!.*\{[{%#])/)
  }
  const plain = 'See https://example.com, or a file: x.md'
  expect(promptfooTests([caseOf({ prompt: plain })])[0]!.vars.prompt).toBe(plain)
})

const EVALS = fileURLToPath(new URL('../evals', import.meta.url))

test.each(readdirSync(EVALS))(
  '[EVAL-1] %s has prompts that should and should not trigger, and names skills that exist',
  async (file) => {
    const cases = await readEvals(`${EVALS}/${file}`)
    await using repertoire = await openRepertoire({ sources: [fixtureSkills(), bundledSource()] })
    const names = cases.flatMap(({ skill: name, owner }) => [name!, ...(owner ? [owner] : [])])
    expect(names.filter((name) => !repertoire.catalog.has(name))).toEqual([])
    expect(new Set(cases.map(({ shouldTrigger }) => shouldTrigger))).toEqual(new Set([true, false]))
    expect(new Set(cases.map(({ prompt }) => prompt)).size).toBe(cases.length)
  },
)
