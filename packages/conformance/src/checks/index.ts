import type { Check } from '../check.ts'
import { activationChecks } from './activation.ts'
import { cleanupChecks } from './cleanup.ts'
import { consentChecks } from './consent.ts'
import { errorChecks } from './errors.ts'
import { patternChecks } from './gate-patterns.ts'
import { gateChecks } from './gate.ts'
import { isolationChecks } from './isolation.ts'
import { listingChecks } from './listing.ts'
import { ownToolChecks } from './own-tools.ts'
import { reloadChecks } from './reload.ts'
import { resourceChecks } from './resources.ts'
import { stackChecks } from './stack.ts'
import { styleChecks } from './styles.ts'

/** Everything that an adapter is judged by. */
export const checks: readonly Check[] = [
  ...listingChecks,
  ...styleChecks,
  ...activationChecks,
  ...ownToolChecks,
  ...reloadChecks,
  ...resourceChecks,
  ...gateChecks,
  ...patternChecks,
  ...consentChecks,
  ...stackChecks,
  ...isolationChecks,
  ...errorChecks,
  ...cleanupChecks,
]
