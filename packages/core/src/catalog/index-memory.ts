import type { SearchTexts } from '../search/fields.ts'
import { beginTimeSlice } from '../time-slice.ts'
import { buildTextIndex, type TextIndex } from '../search/text-index.ts'

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
