/** `@repertoire/evals/promptfoo`: a provider and tests for promptfoo. Its types are met by their shape: it is not imported. */
import type { EvalAssertion, EvalCase } from './eval-case.ts'
import type { EvalRun, SkillHarness } from './harness.ts'

/** A provider of promptfoo. `skill-used` and `not-skill-used` read `metadata.skillCalls`. */
export interface PromptfooProvider {
  id(): string
  callApi(
    prompt: string,
    context?: { readonly vars?: Readonly<Record<string, unknown>>; readonly repeatIndex?: number },
  ): Promise<PromptfooResponse>
}

/** What the provider returns. */
export type PromptfooResponse = ReturnType<typeof responseOf>

/** A test of promptfoo. */
export interface PromptfooTest {
  readonly description: string
  readonly vars: { readonly prompt: string; readonly case: string }
  readonly assert: readonly { readonly type: string; readonly value: string }[]
}

/** Returns a provider that runs each prompt through a harness. A test of `promptfooTests` runs as its case. */
export function promptfooProvider(harness: SkillHarness, cases: readonly EvalCase[] = []): PromptfooProvider {
  return {
    id: () => `repertoire:${harness.name}`,
    async callApi(prompt, { vars, repeatIndex = 0 } = {}) {
      const found = cases.find(({ id }) => id === vars?.['case'])
      return responseOf(await harness.run(found ?? prompt, { attempt: repeatIndex + 1 }))
    },
  }
}

function responseOf({ output, error, usage, activated, fates, fate, advice }: EvalRun) {
  const { requests: numRequests, inputTokens: prompt, outputTokens: completion } = usage
  const refused = fates.filter((each) => each.fate === 'refused')
  const used = activated.map((name) => ({ name, is_error: false }))
  const skillCalls = [...used, ...refused.map(({ skill: name }) => ({ name, is_error: true }))]
  return {
    ...(error === undefined ? { output } : { error }),
    tokenUsage: { total: prompt + completion, prompt, completion, numRequests },
    metadata: { skillCalls, fate: fate?.fate, reason: fate?.reason, advice },
  }
}

/** Returns the tests of promptfoo for cases, with `prompts: ['{{prompt}}']`: `tests: file://tests.js`. */
export function promptfooTests(cases: readonly EvalCase[]): readonly PromptfooTest[] {
  return cases.map(({ id, prompt, skill, shouldTrigger, assertions }) => {
    const type = shouldTrigger === true ? 'skill-used' : 'not-skill-used'
    const trigger = skill === undefined || shouldTrigger === undefined ? [] : [{ type, value: skill }]
    return {
      description: id,
      vars: { prompt, case: id },
      assert: [...trigger, ...assertions.flatMap(promptfooAssertions)],
    }
  })
}

/** The file of a workspace is gone when promptfoo looks: `FileIs` of the vitest entry checks it. */
function promptfooAssertions(assertion: EvalAssertion): PromptfooTest['assert'] {
  if (assertion.type === 'file') return []
  if (assertion.type === 'skills') return assertion.names.map((value) => ({ type: 'skill-used', value }))
  if (assertion.type === 'judge') return [{ type: 'llm-rubric', value: assertion.text }]
  return [{ type: assertion.not === true ? 'not-contains' : 'contains', value: assertion.value }]
}
