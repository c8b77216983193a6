import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Manifest, Profile } from '../ports/manifest.ts'
import { materialise, Report } from './diagnostics.ts'
import type { CompactDiagnostic, Fault } from './diagnostics.ts'

/** What was read of a frontmatter. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** As diagnostics name the file. */
  readonly path: string
  /** Frozen, with all that it holds. */
  readonly manifest: Manifest | undefined
  /** As they are kept; `diagnostics` are made of them. */
  readonly compact: readonly CompactDiagnostic[]

  constructor(path: string, manifest: Manifest | undefined, compact: readonly CompactDiagnostic[]) {
    this.path = path
    this.manifest = manifest
    this.compact = compact
  }

  /** Made anew by each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.compact.map((compact) => materialise(this.path, compact))
  }
}

/** The metadata of a file that has no frontmatter to read. */
export function failedMetadata(
  { path, profile }: { readonly path: string; readonly profile: Profile },
  { code, ...finding }: Fault,
): Metadata {
  const report = new Report(profile)
  report.error(code, finding)
  return new Metadata(path, undefined, report.diagnostics)
}
