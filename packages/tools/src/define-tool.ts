import { type FunctionTool, showInvisible } from '@repertoire/core'
import { z } from 'zod'
import { ToolFailure, type ToolResult } from './result.ts'

/** Makes a tool whose input is checked, and whose every outcome is a result with its duration. */
export function defineTool<Input, Result>({
  input,
  run,
  ...described
}: Pick<FunctionTool, 'name' | 'description' | 'risk'> & {
  readonly input: z.ZodType<Input>
  /** @throws {ToolFailure} */
  readonly run: (input: Input, signal: AbortSignal | undefined) => Promise<Result>
}): FunctionTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return {
    ...described,
    inputSchema,
    async execute(given, { signal }): Promise<ToolResult<Result>> {
      signal?.throwIfAborted()
      const start = performance.now()
      const durationMs = (): number => Math.round(performance.now() - start)
      try {
        return { success: true, result: await run(readInput(input, given), signal), durationMs: durationMs() }
      } catch (error) {
        signal?.throwIfAborted()
        const { code, message, result } = failureOf(error)
        return {
          success: false,
          error: { code, message: message.slice(0, 2000) },
          result: result as Result,
          durationMs: durationMs(),
        }
      }
    },
  }
}

function readInput<Input>(schema: z.ZodType<Input>, given: unknown): Input {
  const { success, data, error } = schema.safeParse(given)
  if (success) {
    if (isWellFormed(data)) return data
    throw new ToolFailure('INPUT_INVALID', 'The input holds half of a character, which would arrive as another one.')
  }
  const problems = error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  throw new ToolFailure('INPUT_INVALID', `The input is not valid. ${problems.join('; ')}.`)
}

/** Whether all texts in an input can be written, sent and passed as they are. */
function isWellFormed(input: unknown): boolean {
  if (typeof input === 'string') return input.isWellFormed()
  if (typeof input !== 'object' || input === null) return true
  return Object.entries(input).every(([key, value]) => key.isWellFormed() && isWellFormed(value))
}

/** The failure among an error and its causes; else all their messages, since causes say more than "fetch failed". */
function failureOf(error: unknown): ToolFailure {
  const causes: Error[] = []
  for (let at = error; causes.length < 8 && at instanceof Error; at = at.cause) causes.push(at)
  const failure = causes.find((each) => each instanceof ToolFailure)
  const messages = new Set(causes.map(({ message }) => message).filter(Boolean))
  return failure ?? new ToolFailure('FAILED', showInvisible([...messages].join(': ') || 'It failed.'), { cause: error })
}
