import { OpenError } from '@repertoire/core/node'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { isSystemError, systemCodeOf } from '../src/system-code.ts'

it.each([
  ['of the system', Object.assign(new Error('no'), { code: 'EACCES' }), 'EACCES'],
  ['of another realm', runInNewContext(`Object.assign(new Error('no'), { code: 'EACCES' })`), 'EACCES'],
  ['behind a refusal', new OpenError('denied', Object.assign(new Error('no'), { code: 'EPERM' })), 'EPERM'],
  ['without one', new Error('no'), ''],
  ['with a number', Object.assign(new Error('no'), { code: 20 }), ''],
  ['that is a text', 'EACCES', ''],
  ['that is nothing', null, ''],
] as const)('[LIB-6] knows the code of an error %s', (_, error: unknown, code) => {
  expect(systemCodeOf(error)).toBe(code)
})

it('[LIB-6] knows an error of the system, whatever realm it is of', () => {
  expect(isSystemError(runInNewContext(`Object.assign(new Error('no'), { errno: -2 })`))).toBe(true)
  expect([new Error('no'), undefined, null, 'ENOENT'].map(isSystemError)).toEqual([false, false, false, false])
})
