import { expect, test } from 'vitest'
import { ANTHROPIC } from './refused/anthropic.ts'
import { GEMINI } from './refused/gemini.ts'
import { OPENAI } from './refused/openai.ts'
import { RESPONSES } from './refused/responses.ts'
import type { Row } from './refused/row.ts'
import { ask, hear, useEndpoint, type Wire, WIRES } from './wires.ts'

const endpoint = useEndpoint()

/** Bodies that no wire takes. */
const COMMON: readonly Row[] = [
  ['that is not JSON', '{"model":', 'is not JSON'],
  ['that is not UTF-8', new Blob([Uint8Array.of(0x22, 0xff, 0x22)]), 'is not JSON'],
  ['that is not an object', '[]', 'The body is not an object'],
]

const TABLES: readonly (readonly [Wire, readonly Row[]])[] = [
  [WIRES.openai, OPENAI],
  [WIRES.responses, RESPONSES],
  [WIRES.anthropic, ANTHROPIC],
  [WIRES.gemini, GEMINI],
]

test.each(
  TABLES.flatMap(([wire, rows]) => [...COMMON, ...rows].map(([...row]) => [wire.protocol, ...row, wire] as const)),
)(
  '[CONF-1, CONF-8, LLM-1] %s refuses a request %s as its vendor does, and notes it',
  async (protocol, _, body, said, wire) => {
    const model = endpoint().play([{ text: 'Not played.' }], { protocol })
    const response = await ask(model, wire, { body })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: object }
    const name = protocol === 'gemini' ? { code: 400, status: 'INVALID_ARGUMENT' } : { type: 'invalid_request_error' }
    expect(error).toMatchObject({ ...name, message: expect.stringContaining(said) })
    expect(model.failures).toEqual([expect.stringContaining(said)])
    expect(model.requests).toEqual([])
    expect((await hear(await ask(model, wire), wire)).text).toBe('Not played.')
  },
)
