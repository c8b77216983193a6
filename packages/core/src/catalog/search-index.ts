import type { SearchTexts } from '../search/fields.ts'
import { beginTimeSlice, TIMED_OUT, waitFor } from '../time-limit.ts'
import { buildTextIndex, type TextIndex } from '../search/text-index.ts'
import { findFrontmatter, type Diagnostic, type Skill, MAX_BODY_CHARS, quoteName } from '@repertoire/skill-md/internal'
import { messageOf } from './scan-diagnostics.ts'

/** What the searches of a repertoire leave for the snapshots that come: most reloads change little of what is searched. */
export interface IndexMemory {
  last?: LastIndex
  /** Aborts what searches have begun that is not needed when the repertoire is closed. Absent: nothing was begun. */
  begun?: AbortController | undefined
}

interface LastIndex {
  readonly names: readonly string[]
  readonly fingerprints: Uint32Array
  readonly index: TextIndex
}

/**
 * Returns the index of some texts. Of what stands in the last one as it is, nothing is read again; where all of it stands
 * there in the same order, it is the last one.
 */
export async function indexOnce(memory: IndexMemory, given: AsyncIterable<SearchTexts>): Promise<TextIndex> {
  const slice = beginTimeSlice()
  const names: string[] = []
  const fingerprints: number[] = []
  const documents: (SearchTexts | number)[] = []
  const { last } = memory
  const formerOf = last && formerDocuments(last)
  let isSame = true
  for await (const texts of given) {
    const fingerprint = fingerprintOf(texts)
    const former = formerOf?.(texts.name, fingerprint)
    isSame &&= former === documents.length
    documents.push(former ?? texts)
    names.push(texts.name)
    fingerprints.push(fingerprint)
    await slice.pause()
  }
  if (last !== undefined && isSame && last.index.size === documents.length) return last.index
  const index = await buildTextIndex(documents, last?.index)
  memory.last = { names, fingerprints: Uint32Array.from(fingerprints), index }
  return index
}

/** Returns a function that returns which document of an index has the same texts, by its name and their fingerprint. */
function formerDocuments({
  names,
  fingerprints,
}: LastIndex): (name: string, fingerprint: number) => number | undefined {
  const documents = new Map(names.map((name, document) => [name, document]))
  return (name, fingerprint) => {
    const document = documents.get(name)
    return document !== undefined && fingerprints[document] === fingerprint ? document : undefined
  }
}

/** FNV-1a over UTF-16 code units: two texts with one fingerprint would only rank a little wrong. */
function fingerprintOf({ name, description, tags, body }: SearchTexts): number {
  let value = 0x81_1c_9d_c5
  for (const text of [name, description, tags, body]) {
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93)
    // Between two fields, so that a word cannot move from one to the next unseen.
    value = Math.imul(value ^ 0x1_00_00, 0x01_00_01_93)
  }
  return value >>> 0
}

/** What the bodies of skills begin with. */
interface BodyHeads {
  /** In the order of the skills; empty where a body could not be read. */
  readonly heads: AsyncIterable<string>
  /** Those that could not be read, so far. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Files that are read at once. */
const MAX_READS = 16

/** How long one file is waited for: a search is not held up by what an activation would wait for. */
const READ_TIMEOUT_MS = 2_000

/** How long all reads may wait in all: where a source hangs, the rest of the skills are found without their bodies. */
const ALL_READS_TIMEOUT_MS = 10_000

/** Reads the beginnings of the bodies of skills, some at a time, while the ones before are being used. */
export function readBodyHeads(skills: readonly Skill[]): BodyHeads {
  const diagnostics: Diagnostic[] = []
  let waited = 0

  async function read(skill: Skill): Promise<string> {
    if (skill.folder.onDemand === true) return ''
    try {
      if (waited > ALL_READS_TIMEOUT_MS) throw new Error('files before it took too long')
      const bytes = await waitFor(skill.folder.readManifest(), READ_TIMEOUT_MS)
      if (bytes instanceof Uint8Array) return bodyHead(bytes)
      throw new Error(bytes === TIMED_OUT ? `it was not read within ${READ_TIMEOUT_MS} ms` : 'it is not bytes')
    } catch (error) {
      diagnostics.push(bodyNotSearched(skill, error))
      return ''
    }
  }

  async function* heads(): AsyncGenerator<string> {
    let next = readSome(0)
    for (let from = 0; from < skills.length; from += MAX_READS) {
      const since = performance.now()
      const some = await next
      waited += performance.now() - since
      next = readSome(from + MAX_READS)
      yield* some
    }
  }

  const readSome = (from: number): Promise<readonly string[]> =>
    Promise.all(skills.slice(from, from + MAX_READS).map(read))

  return { heads: heads(), diagnostics }
}

const decoder = new TextDecoder()

/** The most bytes of a character in UTF-8. */
const MAX_CHAR_BYTES = 4

function bodyHead(bytes: Uint8Array): string {
  const place = findFrontmatter(bytes, true)
  if (!('found' in place)) return ''
  const { bodyStart } = place.found
  const head = decoder.decode(bytes.subarray(bodyStart, bodyStart + MAX_BODY_CHARS * MAX_CHAR_BYTES))
  return head.slice(0, MAX_BODY_CHARS)
}

function bodyNotSearched({ name, path }: Skill, error: unknown): Diagnostic {
  return {
    code: 'BODY_NOT_SEARCHED',
    severity: 'warning',
    path,
    message: `The body of the skill ${quoteName(name)} is not searched: ${messageOf(error)}`,
    hint: 'It is found by its name, description and tags alone. Reload when its file can be read.',
  }
}
