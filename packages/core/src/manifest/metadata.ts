import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Manifest, Profile } from '../ports/manifest.ts'
import { Report, toDiagnostic } from './diagnostics.ts'
import type { Fault, CompactDiagnostic } from './diagnostics.ts'

/** What a frontmatter says. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** As diagnostics name the file. */
  readonly path: string
  /** Frozen, with all that it holds. */
  readonly manifest: Manifest | undefined
  /** As they are kept; `diagnostics` words them. */
  readonly told: readonly CompactDiagnostic[]

  constructor(path: string, manifest: Manifest | undefined, told: readonly CompactDiagnostic[]) {
    this.path = path
    this.manifest = manifest
    this.told = told
  }

  /** Made anew by each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.told.map((told) => toDiagnostic(this.path, told))
  }
}

/** What a file says that ends the reading before there is a frontmatter. */
export function failure(
  { path, profile }: { readonly path: string; readonly profile: Profile },
  { code, ...finding }: Fault,
): Metadata {
  const report = new Report(profile)
  report.error(code, finding)
  return new Metadata(path, undefined, report.told)
}
