import assert from 'node:assert/strict'
import { isSkillError } from '@repertoire/core'
import type { SkillContent, SkillErrorCode, SkillFiles, SkillStore } from '@repertoire/core'

/** One sentence of the contract. */
export interface StoreCase {
  /** Begins with the ids of the requirements. */
  readonly title: string
  /**
   * @param context the store under test, empty at first, and what opens it once more, as another process does
   * @throws {Error} the store does not keep the sentence
   */
  readonly run: (context: { readonly store: SkillStore; readonly again: () => Promise<SkillStore> }) => Promise<void>
}

/** A skill of the type instruction. */
export function instruction(
  name: string,
  content = 'Do it.\n',
  more: Partial<SkillContent['manifest']> = {},
): SkillContent {
  return {
    manifest: { name, description: `What ${name} is for.`, ...more },
    definition: { type: 'instruction', content },
  }
}

/** The files of a whole skill, by their paths. */
export function filesOf(name: string, others: Readonly<Record<string, string>> = {}): SkillFiles {
  const manifest = `---\nname: ${name}\ndescription: What ${name} is for.\n---\nDo it.\n`
  const entries = Object.entries({ 'SKILL.md': manifest, ...others })
  return new Map(entries.map(([path, text]) => [path, { bytes: new TextEncoder().encode(text) }]))
}

/** Expects a call to be refused with a code, and returns its message. */
export async function refuses(call: () => Promise<unknown>, code: SkillErrorCode): Promise<string> {
  const failure = await call().catch((error: unknown) => error)
  assert.ok(isSkillError(failure), `A SkillError was expected, and not ${String(failure)}`)
  assert.equal(failure.code, code, failure.message)
  return failure.message
}

/** What can be read of a skill: every listed file, hidden ones too, with its content. */
export async function contentOf(store: SkillStore, name: string): Promise<Readonly<Record<string, string>>> {
  const { folder } = await store.get(name)
  const { files, withheld } = await folder.list()
  const content: Record<string, string> = {}
  for (const { path } of [...files, ...withheld.files]) {
    content[path] = new TextDecoder().decode(await folder.read(path, { withheld: true }))
  }
  return content
}
