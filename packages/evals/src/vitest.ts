/** `@repertoire/evals/vitest`: a harness and judges for `vitest-evals`. Its types are met by their shape: it is not imported. */
import type { EvalCase } from './eval-case.ts'
import type { SkillFate } from './fates.ts'
import type { EvalRun, SkillHarness } from './harness.ts'

export { withTape } from './tape.ts'

/** A run as `vitest-evals` takes it. */
export interface VitestEvalsRun {
  readonly output: string
  readonly session: { readonly events: readonly VitestEvalsEvent[] }
  readonly usage: {
    readonly model: string
    readonly inputTokens: number
    readonly outputTokens: number
    readonly totalTokens: number
    readonly toolCalls: number
  }
  readonly artifacts: VitestEvalsArtifacts
  readonly errors: readonly { readonly message: string }[]
}

/** What the judges look at. JSON values. */
export type VitestEvalsArtifacts = {
  readonly skill: string
  readonly activated: readonly string[]
  readonly fates: readonly { readonly [Key in keyof SkillFate]: string }[]
  readonly advice: string
  readonly calls: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

type VitestEvalsEvent =
  | { readonly type: 'message'; readonly role: 'user' | 'assistant'; readonly content: string }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      readonly arguments: Record<string, never>
    }

/** A judge of `vitest-evals`. `skill`, `calls`, `path` and `content` are options of the assertion. */
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
  return {
    name: harness.name,
    async run(input, { signal }) {
      return asVitestRun(await harness.run(input, signal === undefined ? {} : { signal }))
    },
  }
}

function asVitestRun(run: EvalRun): VitestEvalsRun {
  const { inputTokens, outputTokens } = run.usage
  const events: VitestEvalsEvent[] = [
    { type: 'message', role: 'user', content: run.case.prompt },
    ...run.calls.map(({ tool }, at) => ({
      type: 'tool_call' as const,
      id: `call-${at + 1}`,
      name: tool,
      arguments: {},
    })),
    { type: 'message', role: 'assistant', content: run.output },
  ]
  return {
    output: run.output,
    session: { events },
    usage: {
      model: run.model,
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      toolCalls: run.calls.length,
    },
    artifacts: {
      skill: run.case.skill ?? '',
      activated: run.activated,
      fates: run.fates.map((fate) => ({ ...fate })),
      advice: run.advice ?? '',
      calls: run.calls.map(({ tool }) => tool),
      files: run.files,
    },
    errors: run.error === undefined ? [] : [{ message: run.error }],
  }
}

/** Passes if the skill was activated in time; says otherwise why not. Default: the skill of the case. */
export const SkillUsed: VitestEvalsJudge<{ readonly skill?: string }> = judge(
  'SkillUsed',
  ({ fates, advice, ...run }, given) => {
    const skill = given.skill ?? run.skill
    const found = fates.find((each) => each.skill === skill)
    const why = found === undefined ? 'No event names it.' : `${found.fate}: ${found.reason}`
    return [found?.fate === 'activated', `${skill} was ${why} ${advice}`.trim()]
  },
)

/** Passes if the skill was not activated. Default: the skill of the case. */
export const SkillNotUsed: VitestEvalsJudge<{ readonly skill?: string }> = judge(
  'SkillNotUsed',
  ({ activated, ...run }, given) => {
    const skill = given.skill ?? run.skill
    return [!activated.includes(skill), `Activated: ${activated.join(', ') || 'no skill'}.`]
  },
)

/** Passes if the tools were called in this order. Other calls may come between. */
export const CallsInOrder: VitestEvalsJudge<{ readonly calls: readonly string[] }> = judge(
  'CallsInOrder',
  (run, { calls }) => {
    let next = 0
    for (const call of run.calls) if (call === calls[next]) next++
    return [next === calls.length, `Called: ${run.calls.join(', ') || 'no tool'}.`]
  },
)

/** Passes if a file of the workspace has this content, or, without `content`, exists. */
export const FileIs: VitestEvalsJudge<{ readonly path: string; readonly content?: string }> = judge(
  'FileIs',
  ({ files }, { path, content }) => {
    const found = Object.hasOwn(files, path) ? files[path] : undefined
    const isRight = found !== undefined && (content === undefined || found === content)
    return [
      isRight,
      found === undefined ? `There is no ${path}.` : `${path} is ${JSON.stringify(found.slice(0, 200))}.`,
    ]
  },
)

function judge<Options extends object>(
  name: string,
  assess: (run: VitestEvalsArtifacts, options: Options) => readonly [passed: boolean, rationale: string],
): VitestEvalsJudge<Options> {
  return {
    name,
    assess(context) {
      const { artifacts } = context.run
      if (typeof artifacts !== 'object' || artifacts === null || !('fates' in artifacts)) {
        throw new TypeError(`${name} judges runs of vitestHarness. Give it as the harness of describeEval.`)
      }
      const [passed, rationale] = assess(artifacts as VitestEvalsArtifacts, context)
      return { score: passed ? 1 : 0, metadata: { rationale } }
    },
  }
}
