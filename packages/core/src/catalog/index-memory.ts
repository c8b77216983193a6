import type { SearchTexts } from '../search/fields.ts'
import { beginSlices } from '../search/slices.ts'
import { buildTextIndex, type TextIndex } from '../search/text-index.ts'

/** The last index of a repertoire, for the snapshots that come: most reloads change none of what is searched. */
export interface IndexMemory {
  last?: { readonly fingerprints: Uint32Array; readonly index: TextIndex }
}

/** Returns the index of some texts: the last one where they are the same in the same order, or a new one. */
export async function indexOnce(memory: IndexMemory, given: AsyncIterable<SearchTexts>): Promise<TextIndex> {
  const slices = beginSlices()
  const texts: SearchTexts[] = []
  const fingerprints: number[] = []
  for await (const each of given) {
    texts.push(each)
    fingerprints.push(fingerprintOf(each))
    if (slices.isOver()) await slices.next()
  }
  const { last } = memory
  if (
    last?.fingerprints.length === fingerprints.length &&
    last.fingerprints.every((each, document) => each === fingerprints[document])
  ) {
    return last.index
  }
  const index = await buildTextIndex(texts)
  memory.last = { fingerprints: Uint32Array.from(fingerprints), index }
  return index
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
