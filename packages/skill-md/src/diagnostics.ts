import type { MANIFEST_CODES, Diagnostic } from './ports/diagnostic.ts'
import type { Manifest, Profile } from './ports/manifest.ts'

/** The code of a diagnostic about a manifest. */
type ManifestCode = keyof typeof MANIFEST_CODES

/** The texts of a diagnostic. */
type DiagnosticText = Pick<Diagnostic, 'message' | 'hint'>

/** A finding without its file, code and severity. */
interface Finding extends DiagnosticText {
  /** 1-based. */
  readonly line?: number
}

/** A finding after which the file is not read further. */
export interface Fault extends Finding {
  readonly code: ManifestCode
}

/** A finding that many skills have and few people read: its text is built from the subject on access. */
interface DeferredFinding {
  readonly line: number
  readonly text: (subject: string, other: string) => DiagnosticText
  /** A part of the file. */
  readonly subject: string
  /** A second value for the text. */
  readonly other?: string
}

/**
 * A diagnostic as it is kept, without its file: it takes a third of the memory of a whole one. Immutable, so that
 * snapshots and files with an equal finding can share it.
 */
export interface CompactDiagnostic {
  readonly code: ManifestCode
  readonly severity: Diagnostic['severity']
  readonly line: number | undefined
  readonly text: DiagnosticText | DeferredFinding['text']
  readonly subject: string
  readonly other: string
}

/** Returns the whole diagnostic, with its texts, for the file at a path. */
export function materialise(path: string, compact: CompactDiagnostic): Diagnostic {
  const { code, severity, line, text, subject, other } = compact
  const { message, hint } = typeof text === 'function' ? text(subject, other) : text
  return {
    code,
    severity,
    path,
    ...(line === undefined ? {} : { line }),
    message,
    ...(hint === undefined ? {} : { hint }),
  }
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
  deviation(code: ManifestCode, finding: Finding | DeferredFinding): undefined {
    if (this.#profile === 'strict') this.failed = true
    this.#add(this.#profile === 'strict' ? 'error' : 'warning', code, finding)
  }

  warning(code: ManifestCode, finding: Finding): undefined {
    this.#add('warning', code, finding)
  }

  info(code: ManifestCode, finding: Finding | DeferredFinding): undefined {
    this.#add('info', code, finding)
  }

  #add(severity: Diagnostic['severity'], code: ManifestCode, finding: Finding | DeferredFinding): void {
    const { line } = finding
    const compact: CompactDiagnostic =
      'text' in finding
        ? { code, severity, line, text: finding.text, subject: finding.subject, other: finding.other ?? '' }
        : { code, severity, line, text: finding, subject: '', other: '' }
    this.#found.push(compact)
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
export function failedMetadata(
  { path, profile }: { readonly path: string; readonly profile: Profile },
  { code, ...finding }: Fault,
): Metadata {
  const report = new Report(profile)
  report.error(code, finding)
  return new Metadata(path, undefined, report.diagnostics)
}
