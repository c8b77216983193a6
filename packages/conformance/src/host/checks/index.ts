import type { HostCheck } from '../check.ts'
import { activationHostChecks } from './activation.ts'
import { brokenHostChecks } from './broken.ts'
import { consentHostChecks } from './consent.ts'
import { historyHostChecks } from './history.ts'
import { isolationHostChecks } from './isolation.ts'
import { hostileHostChecks } from './listing-hostile.ts'
import { listingHostChecks } from './listing.ts'
import { reloadHostChecks } from './reload.ts'
import { resourcesHostChecks } from './resources.ts'
import { toldHostChecks } from './told.ts'

/** Every check of the host profile, in the order of reports. */
export const hostChecks: readonly HostCheck[] = [
  ...listingHostChecks,
  ...hostileHostChecks,
  ...brokenHostChecks,
  ...activationHostChecks,
  ...resourcesHostChecks,
  ...historyHostChecks,
  ...isolationHostChecks,
  ...reloadHostChecks,
  ...consentHostChecks,
  ...toldHostChecks,
]
