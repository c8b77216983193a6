import { describeConformance } from '@repertoire/conformance/vitest'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { describe } from 'vitest'
import { claudeAgentDriver } from '../src/conformance.ts'

/** A start of Claude Code takes as long as a hundred checks of another adapter, so only these run on every machine. */
const TEN = [
  'activation-content',
  'consent-asked-before-activation',
  'consent-denied',
  'consent-one-at-a-time',
  'consent-approval',
  'gate-rogue-call',
  'gate-side-by-side',
  'errors-tool-throws',
  'forks-result-only',
  'cleanup-abort-reaches-tools',
]

// All of them run once a week: npm run claude-code -- --suite.
describe.skipIf(lacksClaudeCode())('ten checks with the real child process (needs Claude Code)', () => {
  describeConformance(claudeAgentDriver, { only: TEN })
})
