import type { ListingStyle } from '../disclosure/listing.ts'
import type { ToolArguments } from '../gate/index.ts'
import type { ManifestParser } from '../manifest/index.ts'
import type { SkillToolNames } from '../tools/definitions.ts'
import type { ConsentHandler, Profile } from '../types.ts'

/** Everything of a session that is settled when it is opened. */
export interface SessionContext {
  readonly parser: ManifestParser
  readonly profile: Profile
  readonly toolNames: SkillToolNames
  readonly toolArguments: ToolArguments
  readonly style: ListingStyle
  readonly consent: ConsentHandler | undefined
  /** In milliseconds. */
  readonly consentTimeout: number
  readonly cwd: string | undefined
  readonly hostTools: readonly string[] | undefined
  readonly stateKey: string | undefined
}
