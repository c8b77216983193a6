import { expect } from 'vitest'
import type { ask } from './ask.ts'
import type { ModelAnswer } from '../src/model.ts'

type Asked = ReturnType<typeof ask>

/** Expects the text "Lüñe 技", these calls, and a usage of 7 and 3 tokens. */
export async function expectFullAnswer(asked: Asked, calls: ModelAnswer['calls']): Promise<void> {
  const { answer, text } = await asked
  expect(text).toBe('Lüñe 技')
  expect(answer).toEqual({
    text: 'Lüñe 技',
    calls,
    finishReason: 'stop',
    usage: { inputTokens: 7, outputTokens: 3 },
  })
}

/**
 * Expects that the vendor's reasons are read as the loop's.
 * @param stopped asks for an answer "x" that ends for this reason
 */
export async function expectFinishReasons(
  reasons: Readonly<Record<string, string>>,
  stopped: (reason: string) => Asked,
): Promise<void> {
  for (const [reason, finishReason] of Object.entries(reasons))
    expect([reason, (await stopped(reason)).answer]).toMatchObject([reason, { text: 'x', finishReason }])
}
