import { readOptions, type HarmlessProgram, type Use } from '@repertoire/gate/internal'

/** The programs and their harmless options in Markdown: a heading and a list for each. */
export function renderPrograms(programs: readonly HarmlessProgram[]): string {
  return programs.map(renderProgram).join('\n\n')
}

function renderProgram({ names, everywhere = '', before = '', uses, ...checks }: HarmlessProgram): string {
  const isChecked = checks.values !== undefined || checks.operands !== undefined
  const [name, ...others] = names.split(' ')
  const entries = Object.entries(uses).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const refused = entries.flatMap(([each, use]) => (use === false ? each.split(',') : []))
  const lines = [
    ...(others.length === 0 ? [] : [`Also called ${codes(others)}.`, '']),
    ...(everywhere === '' ? [] : [`- with every subcommand: ${optionsText(everywhere)}`]),
    ...(before === '' ? [] : [`- before the subcommand: ${optionsText(before)}`]),
    ...entries.flatMap(([each, use]) => {
      if (use === false) return []
      return [
        renderUse(each, typeof use === 'string' ? { options: use } : use, { isOnly: entries.length === 1, isChecked }),
      ]
    }),
    ...(refused.length === 0 ? [] : [`- never permitted by a prefix: ${codes(refused)}`]),
  ]
  return [`### ${name}`, '', ...lines].join('\n')
}

function renderUse(
  names: string,
  use: Use,
  { isOnly, isChecked }: { readonly isOnly: boolean; readonly isChecked: boolean },
): string {
  const subcommands =
    names === ''
      ? isOnly
        ? 'options'
        : 'without a subcommand'
      : names === '*'
        ? 'any other word'
        : codes(names.split(','))
  const notes = notesOf(use, isChecked)
  return `- ${subcommands}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: ${optionsText(use.options ?? '') || 'no options'}`
}

function notesOf({ named, runsCode, values, operands, check, passesOn }: Use, isChecked: boolean): readonly string[] {
  return [
    ...(runsCode === true ? ['runs code'] : []),
    ...(named === true ? ['only if the rule names it'] : []),
    ...(isChecked || values !== undefined || operands !== undefined || check !== undefined
      ? ['words are checked']
      : []),
    ...(passesOn === undefined
      ? []
      : [passesOn.to === 'script' ? 'hands words to a script' : 'hands words to a program']),
  ]
}

/** Options that are harmless, each by its names. */
function optionsText(text: string): string {
  const names = new Map<string, { readonly names: string[]; readonly hasValue: boolean }>()
  for (const [given, { name, values, isHarmless }] of readOptions(text)) {
    if (!isHarmless) continue
    const known = names.get(name) ?? { names: [], hasValue: values !== 'none' }
    known.names.push(given)
    names.set(name, known)
  }
  return Array.from(names.values(), (option) => `\`${option.names.join(' ')}${option.hasValue ? '=' : ''}\``).join(' ')
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
