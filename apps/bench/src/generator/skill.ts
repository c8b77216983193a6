import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFrontmatter } from './frontmatter.ts'
import { markdownBlocks, skillName } from './prose.ts'
import { createRandom, type Random } from './random.ts'
import { RATES } from './rates.ts'

/** A skill of one file. Readers of a catalog open no other. */
export interface GeneratedSkill {
  readonly folder: string
  /** The text of SKILL.md. */
  readonly text: string
  /** How its frontmatter can be read, for tests. */
  readonly kind: keyof typeof RATES.file
}

/** Writes the first `count` skills of a seed below a folder, each in its own folder. */
export function writeTree(root: string, count: number, seed: number): void {
  const skillOf = createGenerator(seed)
  for (let index = 0; index < count; index++) {
    const { folder, text } = skillOf(index)
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'SKILL.md'), text)
  }
}

/** Makes the skills of a seed. The skill of an index is the same however many are made. */
export function createGenerator(seed: number): (index: number) => GeneratedSkill {
  const blocks = markdownBlocks(createRandom(seed), 512)
  return (index) => generate(createRandom(seed, index + 1), index, blocks)
}

function generate(random: Random, index: number, blocks: readonly string[]): GeneratedSkill {
  const folder = skillName(random, index)
  const kind = random.weighted(RATES.file)
  const front = kind === 'none' ? '' : writeFrontmatter(random, nameOf(random, folder), kind)
  const unix = front + bodyOf(random, blocks)
  const ended = random.happens(RATES.noFinalNewline) ? unix.trimEnd() : unix
  const text = random.happens(RATES.crlf) ? ended.replaceAll('\n', '\r\n') : ended
  return { folder, text: (random.happens(RATES.bom) ? '\uFEFF' : '') + text, kind }
}

function nameOf(random: Random, folder: string): string {
  if (random.happens(RATES.namePattern)) return folder.replaceAll('-', random.pick(['_', ' ', ':']))
  return random.happens(RATES.nameOffFolder) ? `my-${folder}` : folder
}

function bodyOf(random: Random, blocks: readonly string[]): string {
  const length = random.between(2_000, 6_000) + (random.happens(0.5) ? random.between(0, 6_000) : 0)
  const parts = [`# ${random.pick(['Overview', 'Instructions', 'Guide'])}\n`]
  if (random.happens(RATES.ruleInBody)) parts.push('---\n')
  for (let size = 0; size < length;) {
    const block = random.pick(blocks)
    parts.push(block)
    size += block.length + 1
  }
  return parts.join('\n')
}
