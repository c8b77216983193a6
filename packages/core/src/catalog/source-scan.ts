import {
  AGENT_FILE,
  type CompactDiagnostic,
  type ManifestParser,
  materialise,
  type Metadata,
  type DiagnosticCode,
  type Diagnostic,
  type Profile,
  type Layer,
  type Skill,
  HEAD_BYTES,
} from '@repertoire/skill-md/internal'
import { withAgentFile } from '@repertoire/skill-md/internal/parser'
import { inTime } from '../time-limit.ts'
import type { FoundSkill, SkillSource } from '../ports/source.ts'
import { type FormerSkills, createFormerSkills, toSkill } from './source-skill.ts'
import { manifestFailed, skillKept, sourceFailed } from './scan-diagnostics.ts'

/** A manifest that exists but from which no skill was loaded. */
export interface BrokenSkill {
  /** The unchecked name in the manifest, where one can be read. */
  readonly declared?: string
  readonly folderName: string
  /** The manifest file. The diagnostics that say why it is broken have the same path. */
  readonly path: string
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
}

/** What a source holds, in the order of discovery. */
export interface ScannedSource {
  readonly found: readonly Skill[]
  /** The skills in `found` that cannot be read now and are kept from an earlier scan. */
  readonly kept: readonly Skill[]
  readonly broken: readonly BrokenSkill[]
  readonly pending: readonly PendingDiagnostic[]
}

/** Settings that are the same for the scans of all sources. */
export interface ScanSettings {
  readonly parser: ManifestParser
  readonly profile: Profile
  /** Every skill of the previous scan, from all sources. */
  readonly former: readonly Skill[]
  /** For the scan, and for each read of a folder, in milliseconds. */
  readonly loadTimeout: number
}

/** Diagnostics of a scan, as they are kept until they are read. Most never are, so their messages are built only then. */
type PendingDiagnostic =
  | { readonly path: string; readonly compact: readonly CompactDiagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }
  | { readonly search: () => readonly Diagnostic[] }

/** Returns the diagnostics with their messages. */
export function materialiseAll(pending: readonly PendingDiagnostic[]): Diagnostic[] {
  return pending.flatMap((entry) => {
    if ('compact' in entry) return entry.compact.map((compact) => materialise(entry.path, compact))
    return 'search' in entry ? entry.search() : entry.diagnostics
  })
}

/** Returns the diagnostics because of which something was not loaded. Those of skills that were read are never errors. */
export function errorsOf(pending: readonly PendingDiagnostic[]): readonly Diagnostic[] {
  return pending.flatMap((entry) =>
    'diagnostics' in entry ? entry.diagnostics.filter(({ severity }) => severity === 'error') : [],
  )
}

/** The codes with which a source reports a manifest that it could not read. */
const UNREAD_MANIFEST: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'MANIFEST_LINKED',
  'MANIFEST_MISNAMED',
  'MANIFEST_NOT_A_FILE',
  'MANIFEST_SPELLINGS',
  'MANIFEST_TOO_LARGE',
  'MANIFEST_UNREADABLE',
])

/** Collects the skills and diagnostics of one source during its scan. */
export class SourceScan {
  readonly #id: string
  readonly #layer: Layer
  readonly #settings: ScanSettings
  readonly #former: FormerSkills
  // A candidate whose metadata is still awaited has its slot already, so that the order is that of discovery.
  readonly #found: (Skill | undefined)[] = []
  readonly #pending: PendingDiagnostic[] = []
  // Each with its slot.
  readonly #kept: (readonly [number, Skill])[] = []
  readonly #broken: (readonly [number, BrokenSkill])[] = []
  /** Paths of the broken manifests. */
  readonly #lost = new Set<string>()
  readonly #awaited: Promise<void>[] = []

  constructor({ id, layer }: SkillSource, settings: ScanSettings) {
    this.#id = id
    this.#layer = layer
    this.#settings = settings
    this.#former = createFormerSkills(settings.former, id, layer)
  }

  /** Reads a candidate. */
  visit(candidate: FoundSkill): void {
    const at = this.#found.push(undefined) - 1
    try {
      const { path, folderName, fileName } = candidate
      const { parser, profile } = this.#settings
      const own = parser.metadata(candidate, { path, folderName, fileName, profile })
      const result = candidate.hasAgentFile === true ? this.#withAgentFile(candidate, own) : own
      if (result instanceof Promise) this.#await(candidate, result, at)
      else if (result.manifest === undefined) {
        this.#pending.push(this.#addResult(candidate, result, at, declaredName(candidate.head(HEAD_BYTES))))
      } else {
        const pending = this.#addResult(candidate, result, at)
        if (result.compact.length > 0) this.#pending.push(pending)
      }
    } catch (error) {
      // If rethrown, the error would end the source's scan, and all later skills would be missing.
      this.#pending.push(this.#failed(candidate, error, at))
    }
  }

  /** Records a diagnostic of the source. The skill that it is about is kept from an earlier scan. */
  report(diagnostic: Diagnostic): void {
    this.#pending.push({ diagnostics: [diagnostic] })
    const { code, severity, path } = diagnostic
    if (severity === 'error' && UNREAD_MANIFEST.has(code)) {
      // The file failed during its read, so the skill just found was read from a part of the file.
      if (this.#found.at(-1)?.path === path) this.#found.pop()
      const at = this.#found.push(undefined) - 1
      const broken = { folderName: folderOf(path), path, layer: this.#layer, source: this.#id }
      this.#pending.push({ diagnostics: this.#lose(broken, at) })
    } else if (code === 'FOLDER_UNREADABLE' && this.#settings.former.length > 0) {
      const hidden = this.#former.below(path)
      this.#keep(hidden)
      this.#pending.push({ diagnostics: hidden.map(skillKept) })
    }
  }

  /** Registers a search that runs when the diagnostics are read. */
  searchLater(search: () => readonly Diagnostic[]): void {
    this.#pending.push({ search: guarded(this.#id, search) })
  }

  /** Ends the scan and returns what it found. */
  async end(): Promise<ScannedSource> {
    await Promise.all(this.#awaited)
    const found = this.#found
    return {
      found: found.includes(undefined) ? found.filter((skill) => skill !== undefined) : (found as Skill[]),
      kept: inOrder(this.#kept),
      broken: inOrder(this.#broken),
      pending: this.#pending,
    }
  }

  /** Ends a scan whose source failed. Skills that the source did not reach are kept from an earlier scan. */
  async fail(error: unknown): Promise<ScannedSource> {
    await Promise.all(this.#awaited)
    const seen = new Set([...this.#found.map((skill) => skill?.path), ...this.#broken.map(([, { path }]) => path)])
    const rest = this.#settings.former.length === 0 ? [] : this.#former.without(seen)
    this.#keep(rest)
    this.#pending.push({ diagnostics: [sourceFailed(this.#id, error, rest.length)] })
    return this.end()
  }

  async #withAgentFile({ folder }: FoundSkill, own: Metadata | Promise<Metadata>): Promise<Metadata> {
    const { loadTimeout } = this.#settings
    return inTime(withAgentFile(await own, folder), loadTimeout, `The file ${AGENT_FILE}`)
  }

  #await(candidate: FoundSkill, answer: Promise<Metadata>, at: number): void {
    const { path } = candidate
    const pending = this.#pending
    const pendingAt = pending.push({ diagnostics: [] }) - 1
    // The bytes are not valid any more when the metadata arrives.
    const declared = declaredName(candidate.head(HEAD_BYTES))
    this.#awaited.push(
      answer.then(
        (metadata) => {
          // Meanwhile the source may have reported that the file could not be read to its end.
          if (!this.#lost.has(path)) pending[pendingAt] = this.#addResult(candidate, metadata, at, declared)
        },
        (error: unknown) => void (pending[pendingAt] = this.#failed(candidate, error, at)),
      ),
    )
  }

  #addResult(candidate: FoundSkill, metadata: Metadata, at: number, declared?: string): PendingDiagnostic {
    const { folderName, path, part } = candidate
    const { manifest } = metadata
    const source = part === undefined ? this.#id : `${this.#id}:${part}`
    if (manifest === undefined) {
      const declaredIn = declared === undefined ? {} : { declared }
      const broken = { folderName, path, layer: this.#layer, source, ...declaredIn }
      return { diagnostics: [...metadata.diagnostics, ...this.#lose(broken, at)] }
    }
    const { loadTimeout } = this.#settings
    this.#found[at] = toSkill(candidate, manifest, { layer: this.#layer, source, loadTimeout })
    return { path, compact: metadata.compact }
  }

  #failed({ folderName, path }: FoundSkill, error: unknown, at: number): PendingDiagnostic {
    const broken = { folderName, path, layer: this.#layer, source: this.#id }
    return { diagnostics: [manifestFailed(path, this.#id, error), ...this.#lose(broken, at)] }
  }

  /** Records a broken manifest, once. Its skill from an earlier scan is kept in its place. */
  #lose(broken: BrokenSkill, at: number): readonly Diagnostic[] {
    if (this.#lost.has(broken.path)) return []
    this.#lost.add(broken.path)
    this.#broken.push([at, broken])
    const former = this.#former.find(broken.path)
    if (former === undefined) return []
    this.#found[at] = former
    this.#kept.push([at, former])
    return [skillKept(former)]
  }

  #keep(skills: readonly Skill[]): void {
    for (const skill of skills) {
      this.#kept.push([this.#found.push(skill) - 1, skill])
    }
  }
}

/** What was found out about candidates, in the order of their discovery: about some of them later than about others. */
function inOrder<T>(slots: (readonly [number, T])[]): readonly T[] {
  return slots.toSorted(([one], [other]) => one - other).map(([, value]) => value)
}

/** A function outside the class: a closure inside would keep the whole scan in memory. */
function guarded(source: string, search: () => readonly Diagnostic[]): () => readonly Diagnostic[] {
  return () => {
    try {
      return search()
    } catch (error) {
      return [sourceFailed(source, error, 0)]
    }
  }
}

function folderOf(path: string): string {
  return path.split(/[/\\]/).at(-2) ?? path
}

const MAX_DECLARED_CHARS = 200

/**
 * Returns the name in a broken manifest, so that a user who searches for the name finds the file. A line that looks like
 * a name field is enough.
 */
function declaredName(head: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(head.subarray(0, HEAD_BYTES))
  const value = /^name:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s#][^\r\n#]*))/m.exec(text)
  return (value?.[1] ?? value?.[2] ?? value?.[3])?.trim().slice(0, MAX_DECLARED_CHARS) || undefined
}
