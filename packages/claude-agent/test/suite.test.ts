import { checks } from '@repertoire/conformance'
import { describeConformance } from '@repertoire/conformance/vitest'
import { lacksClaudeCode } from '@repertoire/test-servers'
import process from 'node:process'
import { describe } from 'vitest'
import { claudeAgentDriver } from '../src/conformance.ts'

/** A start of Claude Code takes as long as many scenarios of another adapter, so only these run on every machine. */
const TEN = [
  'activation-hooks',
  'consent-handler',
  'consent-changed',
  'consent-approval-each',
  'gate-stack',
  'gate-side-by-side',
  'isolation-at-once',
  'forks-work',
  'cleanup-another',
  'cleanup-stuck-tool',
]

/** In CI also those of the gate, if it can do most harm. All run weekly: npm run claude-code -- --suite. */
const inCI = checks.flatMap(({ id }) => (id.startsWith('gate-') || TEN.includes(id) ? [id] : []))
const only = process.env['CI'] === undefined ? TEN : inCI

describe.skipIf(lacksClaudeCode())(`${only.length} checks with the real child process (needs Claude Code)`, () => {
  describeConformance(claudeAgentDriver, { only })
})
