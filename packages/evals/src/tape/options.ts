import type { ProtocolName } from '@repertoire/conformance'
import { anyText, listOf, oneOf, type OptionTable, recordOf, required, secret, tableOf } from '@repertoire/core/options'
import type { TapeUpstream } from './provider.ts'

/** Options of `openTape`. */
export interface TapeOptions {
  /** The folder of the tape, with a file for each run. */
  readonly folder: string
  /** The model's name. */
  readonly model: string
  /** The provider's protocol. Default `openai`, chat completions. */
  readonly protocol?: ProtocolName | undefined
  /** The provider to record. Absent: the tape is replayed, and no provider is asked. */
  readonly record?: TapeUpstream | undefined
  /** Who answers, for readers of the tape. Default: the host of the provider. */
  readonly source?: string | undefined
  /** Texts that never reach the tape, beside keys of known shapes and those of the environment. */
  readonly secrets?: readonly string[] | undefined
  /** Texts that differ between machines, by the name that stands for them: `{ project: '/work/app' }`. */
  readonly places?: Readonly<Record<string, string>> | undefined
}

/** The options of `openTape`. */
export const TAPE_OPTIONS: OptionTable<TapeOptions> = {
  folder: required(anyText),
  model: required(anyText),
  protocol: oneOf('openai', 'openai-responses', 'anthropic', 'gemini'),
  record: tableOf<TapeUpstream>({ baseURL: required(anyText), apiKey: secret }),
  source: anyText,
  secrets: listOf(secret, 'a list of texts'),
  places: recordOf(anyText),
}
