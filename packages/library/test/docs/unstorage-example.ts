import { openRepertoire } from '@repertoire/core'
import { unstorageSource } from '@repertoire/library'
import type { Driver } from 'unstorage'

/** Opens the skills that are kept under `skills:<name>:SKILL.md`, whatever the driver. */
export function openStored(storage: Driver) {
  return openRepertoire({ sources: [unstorageSource({ storage, base: 'skills' })] })
}
