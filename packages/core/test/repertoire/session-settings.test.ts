import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../../src/repertoire/options.ts'
import { haveSameSettings } from '../../src/repertoire/session-settings.ts'

const one = (): never => {
  throw new Error('not called')
}
const other = (): never => one()

type Values<K extends keyof SessionOptions> = readonly [SessionOptions[K], SessionOptions[K]]

/** Two values of each option: the compiler asks for a row where one is added. */
const VALUES: { readonly [K in keyof Required<SessionOptions>]: Values<K> } = {
  id: ['a', 'b'],
  agent: ['a', 'b'],
  tenant: ['a', 'b'],
  environment: ['a', 'b'],
  skills: [['pdf'], []],
  consent: [one, other],
  consentTimeout: [1, 2],
  match: [one, other],
  cwd: ['/a', '/b'],
  runStep: [one, other],
  hostTools: [['Read'], ['Bash']],
  model: ['a', 'b'],
  correlationId: ['a', 'b'],
  onProblem: [one, other],
  saved: [{} as SessionOptions['saved'], undefined],
  checkpoint: [one, other],
  policy: [{ allow: ['Read'] }, { allow: ['Bash'] }],
  mode: ['restrict', 'preapprove'],
  composition: ['narrow', 'top'],
  tools: [{}, {}],
  toolRoot: ['/a', '/b'],
  triggers: ['off', 'suggest'],
  until: [new AbortController().signal, new AbortController().signal],
}

/** What a session is given beside its settings. */
const OF_ONE_SESSION: ReadonlySet<string> = new Set(['id', 'hostTools', 'model', 'correlationId', 'saved', 'until'])

describe('the settings of a session', () => {
  it.each(Object.entries(VALUES))(
    '[NFR-6] are not those of one with another %s, or with none',
    (name, [first, second]) => {
      const [a, b] = [{ [name]: first }, { [name]: second }] as readonly [SessionOptions, SessionOptions]
      const isShared = OF_ONE_SESSION.has(name)
      expect([haveSameSettings(a, b), haveSameSettings(a, {}), haveSameSettings({}, a)]).toEqual([
        isShared,
        isShared,
        isShared,
      ])
    },
  )
})
