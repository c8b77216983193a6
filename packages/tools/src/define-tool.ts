import { type FunctionTool, showInvisible } from '@repertoire/core'
import { z } from 'zod'
import { failureIn, ToolFailure, type ToolResult } from './result.ts'

/** A tool before it is one. */
interface ToolSource<Input, Result> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly risk: 'safe' | 'risky'
  /** @throws {ToolFailure} */
  readonly run: (input: Input, signal: AbortSignal | undefined) => Promise<Result>
}

const MAX_MESSAGE_CHARS = 2000

/** Makes a tool whose input is checked, and whose every outcome is a result with its duration. */
export function defineTool<Input, Result>({
  name,
  description,
  input,
  risk,
  run,
}: ToolSource<Input, Result>): FunctionTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    description,
    inputSchema,
    risk,
    async execute(given, { signal }): Promise<ToolResult<Result>> {
      signal?.throwIfAborted()
      const start = performance.now()
      const durationMs = (): number => Math.round(performance.now() - start)
      try {
        return { success: true, result: await run(readInput(input, given), signal), durationMs: durationMs() }
      } catch (error) {
        signal?.throwIfAborted()
        const { code, message, result } = failureIn(error) ?? unknownFailure(error)
        return {
          success: false,
          error: { code, message: message.slice(0, MAX_MESSAGE_CHARS) },
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

/** What a library threw. Its causes say more than "fetch failed". */
function unknownFailure(error: unknown): ToolFailure {
  const messages: string[] = []
  for (let at: unknown = error, depth = 0; depth < 4 && at instanceof Error; at = at.cause, depth++) {
    const { message } = at
    if (message !== '' && !messages.includes(message)) messages.push(message)
  }
  return new ToolFailure('FAILED', showInvisible(messages.join(': ') || 'It failed.'), { cause: error })
}
