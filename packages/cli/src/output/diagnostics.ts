import type { Context } from '../context.ts'
import type { Finding } from '../finding.ts'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { count, visible } from './text.ts'

/** How diagnostics are shown. */
export interface DiagnosticStyle {
  readonly paint: Paint
  /** Paths inside this folder are shown relative to it. */
  readonly folder: string
  /** How many are shown at most; the rest is counted. Default: as many as fit on a screen with the text around them. */
  readonly limit?: number
}

const GROUPS = [
  { severity: 'error', one: 'error', color: 'red' },
  { severity: 'warning', one: 'warning', color: 'yellow' },
  { severity: 'info', one: 'note', color: 'blue' },
] as const

/** Diagnostics for a person, the worst first, one empty line between groups. Empty if there are no diagnostics. */
export function diagnosticsText(diagnostics: readonly Finding[], style: DiagnosticStyle): string {
  const { paint, limit = 20 } = style
  const blocks: string[] = []
  let room = limit
  for (const { severity, one, color } of GROUPS) {
    const all = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    const shown = all.slice(0, room)
    if (all.length === 0) continue
    room -= shown.length
    const hidden = all.length - shown.length
    const heading = paint[color](paint.bold(count(all.length, one))) + (shown.length === 0 ? ', not shown' : '')
    const rest = hidden > 0 && shown.length > 0 ? [paint.dim(`  and ${hidden} more; --json has all`)] : []
    blocks.push([heading, ...shown.map((diagnostic) => diagnosticLines(diagnostic, style)), ...rest, ''].join('\n'))
  }
  return blocks.join('\n')
}

/** Writes findings to stderr, before the output of the command or after it. */
export async function printFindings(
  findings: readonly Finding[],
  { stderr, folder }: Pick<Context, 'stderr' | 'folder'>,
  place: 'before' | 'after',
): Promise<void> {
  const text = diagnosticsText(findings, { paint: stderr.paint, folder })
  if (text !== '') await stderr.print(place === 'before' ? `${text}\n` : `\n${text}`)
}

/** `2 errors, 1 warning`, or an empty text. */
export function diagnosticCounts(diagnostics: readonly Finding[]): string {
  return GROUPS.map(({ severity, one }) => ({ one, all: diagnostics.filter((d) => d.severity === severity).length }))
    .filter(({ all }) => all > 0)
    .map(({ one, all }) => count(all, one))
    .join(', ')
}

function diagnosticLines({ path, line, code, message, hint }: Finding, { paint, folder }: DiagnosticStyle): string {
  const place = `${shownPath(path, folder)}${line === undefined ? '' : `:${line}`}`
  const lines = [`  ${paint.underline(place)}  ${paint.dim(visible(code))}`, `    ${visible(message)}`]
  if (hint !== undefined) lines.push(`    ${paint.dim('→')} ${visible(hint)}`)
  return lines.join('\n')
}
