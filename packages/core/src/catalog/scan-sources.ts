import {
  type Diagnostic,
  LOAD_TIMEOUT_MS,
  type ManifestParser,
  type Profile,
  type Skill,
} from '@repertoire/skill-md/internal'
import { createManifestParser } from '@repertoire/skill-md/internal/parser'
import type { SkillSource, SkillVisitor } from '../ports/source.ts'
import { inTime } from '../time-limit.ts'
import { type ScannedSource, type ScanSettings, SourceScan } from './source-scan.ts'

/** One for all scans, since it remembers what it read. It is released with the last catalog that was read with it. */
let shared: WeakRef<ManifestParser> | undefined

function sharedParser(): ManifestParser {
  const parser = shared?.deref() ?? createManifestParser()
  shared = new WeakRef(parser)
  return parser
}

/** What the sources hold, and the parser that read it. */
export interface ScannedSources extends ScannedSource {
  readonly parser: ManifestParser
}

/**
 * Scans all sources side by side. One broken, unreadable or hostile skill never stops the others, nor does a source that fails as
 * a whole: each becomes a diagnostic.
 * @param loadTimeout for each scan, and for each read of a folder, in milliseconds. A source that takes longer has failed
 * @param former every skill of the previous scan. A skill whose manifest cannot be read any more is kept from it, and so
 * are all skills of a source that fails.
 * @returns the skills of all sources in the order of discovery
 */
export async function scanSources(
  sources: readonly SkillSource[],
  profile: Profile,
  former: readonly Skill[] = [],
  loadTimeout: number = LOAD_TIMEOUT_MS,
): Promise<ScannedSources> {
  const parser = sharedParser()
  const settings = { parser, profile, former, loadTimeout }
  const scans = await Promise.all(sources.map((source) => scanSource(source, settings)))
  return {
    parser,
    found: joined(scans.map(({ found }) => found)),
    kept: joined(scans.map(({ kept }) => kept)),
    broken: joined(scans.map(({ broken }) => broken)),
    // An array that has grown has spare capacity; a copy has none.
    pending: joined(scans.map(({ pending }) => pending)).slice(),
  }
}

async function scanSource(source: SkillSource, settings: ScanSettings): Promise<ScannedSource> {
  const scan = new SourceScan(source, settings)
  // A scan that was abandoned may continue: what it finds then does not belong to any index.
  let isOver = false
  const visitor: SkillVisitor = {
    skill: (found) => void (isOver || scan.visit(found)),
    diagnostic: (diagnostic) => void (isOver || scan.report(diagnostic)),
  }
  postponing.set(visitor, (search) => void (isOver || scan.searchLater(search)))
  try {
    await inTime(source.scan(visitor), settings.loadTimeout, 'Its scan')
  } catch (error) {
    isOver = true
    return scan.fail(error)
  }
  isOver = true
  return scan.end()
}

/** Most programs have one source with nearly all of the skills. */
function joined<T>([first = [], ...others]: readonly (readonly T[])[]): readonly T[] {
  return others.length === 0 ? first : first.concat(...others)
}

/** Searches for diagnostics that no skill depends on. */
export type DiagnosticSearch = () => readonly Diagnostic[]

/** Keyed by identity: a visitor that wraps or copies another must not be bypassed. */
const postponing = new WeakMap<SkillVisitor, (search: DiagnosticSearch) => void>()

/** Leaves a search to a visitor. One that takes none is given what the search finds, at once. */
export function searchLater(visitor: SkillVisitor, search: DiagnosticSearch): void {
  const take = postponing.get(visitor)
  if (take !== undefined) take(search)
  else for (const diagnostic of search()) visitor.diagnostic(diagnostic)
}
