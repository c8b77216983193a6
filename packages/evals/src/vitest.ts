/** `@repertoire/evals/vitest`: a harness and judges for `vitest-evals`, whose types fit by their shape. */
import { isObject } from '@repertoire/skill-md/internal'
import type { EvalCase } from './eval-case.ts'
import type { EndpointSource, EvalRun, SkillHarness } from './harness.ts'
import { createTape, type TapeOptions } from './tape.ts'

/** An object of JSON, as `vitest-evals` types it. */
type JsonObject = { [key: string]: string | number | boolean | null | JsonObject | JsonObject[] }

/** What a judge is given. From all of these, `vitest-evals` infers the options of an assertion. */
type JudgeContext = Readonly<Record<'input' | 'output' | 'toolCalls' | 'run' | 'session' | 'harness', any>>

/** Returns a harness for `describeEval`. Its input is a case. */
export function vitestHarness(harness: SkillHarness) {
  return {
    name: harness.name,
    async run(input: EvalCase, { signal }: { readonly signal?: AbortSignal }) {
      const run = await harness.run(input, { signal })
      const { model, output, calls, usage, error } = run
      const events = calls.map(({ tool = '', input: given }, at) => ({
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
        artifacts: { run: { ...run, events: [] } as unknown as JsonObject },
        errors: error === undefined ? [] : [{ message: error }],
      }
    },
  }
}

/**
 * Gives a test a model that replays a tape, or records it with `record`, and returns what the test returns. Rejects
 * with the first difference between a run and the tape, whatever the test has made of it.
 * @example
 * await withTape({ folder: 'evals/tape', model: 'gpt-5-mini' }, async (model) => {
 *   const run = await skillHarness({ adapter, repertoire, model }).run(each)
 *   expect(run.fate?.fate).toBe('activated')
 * })
 * @throws {EvalError} TAPE_DIFFERS, TAPE_INVALID, TAPE_NOT_RECORDED
 */
export async function withTape<T>(options: TapeOptions, test: (model: EndpointSource) => Promise<T>): Promise<T> {
  const tape = createTape(options)
  const [played] = await Promise.allSettled([test(tape)])
  if (tape.failures[0] !== undefined) throw tape.failures[0]
  if (played.status === 'rejected') throw played.reason
  return played.value
}

/** Passes if the skill was activated in time; says otherwise why not. Default: the skill of the case. */
export const SkillUsed = judge<{ readonly skill?: string }>('SkillUsed', (run, { skill = run.case.skill }) => {
  const { fate, reason } = run.fates.find((each) => each.skill === skill) ?? { fate: 'not-installed', reason: '' }
  return [fate === 'activated', `${skill} was ${fate}: ${reason} ${run.advice ?? ''}`.trim()]
})

/** Passes if the skill was not activated. Default: the skill of the case. */
export const SkillNotUsed = judge<{ readonly skill?: string }>('SkillNotUsed', (run, { skill = run.case.skill }) => [
  !run.activated.some((name) => name === skill),
  `Activated: ${run.activated.join(', ') || 'no skill'}.`,
])

/** Passes if the tools were called in this order. Other calls may come between. */
export const CallsInOrder = judge<{ readonly calls: readonly string[] }>('CallsInOrder', (run, { calls }) => {
  let next = 0
  for (const { tool } of run.calls) if (tool === calls[next]) next++
  return [next === calls.length, `Called: ${run.calls.map(({ tool }) => tool).join(', ') || 'no tool'}.`]
})

/** Passes if a file of the workspace has this content. */
export const FileIs = judge<{ readonly path: string; readonly content: string }>('FileIs', (run, { path, content }) => {
  const found = run.files[path]
  return [found === content, found === undefined ? `There is no ${path}.` : `${path} is ${found.slice(0, 200)}.`]
})

/** Creates a judge of the artifacts of a run, with the options of its assertion. */
function judge<Options>(name: string, assess: (run: EvalRun, options: Options) => readonly [boolean, string]) {
  return {
    name,
    assess(context: JudgeContext & Options) {
      const run: EvalRun | undefined = context.run.artifacts?.run
      if (run === undefined) {
        throw new TypeError(`${name} judges runs of vitestHarness. Give it as the harness of describeEval.`)
      }
      const [passed, rationale] = run.error === undefined ? assess(run, context) : [false, run.error]
      return { score: passed ? 1 : 0, metadata: { rationale } }
    },
  }
}
