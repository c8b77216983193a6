import { findFrontmatter, type Diagnostic, type Skill, MAX_BODY_CHARS, quoteName } from '@repertoire/skill-md/internal'
import { TIMED_OUT, waitFor } from '../time-limit.ts'
import { messageOf } from './scan-diagnostics.ts'

/** What the bodies of skills begin with. */
export interface BodyHeads {
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
