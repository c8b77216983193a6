import { checks } from '@repertoire/conformance'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claudeAgentDriver } from '../src/conformance.ts'

const FOLDER = join(import.meta.dirname, '../../../apps/claude-code')

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const require = createRequire(import.meta.url)
const sdk = join(require.resolve('@anthropic-ai/claude-agent-sdk'), '../package.json')
const { version } = readJson(sdk) as { readonly version: string }

it('[ADPT-8] tests with the Claude Code of the SDK in the workspace', () => {
  const { optionalDependencies } = readJson(join(FOLDER, 'package.json')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>
  }
  expect([...new Set(Object.values(optionalDependencies))]).toEqual([version])
})

it('[ADPT-8, CONF-3] stores results for the matrix of this version, for every check, and none that fails', () => {
  const stored = readJson(join(FOLDER, 'conformance.json')) as {
    readonly version: string
    readonly variant: string
    readonly results: readonly { readonly id: string; readonly status: string }[]
  }
  // Out of date: run "npm run claude-code -- --suite".
  expect(stored).toMatchObject({ version, variant: claudeAgentDriver.variants[0].name })
  expect(stored.results.map(({ id }) => id)).toEqual(checks.map(({ id }) => id))
  expect(stored.results.filter(({ status }) => status === 'fail')).toEqual([])
  const known = Object.keys(claudeAgentDriver.known ?? {}).flatMap((key) =>
    key.startsWith('*') ? [] : [key.split('/')[0]!],
  )
  const seen = stored.results.flatMap(({ id, status }) => (status === 'known' ? [id] : []))
  expect(seen.toSorted()).toEqual([...new Set(known)].toSorted())
})
