import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Manifest } from '../ports/manifest.ts'
import { toDiagnostic } from './diagnostics.ts'
import type { Told } from './diagnostics.ts'

/** What a frontmatter says. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** As diagnostics name the file. */
  readonly path: string
  /** Frozen, with all that it holds. */
  readonly manifest: Manifest | undefined
  /** As they are kept; `diagnostics` words them. */
  readonly told: readonly Told[]

  constructor(path: string, manifest: Manifest | undefined, told: readonly Told[]) {
    this.path = path
    this.manifest = manifest
    this.told = told
  }

  /** Made anew by each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.told.map((told) => toDiagnostic(this.path, told))
  }
}
