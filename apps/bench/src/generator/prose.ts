import type { Random } from './random.ts'

const VERBS = 'analyse build check compare convert create debug deploy draft edit extract fix format generate import inspect lint merge migrate monitor optimise parse plan publish query refactor release render review scaffold search secure summarise test trace translate tune validate write'.split(' ') // prettier-ignore
const NOUNS = 'accounts alerts apis archives bundles calendars changelogs charts clusters columns commits contracts dashboards datasets diagrams documents endpoints events exports features fixtures forms functions gateways graphs images incidents indexes invoices issues jobs layouts ledgers logs messages metrics migrations modules notebooks packages pages payloads pdfs pipelines plans policies prompts queries queues records releases reports repositories requests schemas scripts secrets services sessions sheets signals slides snapshots streams tables tasks templates tests threads tickets tokens traces updates users videos webhooks workflows'.split(' ') // prettier-ignore
const GLUE = 'and, or, for, with, from, into, across, before, after, using, without, when, while, through, inside, against'.split(', ') // prettier-ignore
const QUALITIES = 'large small nested shared stale typed legacy public private remote local cached signed partial broken recent daily weekly customer internal production staging structured quarterly'.split(' ') // prettier-ignore
/** Non-ASCII text as in real frontmatter: dashes, quotes, arrows, other alphabets, emoji. */
const FOREIGN = ['—', '→', '“quoted”', 'naïve', 'façade', '数据分析', '翻译文档', 'レビュー', 'Überprüfung', 'über', 'обзор', '✅', '🚀', '…', '×', '≥'] // prettier-ignore

/** Text of about that many characters: sentences with commas, dashes and the odd parenthesis. */
export function sentences(random: Random, length: number, foreign = false): string {
  let text = ''
  while (text.length < length) {
    const parts = [capital(random.pick(VERBS)), random.pick(QUALITIES), random.pick(NOUNS)]
    const count = random.between(1, 4)
    for (let index = 0; index < count; index++) {
      parts.push(random.pick(GLUE), random.pick(random.happens(0.5) ? QUALITIES : VERBS), random.pick(NOUNS))
      if (random.happens(0.15)) parts[parts.length - 1] += ','
      if (random.happens(0.05)) parts.push(`(${random.pick(NOUNS)})`)
    }
    if (foreign) parts.splice(random.between(1, parts.length - 1), 0, random.pick(FOREIGN))
    text += `${text === '' ? '' : ' '}${parts.join(' ').replace(/,$/, '')}.`
  }
  return text
}

export function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(NOUNS))
}

/** For example `review-logs-0042`: unique for each index. */
export function skillName(random: Random, index: number): string {
  return `${random.pick(VERBS)}-${random.pick(NOUNS)}-${String(index).padStart(4, '0')}`
}

/** Blocks of Markdown from which bodies are composed: generating each would take longer than the measurements. */
export function markdownBlocks(random: Random, count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const kind = random.weighted({ prose: 0.5, list: 0.3, code: 0.2 })
    const heading = random.happens(0.4) ? `## ${capital(random.pick(VERBS))} the ${random.pick(NOUNS)}\n\n` : ''
    if (kind === 'prose') return `${heading}${sentences(random, random.between(120, 600), random.happens(0.1))}\n`
    if (kind === 'list') {
      const items = Array.from({ length: random.between(3, 8) }, () => `- ${sentences(random, 40)}`)
      return `${heading}${items.join('\n')}\n`
    }
    const lines = Array.from(
      { length: random.between(3, 10) },
      () => `${random.pick(VERBS)} --${words(random, 2).join(' ')}`,
    )
    return `${heading}\`\`\`bash\n${lines.join('\n')}\n\`\`\`\n`
  })
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
