import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('[ADPT-8] tests with the Claude Code of the SDK in the workspace', () => {
  const require = createRequire(import.meta.url)
  const sdk = readFileSync(join(require.resolve('@anthropic-ai/claude-agent-sdk'), '../package.json'), 'utf8')
  const { version } = JSON.parse(sdk) as { readonly version: string }
  const file = join(import.meta.dirname, '../../../apps/claude-code/package.json')
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>
  }
  expect([...new Set(Object.values(optionalDependencies))]).toEqual([version])
})
