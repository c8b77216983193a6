import type { Catalog, Diagnostic, Skill } from '@repertoire/core'
import { diagnosticCounts } from './diagnostics.ts'
import type { Output } from './output.ts'
import { shownPath } from './path.ts'
import { count, padTo, shorten, visible, visibleLine, widthOf } from './text.ts'

/** A skill of the list, and what hides it. */
export interface ListedRow {
  readonly skill: Skill
  readonly shadowedBy?: Skill
}

/** What stands around the rows. */
export interface ListStyle {
  readonly catalog: Catalog
  readonly diagnostics: readonly Diagnostic[]
  /** The folders of the sources. */
  readonly lookedInto: readonly string[]
  readonly recursive: boolean
  /** Paths in it are shown relative to it. */
  readonly folder: string
  readonly output: Pick<Output, 'paint' | 'columns'>
}

/** A description is worth showing from this width on. */
const LEAST_DESCRIPTION = 20
/** One very long name must not push all descriptions out of sight. */
const WIDEST_NAME = 40

/** The skills by name; of one name, the one in use first. */
export function rowsOf(catalog: Catalog, all: boolean): readonly ListedRow[] {
  const { shadowed, inactive } = catalog
  const rows: readonly ListedRow[] = catalog.list().map((skill) => ({ skill }))
  if (!all) return rows
  const hidden = [
    ...shadowed.map(({ skill, by }) => ({ skill, shadowedBy: by })),
    ...inactive.map((skill) => ({ skill })),
  ]
  return [...rows, ...hidden].toSorted((a, b) => compare(a.skill.name, b.skill.name))
}

/** The list for a person: a row a skill, and a closing line. */
export function listText(rows: readonly ListedRow[], style: ListStyle): string {
  const { catalog, diagnostics, output } = style
  const found = catalog.list().length
  const closing = [
    output.paint.bold(found === 0 ? 'No skills found' : count(found, 'skill')),
    ...notListed(catalog, rows),
    diagnosticCounts(diagnostics),
  ]
  const blocks = [
    rowLines(rows, style).join('\n'),
    closing.filter((part) => part !== '').join(' · '),
    found === 0 ? advice(style) : '',
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function rowLines(rows: readonly ListedRow[], { folder, output }: ListStyle): readonly string[] {
  const { paint, columns = Infinity } = output
  const names = rows.map(({ skill }) => visible(skill.name))
  const nameWidth = Math.min(WIDEST_NAME, Math.max(0, ...names.map(widthOf)))
  const layerWidth = Math.max(0, ...rows.map(({ skill }) => skill.layer.length))
  return rows.map((row, index) => {
    const name = padTo(names[index]!, nameWidth)
    const layer = padTo(row.skill.layer, layerWidth)
    const room = Math.max(LEAST_DESCRIPTION, columns - widthOf(name) - layerWidth - 4)
    const why = whyHidden(row, folder)
    const description = visibleLine(row.skill.manifest.description)
    if (why === undefined) return `${paint.bold(name)}  ${paint.cyan(layer)}  ${shorten(description, room)}`
    return paint.dim(`${name}  ${layer}  ${shorten(`${why} · ${description}`, room)}`)
  })
}

function whyHidden({ skill, shadowedBy }: ListedRow, folder: string): string | undefined {
  if (shadowedBy !== undefined) return `shadowed by ${shownPath(shadowedBy.location, folder)}`
  return skill.manifest.status === 'active' ? undefined : skill.manifest.status
}

function notListed(catalog: Catalog, rows: readonly ListedRow[]): readonly string[] {
  const { shadowed, inactive } = catalog
  const parts = [
    ...(shadowed.length > 0 ? [`${shadowed.length} shadowed`] : []),
    ...(inactive.length > 0 ? [`${inactive.length} draft or disabled`] : []),
  ]
  const areShown = rows.length > catalog.list().length
  return parts.length === 0 || areShown ? parts : [`${parts.join(' and ')} (--all lists them)`]
}

function advice({ lookedInto, recursive, folder, output: { paint } }: ListStyle): string {
  const deeper = recursive ? '' : ', or look at any depth with --recursive'
  return [
    'Looked into:',
    ...lookedInto.map((path) => `  ${path === folder ? visible(path) : shownPath(path, folder)}`),
    paint.dim(`A skill is a folder with a file SKILL.md. Name the folder that holds yours${deeper}.`),
  ].join('\n')
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
