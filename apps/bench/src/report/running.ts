import type { Paint } from 'repertoire/terminal'
import type { AgentRow, Agents } from '../measures/agents.ts'
import type { RunnerRow } from '../measures/runners.ts'
import type { Summary } from '../statistics.ts'
import { grouped, ms, times } from './format.ts'
import { table } from './table.ts'

/** What a step of each adapter costs, and a script in it. */
export function showAgents(agents: Agents | undefined, paint: Paint): string {
  if (agents === undefined) return ''
  const { steps, scripts } = agents
  const absent = [...steps, ...scripts].filter((each) => each.absent !== undefined)
  return [
    `\n${paint.bold('A step of an agent, ms')}\n`,
    table(
      ['', 'without ours', 'with ours', 'spread'],
      [
        ...steps.map((each) => agentRow(`${each.title}, ${grouped(each.skills)} skills`, each)),
        ...scripts.map((each) => agentRow(`${each.title}, run_skill_script over the runner alone`, each)),
      ],
      paint.dim,
    ),
    ...absent.map(({ title, absent: why }) => `  n/a: ${title}: ${why ?? ''}\n`),
  ].join('')
}

function agentRow(title: string, { plain, more }: AgentRow): string[] {
  return [
    title,
    plain === undefined ? 'n/a' : ms(plain.median),
    signed(more),
    more === undefined ? '' : `${signedNumber(more.least)} to ${signedNumber(more.most)}`,
  ]
}

/** A script that prints a line, by each runner and by what that runs on. */
export function showRunners(rows: readonly RunnerRow[] | undefined, paint: Paint): string {
  if (rows === undefined) return ''
  const absent = rows.filter((row) => row.absent !== undefined)
  return [
    `\n${paint.bold('A script that prints a line, ms')}\n`,
    table(
      ['', 'first', 'steady', 'bare', ''],
      rows.map(({ title, bareTitle, own, bare, first, over }) => [
        title,
        first === undefined ? 'n/a' : ms(first.median),
        own === undefined ? 'n/a' : ms(own.median),
        bare === undefined ? 'n/a' : ms(bare.median),
        over === undefined ? '' : `${times(over.median)} ${bareTitle}`,
      ]),
      paint.dim,
    ),
    ...absent.map(({ title, absent: why }) => `  n/a: ${title}: ${why ?? ''}\n`),
  ].join('')
}

function signed(value: Summary | undefined): string {
  return value === undefined ? 'n/a' : signedNumber(value.median)
}

function signedNumber(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}
