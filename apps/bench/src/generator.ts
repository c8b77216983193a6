import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random } from './random.ts'

/**
 * How often each shape occurs, counted over 11,108 different SKILL.md files of 84 public repositories. A tree of easy
 * shapes alone flatters: a reader that greps for `description:` looks right on it.
 */
export const RATES = {
  /** Whole files. `colon`: an unquoted `: ` that only a repair reads. `broken`: no repair helps. */
  file: { sound: 0.9781, colon: 0.0074, broken: 0.001, none: 0.0135 },
  description: {
    plain: 0.49,
    plainLines: 0.02,
    double: 0.36,
    single: 0.067,
    singleLines: 0.003,
    block: 0.05,
    next: 0.01,
  },
  /** Of the block scalars. */
  block: { '>': 0.29, '>-': 0.46, '|': 0.24, '|-': 0.01 },
  nonAscii: 0.18,
  /** Top-level keys that the standard does not know. */
  unknownKeys: 0.52,
  metadata: { none: 0.72, block: 0.12, nested: 0.09, json: 0.07 },
  license: 0.12,
  compatibility: 0.03,
  allowedTools: { none: 0.9485, comma: 0.0368, flow: 0.0048, list: 0.0048, space: 0.0051 },
  comment: 0.004,
  nameOffFolder: 0.145,
  crlf: 52 / 11_108,
  bom: 3 / 11_108,
  noFinalNewline: 0.0146,
} as const

/** Returns the folder of the tree with that many skills, below the folder of a run. Makes it, unless it is there. */
export function makeTree(folder: string, count: number): string {
  const root = join(folder, `tree-${count}`)
  if (existsSync(root)) return root
  for (let index = 0; index < count; index++) {
    const { name, text } = makeSkill(index)
    mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, name, 'SKILL.md'), text)
  }
  return root
}

/** Returns a skill, the same for the same index: the name of its folder, and the text of SKILL.md. */
export function makeSkill(index: number) {
  const random = createRandom(index)
  const name = `${random.pick(VERBS).toLowerCase()}-${random.pick(NOUNS)}-${String(index).padStart(4, '0')}`
  const kind = random.weighted(RATES.file)
  const body = `# Instructions\n\n${BODY.slice(0, random.between(2_000, BODY.length))}\n`
  const unix = kind === 'none' ? body : `---\n${frontmatter(random, name, kind).join('\n')}\n---\n\n${body}`
  const ended = random.happens(RATES.noFinalNewline) ? unix.trimEnd() : unix
  const text = random.happens(RATES.crlf) ? ended.replaceAll('\n', '\r\n') : ended
  return { name, text: (random.happens(RATES.bom) ? '\uFEFF' : '') + text, kind }
}

function frontmatter(random: Random, name: string, kind: 'sound' | 'colon' | 'broken'): string[] {
  // Most are of middling length, and one in a hundred comes to about a thousand bytes.
  const length = random.happens(0.02) ? random.between(600, 980) : random.between(110, 400)
  const text = sentences(random, length, random.happens(RATES.nonAscii)).slice(0, length).trimEnd()
  const description = { sound: '', colon: `description: Use it: ${text}`, broken: `description: "${text}` }[kind]
  const maybe = (rate: number, ...lines: string[]): string[] => (random.happens(rate) ? lines : [])
  const word = random.pick(NOUNS)
  return [
    ...maybe(RATES.comment, '# Kept in step with the handbook.'),
    `name: ${random.happens(RATES.nameOffFolder) ? `my-${name}` : name}`,
    ...(description === '' ? DESCRIPTIONS[random.weighted(RATES.description)](random, text) : [description]),
    ...maybe(RATES.license, `license: ${random.pick(['MIT', 'Apache-2.0', 'Complete terms in LICENSE.txt'])}`),
    ...maybe(RATES.compatibility, `compatibility: Requires ${random.pick(['git', 'Python 3.11', 'docker'])}`),
    ...TOOLS[random.weighted(RATES.allowedTools)],
    ...(random.happens(RATES.unknownKeys) ? unknownKeys(random, word) : []),
    ...METADATA[random.weighted(RATES.metadata)].map((line) => line.replaceAll('WORD', word)),
  ]
}

type Writer = (random: Random, text: string) => string[]
const DESCRIPTIONS: Readonly<Record<keyof typeof RATES.description, Writer>> = {
  plain: (_, text) => [`description: ${text}`],
  plainLines: (_, text) => wrap(`description: ${text}`, '  '),
  // Quoted because it has to be: a colon, quotes and escapes inside.
  double: (random, text) => {
    const start = random.pick(['Use when: ', 'Covers \\"all\\" of it. ', ''])
    return [`description: "${start}${text}${random.pick([' #1', '', ' \\u2014 done', ''])}"`]
  },
  single: (random, text) => [`description: '${random.pick(["It''s for: ", 'Use when: ', ''])}${text}'`],
  singleLines: (_, text) => wrap(`description: 'Use when: ${text}'`, '  '),
  block: (random, text) => [`description: ${random.weighted(RATES.block)}`, ...wrap(`  ${text}`, '  ')],
  next: (_, text) => ['description:', ...wrap(`  ${text}`, '  ')],
}

const TOOLS: Readonly<Record<keyof typeof RATES.allowedTools, readonly string[]>> = {
  none: [],
  comma: ['allowed-tools: Read, Grep, Bash(git:*)'],
  flow: ['allowed-tools: [Read, "Bash(npm run test:*)"]'],
  list: ['allowed-tools:', '  - Read', '  - WebFetch(domain:example.org)'],
  space: ['allowed-tools: Read Edit Bash(git log:*)'],
}

const METADATA: Readonly<Record<keyof typeof RATES.metadata, readonly string[]>> = {
  none: [],
  block: ['metadata:', '  author: WORD-team', '  version: "1.4"'],
  nested: ['metadata:', '  version: 2.1', '  tags:', '    - WORD', '    - draft'],
  json: ['metadata: {"WORD": {"emoji": "x", "requires": {"bins": ["git"]}}, "always": true}'],
}

function unknownKeys(random: Random, word: string): string[] {
  const keys = [
    [`version: ${random.pick(['1.0.0', '"2.1.0"', '1.2'])}`],
    [`author: ${random.pick(['platform-team', 'Jane Doe', '"@docs"'])}`],
    [`tags: [${word}, shared, nightly]`],
    ['triggers:', `  - ${word}`, `  - "${word} of today"`],
    [`homepage: https://example.org/${word}`],
    [`updated: 2025-0${random.between(1, 9)}-1${random.between(0, 9)}`],
    ['requires:', '  bins: ["git"]', `  env: [${word.toUpperCase()}_TOKEN]`],
  ]
  const start = random.between(0, keys.length - 1)
  const count = random.between(1, 3)
  return Array.from({ length: count }, (_, step) => keys[(start + step * 4) % keys.length]!).flat()
}

function wrap(text: string, indent: string): string[] {
  const lines = text.match(/.{1,74}(?:\s|$)/g) ?? []
  return lines.map((line, index) => (index === 0 ? '' : indent) + line.trimEnd())
}

const VERBS = 'Analyse Build Check Convert Create Debug Deploy Edit Extract Format Merge Plan Review Test'.split(' ')
const THINGS =
  'account alert archive chart commit contract data event form graph image invoice log message page plan price'
const PARTS =
  'books files groups keys lines lists logs maps names notes pages plans rules sets tables tests types views'
/** Some three hundred nouns: with fewer, a search finds every skill. */
const NOUNS = THINGS.split(' ').flatMap((thing) => PARTS.split(' ').map((part) => thing + part))
const LINKS = ['and', 'or', 'for large', 'with shared', 'from legacy', 'across remote', 'before', 'without any']
/** Non-ASCII text as in real frontmatter: dashes, quotes, arrows, other alphabets, emoji. */
const FOREIGN = ['—', '→', '“quoted”', 'naïve', '数据分析', 'レビュー', 'über', 'обзор', '✅', '🚀', '…', '×']

/** Text of at least that many characters. */
export function sentences(random: Random, length: number, isForeign = false): string {
  let text = ''
  while (text.length < length) {
    const words = [random.pick(VERBS), random.pick(NOUNS)]
    for (let count = random.between(1, 4); count > 0; count--) words.push(random.pick(LINKS), random.pick(NOUNS))
    if (isForeign) words.splice(random.between(1, words.length - 1), 0, random.pick(FOREIGN))
    text += `${text === '' ? '' : ' '}${words.join(' ')}${random.happens(0.2) ? ', (see below)' : ''}.`
  }
  return text
}

/** One text for the bodies of all skills, which no reader of a catalog looks into. A rule may look like a fence. */
const BODY = Array.from(
  { length: 60 },
  (_, index) => `## Part ${index}\n\n${sentences(createRandom(1e6 + index), 160)}\n${index % 9 === 4 ? '\n---\n' : ''}`,
).join('\n')
