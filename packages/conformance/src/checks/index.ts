import type { Check } from '../check.ts'
import { activationChecks } from './activation.ts'
import { cleanupChecks } from './cleanup.ts'
import { consentChecks } from './consent.ts'
import { errorChecks } from './errors.ts'
import { patternChecks } from './gate-patterns.ts'
import { gateChecks } from './gate.ts'
import { isolationChecks } from './isolation.ts'
import { listingChecks } from './listing.ts'
import { resourceChecks } from './resources.ts'
import { stackChecks } from './stack.ts'

/** Everything that an adapter is judged by. */
export const checks: readonly Check[] = [
  ...listingChecks,
  ...activationChecks,
  ...resourceChecks,
  ...gateChecks,
  ...patternChecks,
  ...consentChecks,
  ...stackChecks,
  ...isolationChecks,
  ...errorChecks,
  ...cleanupChecks,
]
