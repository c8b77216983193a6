import { expect, test } from 'vitest'
import { argumentsAsObject, readArguments } from '../../../src/adapter.ts'

test('[ADPT-4] reads arguments as JSON, nothing as no input, and anything else as the text that it is', () => {
  expect(readArguments('{"a": 1}')).toEqual({ a: 1 })
  expect(readArguments(' \n')).toEqual({})
  expect(readArguments('{"a": ')).toBe('{"a": ')
  expect(readArguments('"{}"')).toBe('{}')
  expect(readArguments('null')).toBe(null)
})

test('[ADPT-4] returns an object unchanged, and an empty one for anything else', () => {
  const input = { a: [1] }
  expect(argumentsAsObject(input)).toBe(input)
  for (const other of ['{"a": ', '{}', [1], null, undefined, 7, true]) expect(argumentsAsObject(other)).toEqual({})
})
