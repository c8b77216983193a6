/** `@repertoire/evals/vitest`: a harness and judges for `vitest-evals`. Its types are met by their shape: it is not imported. */
import { isObject } from '@repertoire/skill-md/internal'
import type { EvalCase } from './eval-case.ts'
import type { EvalRun, SkillHarness } from './harness.ts'

/** An object of JSON, as `vitest-evals` types it. */
type JsonObject = { [key: string]: string | number | boolean | null | JsonObject | JsonObject[] }

/** Returns a harness for `describeEval`. Its input is a case. */
export function vitestHarness(harness: SkillHarness) {
  return {
    name: harness.name,
    async run(input: EvalCase, { signal }: { readonly signal?: AbortSignal }) {
      const { model, output, calls, usage, activated, fates, advice, files, error } = await harness.run(input, {
        signal,
      })
      const events = calls.map(({ tool, input: given }, at) => ({
        type: 'tool_call' as const,
        id: `call-${at + 1}`,
        name: tool,
        arguments: (isObject(given) ? given : {}) as JsonObject,
      }))
      return {
        output,
        session: {
          events: [
            { type: 'message' as const, role: 'user' as const, content: input.prompt },
            ...events,
            { type: 'message' as const, role: 'assistant' as const, content: output },
          ],
        },
        usage: { ...usage, model, totalTokens: usage.inputTokens + usage.outputTokens, toolCalls: calls.length },
        artifacts: { skill: input.skill, activated, fates, advice, files } as unknown as JsonObject,
        errors: error === undefined ? [] : [{ message: error }],
      }
    },
  }
}

/** Passes if the skill was activated in time; says otherwise why not. */
export const SkillUsed = judge('SkillUsed', ({ fates, advice = '' }, skill) => {
  const found = fates.find((each) => each.skill === skill)
  const why = found === undefined ? 'named by no event.' : `${found.fate}: ${found.reason}`
  return [found?.fate === 'activated', `${skill} was ${why} ${advice}`.trim()]
})

/** Passes if the skill was not activated. */
export const SkillNotUsed = judge('SkillNotUsed', ({ activated }, skill) => [
  !activated.includes(skill),
  `Activated: ${activated.join(', ') || 'no skill'}.`,
])

/** Creates a judge of the artifacts of a run. Its option `skill` is that of its assertion, or else that of the case. */
function judge(
  name: string,
  assess: (run: Pick<EvalRun, 'activated' | 'fates' | 'advice'>, skill: string) => readonly [boolean, string],
) {
  return {
    name,
    assess({ run: { artifacts }, skill }: { readonly run: { readonly artifacts?: unknown }; readonly skill?: string }) {
      if (!isObject(artifacts) || !('fates' in artifacts)) {
        throw new TypeError(`${name} judges runs of vitestHarness. Give it as the harness of describeEval.`)
      }
      const run = artifacts as unknown as EvalRun & { readonly skill: string }
      const [passed, rationale] = assess(run, skill ?? run.skill)
      return { score: passed ? 1 : 0, metadata: { rationale } }
    },
  }
}
