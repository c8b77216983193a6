import { sentences, words } from './prose.ts'
import type { Random } from './random.ts'
import { RATES } from './rates.ts'

const TOOLS = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'WebFetch', 'Task']
const PATTERNS = ['Bash(git:*)', 'Bash(npm run test:*)', 'Read(docs/**)', 'WebFetch(domain:example.org)']

/**
 * Returns a frontmatter with its fences and the empty line behind them.
 * @param kind `colon`: with an unquoted `: ` in the description; `broken`: with a quote that is never closed
 */
export function writeFrontmatter(random: Random, name: string, kind: 'sound' | 'colon' | 'broken'): string {
  const foreign = random.happens(RATES.nonAscii)
  const style = random.weighted(RATES.description)
  // Most are of middling length, and one in a hundred comes to about a thousand bytes.
  const length = Math.min(980, Math.round(110 + 180 * random.next() + 900 * random.next() ** 7))
  const text = sentences(random, length, foreign).slice(0, length).trimEnd()
  const description = {
    sound: DESCRIPTIONS[style](random, text),
    colon: [`description: Use it: ${text}`],
    broken: [`description: "${text}`],
  }
  const maybe = (rate: number, make: () => readonly string[]): readonly string[] => (random.happens(rate) ? make() : [])
  const lines = [
    ...maybe(RATES.comment, () => ['# Kept in step with the handbook.']),
    `name: ${name}`,
    ...description[kind],
    ...maybe(RATES.license, () => [`license: ${random.pick(['MIT', 'Apache-2.0', 'Complete terms in LICENSE.txt'])}`]),
    ...maybe(RATES.compatibility, () => [`compatibility: Requires ${random.pick(['git', 'Python 3.11', 'docker'])}`]),
    ...toolLines(random, random.weighted(RATES.allowedTools)),
    ...maybe(RATES.unknownKeys, () => unknownKeys(random)),
    ...METADATA[random.weighted(RATES.metadata)](random, words(random, 1).join('')),
  ]
  return `---\n${lines.join('\n')}\n---\n\n`
}

type Writer = (random: Random, text: string) => string[]

const DESCRIPTIONS: Readonly<Record<keyof typeof RATES.description, Writer>> = {
  plain: (_, text) => [`description: ${text}`],
  plainLines: (_, text) => wrap(`description: ${text}`, 76, '  '),
  // Quoted because it has to be: a colon, quotes and escapes inside.
  double: (random, text) => {
    const start = random.pick(['Use when: ', 'Covers \\"all\\" of it. ', ''])
    return [`description: "${start}${text}${random.pick([' #1', '', ' \\u2014 done', ''])}"`]
  },
  single: (random, text) => [`description: '${random.pick(["It''s for: ", 'Use when: ', ''])}${text}'`],
  singleLines: (_, text) => wrap(`description: 'Use when: ${text}'`, 76, '  '),
  block: (random, text) => [`description: ${random.weighted(RATES.block)}`, ...indented(text, 70)],
  next: (_, text) => ['description:', ...indented(text, 76)],
}

function indented(text: string, width: number): string[] {
  return wrap(text, width, '').map((line) => `  ${line}`)
}

function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const TOOL_LISTS: Readonly<Record<keyof typeof RATES.allowedTools, (tools: readonly string[]) => string[]>> = {
  none: () => [],
  comma: (tools) => [`allowed-tools: ${tools.join(', ')}`],
  flow: (tools) => [`allowed-tools: [${tools.map((tool) => (tool.includes('(') ? `"${tool}"` : tool)).join(', ')}]`],
  list: (tools) => ['allowed-tools:', ...tools.map((tool) => `  - ${tool}`)],
  space: (tools) => [`allowed-tools: ${tools.join(' ')}`],
  single: (tools) => [`allowed-tools: ${tools.join('')}`],
}

function toolLines(random: Random, style: keyof typeof RATES.allowedTools): string[] {
  const start = random.between(0, 3)
  const tools = TOOLS.slice(start, start + (style === 'single' ? 1 : random.between(2, 5)))
  if (random.happens(RATES.toolPattern)) tools[tools.length - 1] = random.pick(PATTERNS)
  return TOOL_LISTS[style](tools)
}

function unknownKeys(random: Random): string[] {
  const [first = '', second = '', third = ''] = words(random, 3)
  const keys = [
    [`version: ${random.pick(['1.0.0', '"2.1.0"', '1.2', '0.3.1'])}`],
    [`author: ${random.pick(['platform-team', 'Jane Doe', '"@docs"'])}`],
    [`tags: [${first}, ${second}, ${third}]`],
    [`category: ${first}`],
    ['triggers:', `  - ${first}`, `  - "${second} ${third}"`],
    ['dependencies:', `  - ${first}>=1.4`],
    [`homepage: https://example.org/${first}`],
    [`updated: 2025-0${random.between(1, 9)}-1${random.between(0, 9)}`],
    ['requires:', '  bins: ["git"]', `  env: [${first.toUpperCase()}_TOKEN]`],
    [`origin: ${second}`],
  ]
  const start = random.between(0, keys.length - 1)
  return Array.from({ length: random.between(1, 3) }, (_, step) => keys[(start + step * 3) % keys.length] ?? []).flat()
}

const METADATA: Readonly<Record<keyof typeof RATES.metadata, Writer>> = {
  none: () => [],
  block: (random, word) => [
    'metadata:',
    `  author: ${word}-team`,
    `  version: "${random.between(1, 4)}.${random.between(0, 9)}"`,
  ],
  nested: (random, word) => [
    'metadata:',
    `  version: ${random.between(1, 9)}.${random.between(0, 9)}`,
    '  tags:',
    `    - ${word}`,
    `    - ${random.pick(['draft', 'stable', 'core'])}`,
  ],
  json: (random, word) => [
    `metadata: {"${word}": {"emoji": "x", "requires": {"bins": ["${random.pick(['git', 'uv', 'jq'])}"]}}, "always": true}`,
  ],
}
