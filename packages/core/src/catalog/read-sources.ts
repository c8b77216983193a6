import {
  type Diagnostic,
  type DiagnosticCode,
  type Layer,
  LOAD_TIMEOUT_MS,
  type Metadata,
  type Profile,
  quoteName,
  showInvisible,
  type Skill,
  withOrigin,
} from '@repertoire/skill-md/internal'
import { parseMetadata } from '@repertoire/skill-md/internal/parser'
import type { FoundSkill, SkillSource } from '../ports/source.ts'
import { messageOf } from '../text/message.ts'
import { beginTimeSlice, inTime } from '../time-limit.ts'
import { TimedFolder } from './timed-folder.ts'

/** A manifest that exists but from which no skill was loaded. */
export interface BrokenSkill {
  /** The unchecked name in the manifest, if one can be read. */
  readonly declared?: string | undefined
  readonly folderName: string
  /** The manifest file. The diagnostics that say why it is broken have the same path. */
  readonly path: string
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
}

export interface ReadSources {
  readonly found: readonly Skill[]
  /** The skills in `found` that cannot be read now and are kept from an earlier scan. */
  readonly kept: readonly Skill[]
  readonly broken: readonly BrokenSkill[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads all sources side by side. One broken, unreadable or hostile skill never stops the others, nor does a source
 * that fails as a whole: each becomes a diagnostic.
 * @param options.former every skill of the previous scan. A skill whose manifest cannot be read any more is kept from
 * it, and so are all skills of a source that fails
 * @param options.loadTimeout for each source, and for each read of a folder, in milliseconds
 */
export async function readSources(
  sources: readonly SkillSource[],
  options: {
    readonly profile: Profile
    readonly former?: readonly Skill[] | undefined
    readonly loadTimeout?: number | undefined
  },
): Promise<ReadSources> {
  const scans = await Promise.all(sources.map((source) => readSource(source, options)))
  return {
    found: scans.flatMap(({ found }) => found),
    kept: scans.flatMap(({ kept }) => kept),
    broken: scans.flatMap(({ broken }) => broken),
    diagnostics: scans.flatMap(({ diagnostics }) => diagnostics),
  }
}

async function readSource(
  source: SkillSource,
  { profile, former = [], loadTimeout = LOAD_TIMEOUT_MS }: Parameters<typeof readSources>[1],
): Promise<ReadSources> {
  const { id, layer } = source
  const found: Skill[] = []
  const kept: Skill[] = []
  const broken: BrokenSkill[] = []
  const diagnostics: Diagnostic[] = []
  const formerSkills = former.filter(
    (skill) => skill.layer === layer && (skill.source === id || skill.source.startsWith(`${id}:`)),
  )

  /** Keeps skills of the earlier scan that cannot be read now. */
  const keep = (isLost: (path: string) => boolean, isReported: boolean): void => {
    for (const skill of formerSkills.filter(({ path }) => isLost(path))) {
      found.push(skill)
      kept.push(skill)
      if (isReported) diagnostics.push(skillKept(skill))
    }
  }
  const lose = (path: string, folderName: string, from: string, declared?: string): void => {
    broken.push({ declared, folderName, path, layer, source: from })
    keep((each) => each === path, true)
  }

  const report = (diagnostic: Diagnostic): void => {
    const { code, severity, path } = diagnostic
    diagnostics.push(inOneLine(diagnostic))
    if (severity === 'error' && UNREAD_MANIFEST.has(code)) lose(path, folderOf(path), id)
    if (code === 'FOLDER_UNREADABLE') keep((each) => isBelow(each, path), true)
  }

  const add = (item: FoundSkill, metadata: Metadata): void => {
    const { path, folder, part, origin, folderName, head } = item
    const from = part === undefined ? id : `${id}:${part}`
    const { manifest } = metadata
    diagnostics.push(...metadata.diagnostics)
    if (manifest === undefined) return lose(path, folderName, from, declaredName(head))
    found.push({
      name: manifest.name,
      manifest: origin === undefined ? manifest : withOrigin(manifest, origin),
      layer,
      source: from,
      origin,
      location: folder.location,
      path,
      folder: new TimedFolder(folder, loadTimeout),
    })
  }

  // A scan that was abandoned may go on: what it finds then belongs to no catalog.
  let isOver = false
  const scan = async (): Promise<void> => {
    const slice = beginTimeSlice()
    for await (const item of source.scan()) {
      if (isOver) return
      if ('code' in item) report(item)
      else {
        try {
          const reading = readMetadata(item, profile, loadTimeout)
          const metadata = reading instanceof Promise ? await reading : reading
          if (isOver) return
          add(item, metadata)
        } catch (error) {
          report(manifestFailed(item.path, id, error))
        }
      }
      if (slice.isOver()) await slice.pause()
    }
  }
  try {
    await inTime(scan(), loadTimeout, 'Its scan')
  } catch (error) {
    const seen = new Set([...found, ...broken].map(({ path }) => path))
    keep((path) => !seen.has(path), false)
    diagnostics.push(inOneLine(sourceFailed(id, error)))
  }
  isOver = true
  return { found, kept, broken, diagnostics }
}

/** Reads a candidate's frontmatter. A promise only where a library has to be loaded, or more of the file be read. */
function readMetadata(
  { path, folderName, fileName, folder, size, head }: FoundSkill,
  profile: Profile,
  loadTimeout: number,
): Metadata | Promise<Metadata> {
  const context = { path, folderName, fileName, profile }
  const metadata = parseMetadata(head, size, context)
  const isUnclosed = 'diagnostics' in metadata && metadata.diagnostics[0]?.code === 'FRONTMATTER_UNCLOSED'
  if (!isUnclosed || head.length >= size) return metadata
  // It is longer than the beginning of the file.
  const reading = inTime(folder.readManifest(), loadTimeout, 'The manifest')
  return reading.then((bytes) => parseMetadata(bytes, bytes.length, context))
}

/** The codes with which a source reports a manifest that it could not read. */
const UNREAD_MANIFEST: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'MANIFEST_LINKED',
  'MANIFEST_MISNAMED',
  'MANIFEST_NOT_A_FILE',
  'MANIFEST_TOO_LARGE',
  'MANIFEST_UNREADABLE',
])

function manifestFailed(path: string, source: string, error: unknown): Diagnostic {
  return {
    code: 'MANIFEST_UNREADABLE',
    severity: 'error',
    path,
    message: `The manifest could not be read: ${messageOf(error)}`,
    hint: `The source ${quoteName(source)} failed at this skill alone. Fix it and reload.`,
  }
}

function skillKept({ name, path }: Skill): Diagnostic {
  return {
    code: 'SKILL_KEPT',
    severity: 'warning',
    path,
    message: `The skill ${quoteName(name)} cannot be read any more. It is kept as it was read last.`,
    hint: 'Fix its SKILL.md, or delete it; it cannot be activated until then.',
  }
}

function sourceFailed(source: string, error: unknown): Diagnostic {
  return {
    code: 'SOURCE_FAILED',
    severity: 'error',
    path: source,
    message: `The source ${quoteName(source)} failed: ${messageOf(error)}`,
    hint: 'The skills that it had shown before are kept. Fix the source and reload.',
  }
}

/** What a source says may repeat what it has read: in a log each finding is one line, without invisible characters. */
function inOneLine(diagnostic: Diagnostic): Diagnostic {
  const { message, hint } = diagnostic
  return { ...diagnostic, message: showInvisible(message), hint: hint === undefined ? undefined : showInvisible(hint) }
}

function folderOf(path: string): string {
  return path.split(/[/\\]/).at(-2) ?? path
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/[/\\]$/, '')
  return path.startsWith(base) && /[/\\]/.test(path[base.length] ?? '')
}

const MAX_DECLARED_CHARS = 200

/**
 * Returns the name in a broken manifest, so that a user who searches for the name finds the file. A line that looks
 * like a name field is enough.
 */
function declaredName(head: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(head)
  const value = /^name:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s#][^\r\n#]*))/m.exec(text)
  return (value?.[1] ?? value?.[2] ?? value?.[3])?.trim().slice(0, MAX_DECLARED_CHARS) || undefined
}
