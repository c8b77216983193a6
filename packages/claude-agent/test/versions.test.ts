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

it('[ADPT-8, CONF-3] stores results for the matrix of this version, with every check and what the driver declares', () => {
  const stored = readJson(join(FOLDER, 'conformance.json'))
  const { capabilities, known = {} } = claudeAgentDriver
  const declared = checks.map(({ id, needs = [] }) => {
    const absent = needs.flatMap((name) => {
      const capability = capabilities[name]
      return capability !== true && 'absent' in capability ? [`${name}: ${capability.absent}`] : []
    })
    if (absent.length > 0) return { id, status: 'n/a', reason: absent.join('; ') }
    return known[id] === undefined ? { id, status: 'pass' } : { id, status: 'known', reason: known[id] }
  })
  expect(stored, 'out of date; run "npm run claude-code -- --suite"').toEqual({
    version,
    variant: claudeAgentDriver.variants[0].name,
    results: declared,
  })
})
