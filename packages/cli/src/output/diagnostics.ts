import type { Finding } from '../finding.ts'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { count, visible } from './text.ts'

/** How diagnostics are shown. */
export interface DiagnosticStyle {
  readonly paint: Paint
  /** Paths inside this folder are shown relative to it. */
  readonly folder: string
  /** How many are shown at most; the rest is counted. */
  readonly limit: number
  /** The line at the end if some are not shown. Default: how to show them with `--diagnostics`. */
  readonly more?: string
}

/** As many as fit on a screen with the text around them. */
export const SHOWN_DIAGNOSTICS = 20

const GROUPS = [
  { severity: 'error', one: 'error', color: 'red' },
  { severity: 'warning', one: 'warning', color: 'yellow' },
  { severity: 'info', one: 'note', color: 'blue' },
] as const

/** Diagnostics for a person, the worst first, one empty line between groups. Empty if there are no diagnostics. */
export function diagnosticsText(diagnostics: readonly Finding[], style: DiagnosticStyle): string {
  const { paint, limit, more = 'Show all of them with --diagnostics, or as data with --json.\n' } = style
  const blocks: string[] = []
  let room = limit
  for (const { severity, one, color } of GROUPS) {
    const all = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    const shown = all.slice(0, room)
    if (all.length === 0) continue
    room -= shown.length
    const hidden = all.length - shown.length
    const heading = paint[color](paint.bold(count(all.length, one))) + (shown.length === 0 ? ', not shown' : '')
    const rest = hidden > 0 && shown.length > 0 ? [paint.dim(`  and ${hidden} more, not shown`)] : []
    blocks.push([heading, ...shown.map((diagnostic) => diagnosticLines(diagnostic, style)), ...rest, ''].join('\n'))
  }
  if (diagnostics.length > limit && more !== '') blocks.push(more)
  return blocks.join('\n')
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
