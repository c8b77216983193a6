import { describe, expect, it } from 'vitest'
import { resolveTurns } from '../../../src/session/turn/settings.ts'
import { foreign } from '../../foreign.ts'

describe('what messages and forks may do', () => {
  it('[ACT-10, ACT-11, ACT-12] is settled where the host says nothing', () => {
    expect(resolveTurns({})).toEqual({
      triggers: 'suggest',
      invocations: true,
      forkResultLimit: 100_000,
      forkGrace: 5_000,
    })
  })

  it.each([
    { triggers: 'off', invocations: false, forkResultLimit: 1, forkGrace: 0 } as const,
    { triggers: 'suggest', invocations: true, forkResultLimit: 7.5, forkGrace: 1 } as const,
    { triggers: 'activate', invocations: true, forkResultLimit: Infinity, forkGrace: Infinity } as const,
  ])('[ACT-10, ACT-11, ACT-12] is what the host says: %j', (options) => {
    expect(resolveTurns(options)).toEqual(options)
  })

  it.each([
    [{ triggers: 'always' }, 'There is no `triggers` "always". Give "off", "suggest" or "activate".'],
    [
      { triggers: 'x'.repeat(121) },
      `There is no \`triggers\` "${'x'.repeat(120)}…". Give "off", "suggest" or "activate".`,
    ],
    [{ triggers: true }, 'There is no `triggers` true. Give "off", "suggest" or "activate".'],
    [{ invocations: 'yes' }, '`invocations` is "yes". Give true or false.'],
    [{ invocations: null }, '`invocations` is null. Give true or false.'],
    [{ forkResultLimit: 0 }, 'forkResultLimit is 0. Give a number of characters, 1 or more; Infinity for no limit.'],
    [
      { forkResultLimit: '9' },
      'forkResultLimit is "9". Give a number of characters, 1 or more; Infinity for no limit.',
    ],
    [
      { forkResultLimit: Number.NaN },
      'forkResultLimit is NaN. Give a number of characters, 1 or more; Infinity for no limit.',
    ],
    [{ forkGrace: -1 }, 'forkGrace is -1. Give milliseconds, 0 or more; Infinity for no limit.'],
    [{ forkGrace: null }, 'forkGrace is null. Give milliseconds, 0 or more; Infinity for no limit.'],
  ])('[ACT-10, ACT-11, ACT-12] is refused where it is none: %j', (options, message) => {
    expect(() => resolveTurns(foreign(options))).toThrow(new TypeError(message))
  })
})
