/** `@repertoire/evals/promptfoo`: a provider and tests for promptfoo. Its types are met by their shape: it is not imported. */
import type { EvalAssertion, EvalCase } from './eval-case.ts'
import type { SkillHarness } from './harness.ts'

/** A provider of promptfoo. `skill-used` and `not-skill-used` read `metadata.skillCalls`. */
export interface PromptfooProvider {
  id(): string
  callApi(
    prompt: string,
    context?: { readonly vars?: Readonly<Record<string, unknown>>; readonly repeatIndex?: number },
  ): Promise<PromptfooResponse>
}

/** What a provider returns. */
export interface PromptfooResponse {
  readonly output?: string
  readonly error?: string
  readonly tokenUsage: {
    readonly total: number
    readonly prompt: number
    readonly completion: number
    readonly numRequests: number
  }
  readonly metadata: {
    readonly skillCalls: readonly { readonly name: string; readonly is_error?: true }[]
    readonly fate?: string
    readonly reason?: string
    readonly advice?: string
  }
}

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
      const run = await harness.run(found ?? prompt, { attempt: repeatIndex + 1 })
      const { requests, inputTokens, outputTokens } = run.usage
      const refused = run.fates.filter(({ fate }) => fate === 'refused')
      return {
        ...(run.error === undefined ? { output: run.output } : { error: run.error }),
        tokenUsage: {
          total: inputTokens + outputTokens,
          prompt: inputTokens,
          completion: outputTokens,
          numRequests: requests,
        },
        metadata: {
          skillCalls: [
            ...run.activated.map((name) => ({ name })),
            ...refused.map(({ skill: name }) => ({ name, is_error: true as const })),
          ],
          ...(run.fate !== undefined && { fate: run.fate.fate, reason: run.fate.reason }),
          ...(run.advice !== undefined && { advice: run.advice }),
        },
      }
    },
  }
}

/** Returns the tests of promptfoo for cases, with `prompts: ['{{prompt}}']`: `tests: file://tests.js`. */
export function promptfooTests(cases: readonly EvalCase[]): readonly PromptfooTest[] {
  return cases.map(({ id, prompt, skill, shouldTrigger, assertions }) => ({
    description: id,
    vars: { prompt, case: id },
    assert: [
      ...(skill === undefined || shouldTrigger === undefined
        ? []
        : [{ type: shouldTrigger ? 'skill-used' : 'not-skill-used', value: skill }]),
      ...assertions.flatMap(promptfooAssertions),
    ],
  }))
}

/** The file of a workspace is gone when promptfoo looks: `FileIs` of the vitest entry checks it. */
function promptfooAssertions(assertion: EvalAssertion): PromptfooTest['assert'] {
  if (assertion.type === 'file') return []
  if (assertion.type === 'skills') return assertion.names.map((value) => ({ type: 'skill-used', value }))
  if (assertion.type === 'judge') return [{ type: 'llm-rubric', value: assertion.text }]
  return [{ type: assertion.not === true ? 'not-contains' : 'contains', value: assertion.value }]
}
