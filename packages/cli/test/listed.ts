import type { Diagnostic } from '@repertoire/core'
import type { Ended } from './command.ts'

/** What `list --json` prints. */
interface ListJson {
  readonly skills: readonly {
    readonly name: string
    readonly description: string
    readonly location: string
    readonly layer: string
    readonly shadowedBy?: string
    readonly status?: string
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the output of `list --json`. */
export function parsed({ stdout }: Ended): ListJson {
  return JSON.parse(stdout) as ListJson
}
