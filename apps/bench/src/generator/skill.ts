import { writeFrontmatter } from './frontmatter.ts'
import { markdownBlocks, skillName } from './prose.ts'
import { createRandom, type Random } from './random.ts'
import { RATES } from './rates.ts'

/** A file of a generated skill. */
interface GeneratedFile {
  /** Relative to the skill's folder. */
  readonly path: string
  readonly text: string
  readonly executable: boolean
}

/** A skill as it is written to disk. */
export interface GeneratedSkill {
  readonly folder: string
  /** `SKILL.md` first. */
  readonly files: readonly GeneratedFile[]
  /** How its frontmatter can be read, for tests. */
  readonly kind: keyof typeof RATES.file
}

/** Makes the skills of a seed. The skill of an index is the same however many are made. */
export function createGenerator(seed: number): (index: number) => GeneratedSkill {
  const blocks = markdownBlocks(createRandom(seed), 512)
  return (index) => generate(createRandom(seed, index + 1), index, blocks)
}

function generate(random: Random, index: number, blocks: readonly string[]): GeneratedSkill {
  const folder = skillName(random, index)
  const kind = random.weighted(RATES.file)
  const resources = random.happens(RATES.resources) ? resourcesOf(random, blocks) : []
  const body = bodyOf(random, blocks, resources)
  const crlf = random.happens(RATES.crlf)
  const bom = random.happens(RATES.bom)
  const front = kind === 'none' ? '' : writeFrontmatter(random, nameOf(random, folder), kind)
  const text = front + body
  const ended = random.happens(RATES.noFinalNewline) ? text.trimEnd() : text
  const manifest = (bom ? '\uFEFF' : '') + (crlf ? ended.replaceAll('\n', '\r\n') : ended)
  return { folder, files: [{ path: 'SKILL.md', text: manifest, executable: false }, ...resources], kind }
}

function nameOf(random: Random, folder: string): string {
  if (random.happens(RATES.namePattern)) return folder.replaceAll('-', random.pick(['_', ' ', ':']))
  return random.happens(RATES.nameOffFolder) ? `my-${folder}` : folder
}

function bodyOf(random: Random, blocks: readonly string[], resources: readonly GeneratedFile[]): string {
  const length = random.between(2_000, 6_000) + (random.happens(0.5) ? random.between(0, 6_000) : 0)
  const mentions = resources.map(({ path }) => `See \`${path}\` for more.\n`)
  const parts = [`# ${random.pick(['Overview', 'Instructions', 'Guide'])}\n`, ...mentions]
  if (random.happens(RATES.ruleInBody)) parts.push('---\n')
  for (let size = 0; size < length;) {
    const block = random.pick(blocks)
    parts.push(block)
    size += block.length + 1
  }
  return parts.join('\n')
}

function resourcesOf(random: Random, blocks: readonly string[]): GeneratedFile[] {
  const kinds = [
    { path: (step: number) => `references/topic-${step}.md`, executable: false },
    { path: (step: number) => `scripts/step-${step}.py`, executable: true },
    { path: (step: number) => `assets/sample-${step}.txt`, executable: false },
  ]
  return Array.from({ length: random.between(1, 6) }, (_, step) => {
    const { path, executable } = random.pick(kinds)
    const text = Array.from({ length: random.between(1, 12) }, () => random.pick(blocks)).join('\n')
    return { path: path(step), text: executable ? text.replaceAll(/^/gm, '# ') : text, executable }
  })
}
