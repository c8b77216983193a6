import type { MANIFEST_CODES, Diagnostic } from './ports/diagnostic.ts'
import type { Manifest, Profile } from './ports/manifest.ts'

/** The code of a diagnostic about a manifest. */
type ManifestCode = keyof typeof MANIFEST_CODES

/** A finding without its file, code and severity. */
type Finding = Pick<Diagnostic, 'line' | 'message' | 'hint'>

/** A finding after which the file is not read further. */
export interface Fault extends Finding {
  readonly code: ManifestCode
}

/**
 * A diagnostic as it is kept, without its file. Immutable, so that snapshots and files with an equal finding can share
 * it.
 */
export interface CompactDiagnostic extends Fault {
  readonly severity: Diagnostic['severity']
}

/** Returns the whole diagnostic for the file at a path. */
export function materialise(path: string, { code, severity, line, message, hint }: CompactDiagnostic): Diagnostic {
  return { code, severity, path, line, message, hint }
}

/** Collects the findings of one file. Its methods return undefined, so that a rule can return their result. */
export class Report {
  readonly #profile: Profile
  readonly #found: CompactDiagnostic[] = []
  /** Whether an error was reported; then the skill is not loaded. */
  failed = false

  constructor(profile: Profile) {
    this.#profile = profile
  }

  /** The findings so far. */
  get diagnostics(): readonly CompactDiagnostic[] {
    // A copy, because an array that has grown has spare capacity for sixteen more.
    return this.#found.slice()
  }

  error(code: ManifestCode, finding: Finding): undefined {
    this.failed = true
    this.#add('error', code, finding)
  }

  /** Reports a deviation from the standard that leaves the skill usable: an error in `strict`, otherwise a warning. */
  deviation(code: ManifestCode, finding: Finding): undefined {
    if (this.#profile === 'strict') this.failed = true
    this.#add(this.#profile === 'strict' ? 'error' : 'warning', code, finding)
  }

  warning(code: ManifestCode, finding: Finding): undefined {
    this.#add('warning', code, finding)
  }

  info(code: ManifestCode, finding: Finding): undefined {
    this.#add('info', code, finding)
  }

  #add(severity: Diagnostic['severity'], code: ManifestCode, finding: Finding): void {
    this.#found.push({ ...finding, code, severity })
  }
}

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
export function failedMetadata({ path }: { readonly path: string }, fault: Fault): Metadata {
  return new Metadata(path, undefined, [{ ...fault, severity: 'error' }])
}
