import type { Diagnostic, Manifest } from '../types.ts'
import { toDiagnostic } from './diagnostics.ts'
import type { Told } from './diagnostics.ts'

/** What a frontmatter says. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** Frozen, with all that it holds. */
  readonly manifest: Manifest | undefined
  /** As they are kept; `diagnostics` words them. */
  readonly told: readonly Told[]

  constructor(manifest: Manifest | undefined, told: readonly Told[] = NOTHING) {
    this.manifest = manifest
    this.told = told
  }

  /** Made anew by each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.told.map(toDiagnostic)
  }
}

const NOTHING: readonly Told[] = []
