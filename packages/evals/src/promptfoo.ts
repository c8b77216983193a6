/** `@repertoire/evals/promptfoo`: a provider and tests for promptfoo. Its types are met by their shape: it is not imported. */
import type { EvalAssertion, EvalCase } from './eval-case.ts'
import type { SkillHarness } from './harness.ts'

/**
 * Returns a provider that runs the cases of `promptfooTests` through a harness. The assertions `skill-used` and
 * `not-skill-used` read its `metadata.skillCalls`.
 */
export function promptfooProvider(harness: SkillHarness, cases: readonly EvalCase[]) {
  return {
    id: () => `repertoire:${harness.name}`,
    async callApi(
      _prompt: string,
      { vars, repeatIndex = 0 }: { readonly vars: Readonly<Record<string, unknown>>; readonly repeatIndex?: number },
    ) {
      const found = cases.find(({ id }) => id === vars['case'])
      if (found === undefined) throw new TypeError('The test has no case. Give promptfooTests(cases) as the tests.')
      const run = await harness.run(found, { attempt: repeatIndex + 1 })
      const { requests: numRequests, inputTokens: prompt, outputTokens: completion } = run.usage
      const skillCalls = [
        ...run.activated.map((name) => ({ name, is_error: false })),
        ...run.fates.flatMap(({ skill: name, fate }) => (fate === 'refused' ? { name, is_error: true } : [])),
      ]
      return {
        ...(run.error === undefined ? { output: run.output } : { error: run.error }),
        tokenUsage: { total: prompt + completion, prompt, completion, numRequests },
        metadata: {
          skillCalls,
          ...run.fate,
          advice: run.advice,
          files: Object.keys(run.files),
        },
      }
    },
  }
}

/** Returns the tests of promptfoo for cases, with `prompts: ['{{prompt}}']`. */
export function promptfooTests(cases: readonly EvalCase[]) {
  return cases.map(({ id, prompt, skill, shouldTrigger, assertions }) => {
    const type = shouldTrigger === true ? 'skill-used' : 'not-skill-used'
    const trigger = skill === undefined || shouldTrigger === undefined ? [] : [{ type, value: skill }]
    return { description: id, vars: { prompt, case: id }, assert: [...trigger, ...assertions.map(assertionFor)] }
  })
}

function assertionFor(assertion: EvalAssertion): { readonly type: string; readonly value: string } {
  if (assertion.type === 'judge') return { type: 'llm-rubric', value: assertion.text }
  if (assertion.type !== 'file') return assertion
  const path = JSON.stringify(assertion.path)
  const value = `context.providerResponse.metadata.files.some((file) => \`\${file}/\`.startsWith(${path} + '/'))`
  return { type: 'javascript', value }
}
