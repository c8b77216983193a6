import type { SkillDemands } from '@repertoire/core/authoring'
import type { OtherLoad } from '../commands/elsewhere.ts'
import type { Finding } from '../finding.ts'
import { diagnosticCounts } from './diagnostics.ts'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { type Row, demandRows, rowLines } from './rows.ts'
import { count, visibleName } from './text.ts'

/** The answers to an author's four questions about a skill. */
export interface SkillCheck {
  readonly name: string
  /** Of its SKILL.md. */
  readonly path: string
  readonly loads: {
    readonly here: boolean
    readonly findings: readonly Finding[]
    readonly elsewhere: {
      readonly date: string
      readonly systems: readonly string[]
      readonly found: readonly OtherLoad[]
    }
  }
  readonly asks: SkillDemands | undefined
  /** In tokens, by estimate. */
  readonly cost: { readonly list: number; readonly body: number; readonly files: number; readonly fileCount: number }
  /** What would help a model to find it. */
  readonly advice: readonly string[]
}

/** Findings that fit on the screen. "validate" shows all. */
const MAX_FINDINGS = 4

/** The answers for a person, on one screen. */
export function checkText(
  { name, path, loads, asks, cost, advice }: SkillCheck,
  { paint, folder }: { readonly paint: Paint; readonly folder: string },
): string {
  const { here, findings, elsewhere } = loads
  const block = (title: string, rows: readonly Row[]): string =>
    [paint.bold(title), ...rowLines(rows, paint)].join('\n')
  const counts = diagnosticCounts(findings)
  const worstFirst = ['error', 'warning', 'info'].flatMap((level) => findings.filter((each) => each.severity === level))
  const shown = worstFirst.slice(0, MAX_FINDINGS).map(({ message, hint = '', line }): Row => {
    return ['', `– ${line === undefined ? '' : `Line ${line}: `}${message} ${hint}`]
  })
  const more =
    findings.length > MAX_FINDINGS ? [['', `More: repertoire validate ${shownPath(path, folder)}`] as Row] : []
  const blocks = [
    `${paint.bold(visibleName(name))}  ${paint.dim(shownPath(path, folder))}`,
    block('Does it load?', [
      ['here', `${here ? 'yes' : 'no'}${counts === '' ? '' : `, with ${counts}`}`],
      ...shown,
      ...more,
      ...(here ? elsewhereRows(elsewhere) : []),
    ]),
  ]
  if (asks !== undefined) {
    blocks.push(
      block('What does it ask for?', demandRows(asks)),
      block('What does it cost?', [
        ['list', `about ${tokens(cost.list)} in every step`],
        ['body', `about ${tokens(cost.body)} when it is used`],
        [
          'files',
          cost.fileCount === 0
            ? 'none to read'
            : `about ${tokens(cost.files)} in ${count(cost.fileCount, 'file')}, if a model reads them all`,
        ],
      ]),
      block(
        'Would a model find it?',
        advice.length === 0 ? [['', 'Nothing to add.']] : advice.map((text): Row => ['→', text]),
      ),
    )
  }
  return `${blocks.join('\n\n')}\n`
}

function elsewhereRows({ date, systems, found }: SkillCheck['loads']['elsewhere']): readonly Row[] {
  const lost = new Set(found.filter(({ isLost }) => isLost).flatMap((each) => each.systems))
  const many = systems.length - lost.size
  return [
    ['elsewhere', `in ${many} of ${systems.length} other systems, as tested on ${date}`],
    ...found.map(({ what, fix = '', systems: names }): Row => {
      const who = names.length === systems.length ? 'all of them' : names.join(', ')
      return ['', `– ${what}: ${who}.${fix === '' ? '' : ` ${fix}`}`]
    }),
  ]
}

function tokens(number: number): string {
  return `${number.toLocaleString('en')} ${number === 1 ? 'token' : 'tokens'}`
}
