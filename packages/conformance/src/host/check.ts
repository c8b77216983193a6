import type { HostBench } from './bench.ts'

/** What a host may lack, so that a check is n/a. `own reading`: files of skills are read by a tool of their own. */
type HostNeed = 'activation' | 'reading' | 'own reading' | 'own activation'

/** One question to a host. A check is data, so that reports and people can read it. */
export interface HostCheck {
  /** Stable, kebab-case, `<area>-<what>`. */
  readonly id: string
  /** The area of behaviour, such as `listing`. */
  readonly area: string
  /**
   * `MUST`: a host that fails loses text, runs code, shows what it must not, or stops working. `SHOULD`: a careful host
   * does it. `INFO`: it is told and not judged.
   */
  readonly level: 'MUST' | 'SHOULD' | 'INFO'
  readonly title: string
  readonly needs?: readonly HostNeed[]
  /** Rejects with what was seen and what was expected. Resolves with the text to tell, if the level is `INFO`. */
  run(bench: HostBench): Promise<string | void>
}
