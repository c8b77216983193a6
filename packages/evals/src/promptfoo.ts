/** `@repertoire/evals/promptfoo`: a provider and tests for promptfoo, whose types fit by their shape. */
import type { EvalAssertion, EvalCase } from './eval-case.ts'
import type { EvalRun, SkillHarness } from './harness.ts'

/**
 * Returns a provider that runs the cases of `promptfooTests` through a harness. The assertions `skill-used` and
 * `not-skill-used` read its `metadata.skillCalls`.
 */
export function promptfooProvider(harness: SkillHarness, cases: readonly EvalCase[]) {
  const label = `repertoire:${harness.name}`
  const callApi = async (_prompt: string, context?: { vars: Record<string, unknown>; repeatIndex?: number }) => {
    const found = cases[Number(context?.vars['case'])]
    if (found === undefined) throw new TypeError('The test has no case. Give promptfooTests(cases) as the tests.')
    const run = await harness.run(found, { attempt: (context?.repeatIndex ?? 0) + 1 })
    const { requests: numRequests, inputTokens: prompt, outputTokens: completion } = run.usage
    const skillCalls = [
      ...run.activated.map((name) => ({ name, is_error: false })),
      ...run.fates.flatMap(({ skill: name, fate }) => (fate === 'refused' ? { name, is_error: true } : [])),
    ]
    return {
      ...(run.error === undefined ? { output: run.output } : { error: run.error }),
      tokenUsage: { total: prompt + completion, prompt, completion, numRequests },
      metadata: { skillCalls, ...run.fate, advice: run.advice, assertions: run.assertions },
    }
  }
  // The type of a config takes functions, and that of a provider is an object.
  return Object.assign(callApi, { id: () => label, label, callApi })
}

/** Returns the tests of promptfoo for cases, with `prompts: ['{{prompt}}']`. */
export function promptfooTests(cases: readonly EvalCase[]) {
  return cases.map(({ id, prompt, skill, shouldTrigger, assertions }, at) => {
    const type = shouldTrigger === true ? ('skill-used' as const) : ('not-skill-used' as const)
    const trigger = shouldTrigger === undefined ? [] : [{ type, value: inert(skill ?? 'unnamed, by this case') }]
    const assert = [...trigger, ...assertions.map(assertionFor)]
    return { description: inert(id), vars: { prompt: inert(prompt), case: at }, assert }
  })
}

/** What the harness itself checks is read from its run. */
function assertionFor(assertion: EvalAssertion, at: number) {
  if (assertion.type === 'judge') return { type: 'llm-rubric' as const, value: inert(assertion.text) }
  const value = (_output: string, { providerResponse }: { readonly providerResponse: Answered }) => {
    const pass = providerResponse.metadata.assertions[at]?.passed === true
    return { pass, score: Number(pass), reason: JSON.stringify(assertion) }
  }
  return { type: 'javascript' as const, value }
}

type Answered = { readonly metadata: Pick<EvalRun, 'assertions'> }

/** In every text, promptfoo renders templates and runs files that it names: a text of an eval file does neither. */
function inert(text: string): string {
  if (!/^\s*(?:\w+:\/\/|package:|exec:)|\{[{%#]/i.test(text)) return text
  return JSON.stringify(text).replaceAll(/\{(?=[{%#])/g, '{ ')
}
