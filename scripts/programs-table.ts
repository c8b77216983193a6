import { readOptions, type HarmlessProgram, type Use } from '@repertoire/gate/internal/programs'

/** Returns a program and its harmless options in Markdown: a heading and a list. */
export function renderProgram({
  names,
  everywhere = '',
  before = '',
  uses,
  values,
  operands,
}: HarmlessProgram): string {
  const [name, ...others] = names.split(' ')
  const entries = Object.entries(uses).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const isChecked = values !== undefined || operands !== undefined
  const lines = entries.flatMap(([words, use]) => {
    if (use === false) return []
    const { options = '', ...rules } = typeof use === 'string' ? { options: use } : use
    const notes = notesOf(rules, isChecked)
    const subject = entries.length === 1 && words === '' ? 'options' : subcommands(words)
    return `- ${subject}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: ${optionsText(options) || 'no options'}`
  })
  const refused = entries.flatMap(([words, use]) => (use === false ? words.split(',') : []))
  if (before !== '') lines.unshift(`- before the subcommand: ${optionsText(before)}`)
  if (everywhere !== '') lines.unshift(`- with every subcommand: ${optionsText(everywhere)}`)
  if (refused.length > 0) lines.push(`- never permitted by a prefix: ${codes(refused)}`)
  const heading = `### ${name}\n\n${others.length === 0 ? '' : `Also called ${codes(others)}.\n\n`}`
  return `${heading}${lines.join('\n')}\n`
}

function subcommands(words: string): string {
  if (words === '') return 'without a subcommand'
  return words === '*' ? 'any other word' : codes(words.split(','))
}

function notesOf({ named, runsCode, values, operands, check, passesOn }: Use, isChecked: boolean): readonly string[] {
  const notes: string[] = []
  if (runsCode === true) notes.push('runs code')
  if (named === true) notes.push('only if the rule names it')
  if (isChecked || values !== undefined || operands !== undefined || check !== undefined)
    notes.push('words are checked')
  if (passesOn !== undefined) notes.push(`hands words to a ${passesOn.to === 'script' ? 'script' : 'program'}`)
  return notes
}

/** Lists the harmless options, each with its names. */
function optionsText(text: string): string {
  const harmless = [...readOptions(text)].filter(([, { isHarmless }]) => isHarmless)
  const options = Map.groupBy(harmless, ([, { name }]) => name).values()
  return Array.from(options, (same) => {
    const names = same.map(([given]) => given).join(' ')
    return `\`${names}${same[0]![1].values === 'none' ? '' : '='}\``
  }).join(' ')
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
