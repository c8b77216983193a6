import { describe, expect, it } from 'vitest'
import { caller, keeping, open } from './world.ts'
import shapes from './recorded-secrets.json' with { type: 'json' }

/** Takes the place of `§` in a shape. Only the name or the place gives it away. */
const SECRET = 'Zq7tanhosr'

/** Returns what the audit of a session records of the input of a call. */
async function recorded(inputs: readonly unknown[]): Promise<readonly unknown[]> {
  const sink = keeping()
  const { session } = await open({ sink, inputs: 'redacted' })
  const { call } = caller(session)
  for (const input of inputs) await call('Write', { input })
  const started = sink.events.filter(({ type }) => type === 'tool.started')
  expect(started).toHaveLength(inputs.length)
  return started.map(({ input }) => (input as { readonly input: unknown }).input)
}

const withSecret = (shape: unknown): unknown => JSON.parse(JSON.stringify(shape).replaceAll('§', SECRET)) as unknown

/** Returns the shapes whose secret is in a record. */
async function leaking(values: readonly unknown[]): Promise<readonly string[]> {
  const events = await recorded(values.map(withSecret))
  return values
    .filter((_, index) => JSON.stringify(events[index]).includes(SECRET))
    .map((shape) => JSON.stringify(shape))
}

describe('the inputs that a session records', () => {
  it('[OBS-4, ABUSE-99] hold no secret of a command that is given as a list of words', async () => {
    expect(await leaking(shapes.commands)).toEqual([])
  })

  it('[OBS-4, ABUSE-99] hold no secret of a command that is given as a program and its arguments', async () => {
    expect(await leaking(shapes.commands.map(([program, ...args]) => ({ program, args })))).toEqual([])
  })

  it('[OBS-4, ABUSE-99] hold no secret of a command that is given as a text', async () => {
    expect(await leaking(shapes.commands.map((words) => ({ command: words.join(' ') })))).toEqual([])
  })

  it('[OBS-4, ABUSE-99] hold no secret of code, settings, queries and headers', async () => {
    expect(await leaking([...shapes.texts, ...shapes.texts.map((text) => ({ content: text }))])).toEqual([])
  })

  it('[OBS-4, ABUSE-99] hold no secret of an object that says what the value is', async () => {
    expect(await leaking(shapes.values)).toEqual([])
  })

  it('[OBS-4] keep a harmless text, also word by word', async () => {
    const inputs = shapes.harmless.flatMap((text) => [text, text.split(' ')])
    expect(await recorded(inputs)).toEqual(inputs)
  })
})
