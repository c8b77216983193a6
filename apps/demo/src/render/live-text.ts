import { count, visible, visibleLine } from 'repertoire/terminal'
import { eventsOf } from '../events.ts'
import type { LiveResult } from '../live/live-result.ts'
import { agreementText, all } from './agreement.ts'
import { columns } from './columns.ts'
import type { Screen } from './lines.ts'
import { leadText, nextText, paragraph } from './paragraphs.ts'

const CONSENT = {
  person: 'asked on this terminal, once for each skill',
  yes: 'given to every skill, by --yes',
  nobody: 'denied to every skill: there is no terminal to ask on. --yes agrees to all',
} as const

/** A live run for a terminal: the task, the actions of each adapter, the comparison, and what to try next. */
export function liveText(result: LiveResult, screen: Screen): string {
  const { task, model, baseURL, folder, consent, adapters, agreement, notes } = result
  const compared = adapters.filter(({ requests }) => requests.length > 0)
  const [first] = compared
  return [
    leadText(adapters.length, screen),
    [
      ...paragraph('Task', visibleLine(task), screen),
      ...paragraph('Model', visible(`${model} at ${baseURL}`), screen),
      ...paragraph(
        'Tools',
        visible(`Read and LS look at ${folder}; Write and Bash are a dry run: nothing is changed`),
        screen,
      ),
      ...paragraph('Consent', CONSENT[consent], screen),
      ...notes.flatMap((note) => paragraph('Note', visible(note), screen)),
    ].join('\n'),
    columns(adapters, screen).trimEnd(),
    agreementText(adapters, agreement, first === undefined ? [] : [sentence(compared.length, first)], screen),
    nextText('live', screen),
  ]
    .map((block) => `${block}\n`)
    .join('\n')

  function sentence(number: number, record: (typeof adapters)[number]): string {
    const [offer] = eventsOf(record).filter((event) => event.type === 'offer')
    const what = `${count(offer?.skills.length ?? 0, 'skill')} and ${count(offer?.tools.length ?? 0, 'tool')}`
    if (number === 1) return `The model was shown ${what}. What it did with them was its own choice.`
    return `In ${all(number)}, the model was shown the same ${what}, word for word. What it did with them was its own choice.`
  }
}
