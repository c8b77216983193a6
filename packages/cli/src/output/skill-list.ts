import type { Catalog, Skill } from '@repertoire/core'
import type { Finding } from '../finding.ts'
import { diagnosticCounts } from './diagnostics.ts'
import type { Output } from './output.ts'
import { shownPath } from './path.ts'
import { count, padTo, shorten, visible, visibleLine, visibleName, widthOf } from './text.ts'

/** A skill of the list, and what hides it. */
export interface ListedRow {
  readonly skill: Skill
  readonly shadowedBy?: Skill
  /** Why the host does not admit it. */
  readonly refused?: readonly string[]
  /** With what each script is run, or why nothing runs it. */
  readonly scripts?: readonly { readonly path: string; readonly interpreter?: string; readonly problem?: string }[]
}

/** What is shown around the rows. */
export interface ListStyle {
  readonly catalog: Catalog
  readonly diagnostics: readonly Finding[]
  readonly searchedFolders: readonly string[]
  readonly recursive: boolean
  /** Whether skills that are not in use are among the rows. */
  readonly all: boolean
  /** Paths inside this folder are shown relative to it. */
  readonly folder: string
  readonly output: Pick<Output, 'paint' | 'columns'>
}

/** A description is worth showing from this width on. */
const MIN_DESCRIPTION_COLUMNS = 20
/** One very long name must not push all descriptions out of sight. */
const MAX_NAME_COLUMNS = 40

/**
 * The skills by name; of one name, the one in use first.
 * @param all includes skills that are shadowed, drafts, disabled or not admitted
 */
export function rowsOf(catalog: Catalog, all: boolean): readonly ListedRow[] {
  const { shadowed, inactive, refused } = catalog
  const listed: readonly ListedRow[] = catalog.list().map((skill) => ({ skill }))
  const hidden: readonly ListedRow[] = [
    ...shadowed.map(({ skill, by }) => ({ skill, shadowedBy: by })),
    ...inactive.map((skill) => ({ skill })),
    ...refused.map(({ skill, reasons }) => ({ skill, refused: reasons })),
  ]
  return [...listed, ...(all ? hidden : [])].toSorted(
    (a, b) => Number(a.skill.name > b.skill.name) - Number(a.skill.name < b.skill.name),
  )
}

/** The list for a person: one row per skill, and a closing line. */
export function listText(rows: readonly ListedRow[], style: ListStyle): string {
  const { catalog, diagnostics, output, all } = style
  const found = rows.filter((row) => whyHidden(row, '') === undefined).length
  const closing = [
    output.paint.bold(found === 0 ? 'No skills found' : count(found, 'skill')),
    ...notListed(catalog, all),
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
  const names = rows.map(({ skill }) => visibleName(skill.name))
  const nameWidth = Math.min(MAX_NAME_COLUMNS, Math.max(0, ...names.map(widthOf)))
  const layerWidth = Math.max(0, ...rows.map(({ skill }) => skill.layer.length))
  return rows.flatMap((row, index) => {
    const name = padTo(names[index]!, nameWidth)
    const layer = padTo(row.skill.layer, layerWidth)
    const textWidth = Math.max(MIN_DESCRIPTION_COLUMNS, columns - widthOf(name) - layerWidth - 4)
    const why = whyHidden(row, folder)
    const description = visibleLine(row.skill.manifest.description)
    const text = shorten(why === undefined ? description : `${why} · ${description}`, textWidth)
    const scripts = (row.scripts ?? []).map(
      ({ path, interpreter, problem = '' }) => `    ${visibleName(path)}  ${visible(interpreter ?? problem)}`,
    )
    if (why !== undefined) return [paint.dim([name, layer, text].join('  ')), ...scripts]
    return [[paint.bold(name), paint.cyan(layer), text].join('  '), ...scripts]
  })
}

function whyHidden({ skill, shadowedBy, refused }: ListedRow, folder: string): string | undefined {
  if (refused !== undefined) return 'not admitted'
  if (shadowedBy !== undefined) return `shadowed by ${shownPath(shadowedBy.location, folder)}`
  return skill.manifest.status === 'active' ? undefined : skill.manifest.status
}

function notListed({ shadowed, inactive, refused }: Catalog, all: boolean): readonly string[] {
  const parts = [
    ...(shadowed.length > 0 ? [`${shadowed.length} shadowed`] : []),
    ...(inactive.length > 0 ? [`${inactive.length} draft or disabled`] : []),
    ...(refused.length > 0 ? [`${refused.length} not admitted`] : []),
  ]
  return parts.length === 0 || all ? parts : [`${new Intl.ListFormat('en').format(parts)} (--all lists them)`]
}

function advice({ searchedFolders, recursive, folder, output: { paint } }: ListStyle): string {
  const deeper = recursive ? '' : ', or look at any depth with --recursive'
  return [
    'Searched:',
    ...searchedFolders.map((path) => `  ${path === folder ? visibleName(path) : shownPath(path, folder)}`),
    paint.dim(
      `A skill is a folder with a file SKILL.md. Name the folder that holds yours${deeper}. Folders above are not searched.`,
    ),
    paint.dim('"repertoire new" writes a skill, and "repertoire add" installs skills of others.'),
  ].join('\n')
}
