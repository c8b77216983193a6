import type { Diagnostic } from './ports/diagnostic.ts'
import type { Manifest, Profile } from './ports/manifest.ts'
import { materialise, Report, type CompactDiagnostic, type Fault } from './diagnostics.ts'

/** The result of reading a frontmatter. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** The path in diagnostics. */
  readonly path: string
  /** Deeply frozen. */
  readonly manifest: Manifest | undefined
  /** The compact form, from which `diagnostics` are made. */
  readonly compact: readonly CompactDiagnostic[]

  constructor(path: string, manifest: Manifest | undefined, compact: readonly CompactDiagnostic[]) {
    this.path = path
    this.manifest = manifest
    this.compact = compact
  }

  /** Built again on each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.compact.map((compact) => materialise(this.path, compact))
  }
}

/** Returns the metadata of a file whose frontmatter cannot be read. */
export function failedMetadata(
  { path, profile }: { readonly path: string; readonly profile: Profile },
  { code, ...finding }: Fault,
): Metadata {
  const report = new Report(profile)
  report.error(code, finding)
  return new Metadata(path, undefined, report.diagnostics)
}
