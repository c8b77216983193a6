import process from 'node:process'
import type { OriginOptions } from '@repertoire/library'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokenFor, withoutToken } from '../../src/origins/tokens.ts'

const NAMES = [
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'NPM_TOKEN',
  'REPERTOIRE_TOKEN_DEV_AZURE_COM',
  'REPERTOIRE_TOKEN_GITHUB_COM',
]
const before = new Map(NAMES.map((name) => [name, process.env[name]]))

function set(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

beforeEach(() => set({ GH_TOKEN: 'first', GITHUB_TOKEN: 'second', GITLAB_TOKEN: 'third', NPM_TOKEN: 'fourth' }))
afterEach(() => set(Object.fromEntries(before)))

const of = (host: string, options: OriginOptions = {}) => tokenFor(new URL(`https://${host}/`), options)

describe('tokens', () => {
  it('[LIB-5] are those of the environment for the hosts that they are usually for, and for no other', () => {
    const hosts = ['github.com', 'gitlab.com', 'api.github.com', 'github.com:8443', 'example.com', 'constructor']
    expect(hosts.map((host) => of(host))).toEqual(['first', 'third', undefined, undefined, undefined, undefined])
    expect(of('registry.npmjs.org')).toBe('fourth')
    expect(of('npm.example.com', { registry: 'https://npm.example.com/npm/' })).toBe('fourth')
    set({ REPERTOIRE_TOKEN_DEV_AZURE_COM: 'fifth', REPERTOIRE_TOKEN_GITHUB_COM: 'sixth' })
    expect(['dev.azure.com', 'github.com'].map((host) => of(host))).toEqual(['fifth', 'sixth'])
    set({ GH_TOKEN: '', REPERTOIRE_TOKEN_GITHUB_COM: undefined })
    expect(of('github.com')).toBe('second')
  })

  it('[LIB-5] of the options take the place of all of the environment', () => {
    const tokens = { 'example.com': 'mine' }
    expect(of('example.com', { tokens })).toBe('mine')
    expect(of('github.com', { tokens })).toBeUndefined()
    expect(of('registry.npmjs.org', { tokens })).toBeUndefined()
    expect(of('constructor', { tokens })).toBeUndefined()
  })

  it('[LIB-5, ABUSE-69] are sent in clear to this machine alone', () => {
    const tokens = { 'npm.example.com': 'mine', '127.0.0.1:4873': 'own' }
    const sent = ['https://npm.example.com/', 'http://npm.example.com/', 'http://127.0.0.1:4873/'].map((address) =>
      tokenFor(new URL(address), { tokens }),
    )
    expect(sent).toEqual(['mine', undefined, 'own'])
  })

  it('[LIB-5] that would begin another header are not sent, and none is repeated', () => {
    expect(of('example.com', { tokens: { 'example.com': 'a\r\nx-other: b' } })).toBeUndefined()
    expect(withoutToken('fatal: secret of secret', 'secret')).toBe('fatal: … of …')
  })
})
