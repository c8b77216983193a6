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

/** Collects the findings of one file. Its methods return undefined, so that a rule can return their result. */
export class Report {
  readonly #profile: Profile
  readonly #path: string
  readonly #found: Diagnostic[] = []
  /** Whether an error was reported; then the skill is not loaded. */
  failed = false

  /** @param path of the file, for its diagnostics */
  constructor(profile: Profile, path: string) {
    this.#profile = profile
    this.#path = path
  }

  /** The findings so far. */
  get diagnostics(): readonly Diagnostic[] {
    // A copy, because an array that has grown has spare capacity for sixteen more.
    return this.#found.length === 0 ? NONE : this.#found.slice()
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

  #add(severity: Diagnostic['severity'], code: ManifestCode, { line, message, hint }: Finding): void {
    this.#found.push({ code, severity, path: this.#path, line, message, hint })
  }
}

const NONE: readonly never[] = Object.freeze([])

/** The result of reading a frontmatter. Without a manifest the skill is not loaded, and at least one error says why. */
export interface Metadata {
  /** Deeply frozen. */
  readonly manifest: Manifest | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Returns the metadata of a file whose frontmatter cannot be read. */
export function failedMetadata({ path }: { readonly path: string }, { code, line, message, hint }: Fault): Metadata {
  return { manifest: undefined, diagnostics: [{ code, severity: 'error', path, line, message, hint }] }
}
