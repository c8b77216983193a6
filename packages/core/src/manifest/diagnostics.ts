import type { MANIFEST_CODES } from '../ports/diagnostic-codes.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Profile } from '../ports/manifest.ts'
import { copyString } from '../text/copy-string.ts'
import type { StringCopier } from '../text/copy-string.ts'

/** The code of a manifest's diagnostic. */
type ManifestCode = keyof typeof MANIFEST_CODES

interface Words {
  readonly message: string
  readonly hint?: string
}

/** A finding before it is told where and how severe it is. */
interface Finding extends Words {
  /** 1-based. */
  readonly line?: number
}

/** A finding that ends the reading. */
export interface Fault extends Finding {
  readonly code: ManifestCode
}

/** What many skills have and few people read: the words are made of the subject when someone does. */
interface Unworded {
  readonly line: number
  readonly words: (subject: string, other: string) => Words
  /** A part of the file. */
  readonly subject: string
  /** What the words need beside it; no part of the file's text. */
  readonly other?: string
}

/**
 * A diagnostic as it is kept, without its file: a third of the memory of one that is worded. Immutable, so that
 * snapshots, and files that say the same, share it.
 */
export interface CompactDiagnostic {
  readonly code: ManifestCode
  readonly severity: Diagnostic['severity']
  readonly line: number | undefined
  readonly words: Words | Unworded['words']
  readonly subject: string
  readonly other: string
}

export function toDiagnostic(
  path: string,
  { code, severity, line, words, subject, other }: CompactDiagnostic,
): Diagnostic {
  const { message, hint } = typeof words === 'function' ? words(subject, other) : words
  return {
    code,
    severity,
    path,
    ...(line === undefined ? {} : { line }),
    message,
    ...(hint === undefined ? {} : { hint }),
  }
}

/** The words alone. Most hints are constants, and shared. */
function own({ message, hint }: Finding): Words {
  return hint === undefined ? { message: copyString(message) } : { message: copyString(message), hint }
}

const NOTHING: readonly CompactDiagnostic[] = []

/** Collects the findings of one file. Its methods give nothing, so that a rule can end with one of them. */
export class Report {
  readonly #profile: Profile
  readonly #copyString: StringCopier
  #told: CompactDiagnostic[] | undefined
  /** Whether an error was reported, so that the skill is not loaded. */
  failed = false

  /** @param detaching for the parts of the file that findings keep */
  constructor(profile: Profile, detaching: StringCopier = copyString) {
    this.#profile = profile
    this.#copyString = detaching
  }

  /** What was found so far. */
  get told(): readonly CompactDiagnostic[] {
    if (this.#told === undefined) return NOTHING
    // A list that has grown has room for sixteen more.
    return this.#told.length > 1 ? this.#told.slice() : this.#told
  }

  error(code: ManifestCode, finding: Finding): undefined {
    this.failed = true
    this.#add('error', code, finding)
  }

  /** What the standard does not allow and what leaves the skill usable: an error in `strict`, else a warning. */
  deviation(code: ManifestCode, finding: Finding | Unworded): undefined {
    if (this.#profile === 'strict') this.failed = true
    this.#add(this.#profile === 'strict' ? 'error' : 'warning', code, finding)
  }

  warning(code: ManifestCode, finding: Finding): undefined {
    this.#add('warning', code, finding)
  }

  info(code: ManifestCode, finding: Finding | Unworded): undefined {
    this.#add('info', code, finding)
  }

  #add(severity: Diagnostic['severity'], code: ManifestCode, finding: Finding | Unworded): void {
    const { line } = finding
    const told: CompactDiagnostic =
      'words' in finding
        ? {
            code,
            severity,
            line,
            words: finding.words,
            subject: this.#copyString(finding.subject),
            other: finding.other ?? '',
          }
        : { code, severity, line, words: own(finding), subject: '', other: '' }
    if (this.#told === undefined) this.#told = [told]
    else this.#told.push(told)
  }
}
