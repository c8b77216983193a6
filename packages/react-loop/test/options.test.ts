import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, it } from 'vitest'
import { createReActLoop, openAICompatible } from '../src/index.ts'

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
const model = openAICompatible({ baseURL: 'http://127.0.0.1:9/v1', model: 'any' })
const loop = (options: object) => () => createReActLoop({ model, session: repertoire.openSession(), ...options })

it.each([
  [{ tolls: [] }, 'createReActLoop: unknown option `tolls`. Did you mean `tools`?'],
  [{ session: repertoire }, 'createReActLoop: `session` has no `beginStep`. Give a session'],
  [{ model: 'gpt' }, '`model` is "gpt". Give a model, such as openAICompatible'],
  [{ tools: { read: () => 'x' } }, '`tools` is an object. Give a list of tools.'],
  [{ tools: [{ name: 'read' }] }, '`tools[0]` has no `execute`.'],
  [{ protocol: 'txt' }, '`protocol` is "txt". Give "native" or "text".'],
  [{ agents: { writer: { instuctions: '' } } }, 'Did you mean `agents.writer.instructions`?'],
])('[CFG-1, ABUSE-133] createReActLoop refuses %j', (options, message) => {
  expect(loop(options)).toThrow(TypeError)
  expect(loop(options)).toThrow(message)
})

it('[CFG-1, ABUSE-133] run and stream refuse options before the model is called', async () => {
  const made = loop({})()
  await expect(made.run('hello', { singal: new AbortController().signal } as object)).rejects.toThrow(
    'run: unknown option `singal`. Did you mean `signal`?',
  )
  await expect(made.stream('hello', { onMesage: () => {} } as object).next()).rejects.toThrow(
    'Did you mean `onMessage`?',
  )
})
