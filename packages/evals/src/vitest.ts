/** `@repertoire/evals/vitest`: a harness and judges for `vitest-evals`. Its types are met by their shape: it is not imported. */
import { isObject } from '@repertoire/skill-md/internal'
import type { EvalCase } from './eval-case.ts'
import type { EvalRun, SkillHarness } from './harness.ts'

/** A run as `vitest-evals` takes it. The judges look at its artifacts. */
export type VitestEvalsRun = ReturnType<typeof asVitestRun>

/** A judge of `vitest-evals`, with the options of its assertion. */
export interface VitestEvalsJudge<Options> {
  readonly name: string
  readonly assess: (context: { readonly run: { readonly artifacts?: unknown } } & Options) => {
    readonly score: number
    readonly metadata: { readonly rationale: string }
  }
}

/** Returns a harness for `describeEval`. Its input is a case or a prompt. */
export function vitestHarness(harness: SkillHarness): {
  readonly name: string
  run(input: EvalCase | string, context: { readonly signal?: AbortSignal }): Promise<VitestEvalsRun>
} {
  return { name: harness.name, run: async (input, { signal }) => asVitestRun(await harness.run(input, { signal })) }
}

function asVitestRun(run: EvalRun) {
  const { inputTokens, outputTokens } = run.usage
  const calls = run.calls.map(({ tool }) => tool)
  return {
    output: run.output,
    session: {
      events: [
        { type: 'message' as const, role: 'user' as const, content: run.case.prompt },
        ...run.calls.map(({ tool, input }, at) => ({
          type: 'tool_call' as const,
          id: `call-${at + 1}`,
          name: tool,
          arguments: isObject(input) ? input : {},
        })),
        { type: 'message' as const, role: 'assistant' as const, content: run.output },
      ],
    },
    usage: {
      model: run.model,
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      toolCalls: calls.length,
    },
    artifacts: {
      skill: run.case.skill ?? '',
      activated: run.activated,
      fates: run.fates.map((fate) => ({ ...fate })),
      advice: run.advice ?? '',
      calls,
      files: run.files,
    },
    errors: run.error === undefined ? [] : [{ message: run.error }],
  }
}

/** Passes if the skill was activated in time; says otherwise why not. Default: the skill of the case. */
export const SkillUsed = judge<{ readonly skill?: string }>('SkillUsed', (run, { skill = run.skill }) => {
  const found = run.fates.find((each) => each.skill === skill)
  const why = found === undefined ? 'named by no event.' : `${found.fate}: ${found.reason}`
  return [found?.fate === 'activated', `${skill} was ${why} ${run.advice}`.trim()]
})

/** Passes if the skill was not activated. Default: the skill of the case. */
export const SkillNotUsed = judge<{ readonly skill?: string }>('SkillNotUsed', (run, { skill = run.skill }) => [
  !run.activated.includes(skill),
  `Activated: ${run.activated.join(', ') || 'no skill'}.`,
])

/** Passes if the tools were called in this order. Other calls may come between. */
export const CallsInOrder = judge<{ readonly calls: readonly string[] }>('CallsInOrder', (run, { calls }) => {
  let next = 0
  for (const call of run.calls) if (call === calls[next]) next++
  return [next === calls.length, `Called: ${run.calls.join(', ') || 'no tool'}.`]
})

/** Passes if a file of the workspace has this content, or, without `content`, exists. */
export const FileIs = judge<{ readonly path: string; readonly content?: string }>(
  'FileIs',
  (run, { path, content }) => {
    const found = new Map(Object.entries(run.files)).get(path)
    const isRight = found !== undefined && (content === undefined || found === content)
    return [
      isRight,
      found === undefined ? `There is no ${path}.` : `${path} is ${JSON.stringify(found.slice(0, 200))}.`,
    ]
  },
)

function judge<Options>(
  name: string,
  assess: (run: VitestEvalsRun['artifacts'], options: Options) => readonly [passed: boolean, rationale: string],
): VitestEvalsJudge<Options> {
  return {
    name,
    assess(context) {
      const { artifacts } = context.run
      if (typeof artifacts !== 'object' || artifacts === null || !('fates' in artifacts)) {
        throw new TypeError(`${name} judges runs of vitestHarness. Give it as the harness of describeEval.`)
      }
      const [passed, rationale] = assess(artifacts as VitestEvalsRun['artifacts'], context)
      return { score: passed ? 1 : 0, metadata: { rationale } }
    },
  }
}
