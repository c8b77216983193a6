import { unboundedText } from '@repertoire/core/internal'
import { type Diagnostic, type FolderEntry, type Manifest, type Skill, estimateTokens } from '@repertoire/core'
import { type ResourceGroups, formatRule } from '@repertoire/core/authoring'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { listText, rowLines } from './rows.ts'
import { count, visible, visibleLine, visibleName } from './text.ts'

/** A skill and the content of its folder. */
export interface ShownSkill {
  readonly skill: Skill
  readonly manifest: Manifest
  /** Absent: the file was broken since it was listed. */
  readonly body: string | undefined
  readonly digest: string
  readonly resources: ResourceGroups
  /** Entries that no model is shown, each with the reason. */
  readonly unavailable: readonly { readonly path: string; readonly reason: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** One skill for a person. */
export function skillText(
  { skill, manifest, body = '', digest, resources, unavailable }: ShownSkill,
  { paint, folder, withBody }: { readonly paint: Paint; readonly folder: string; readonly withBody: boolean },
): string {
  const { name, description, status, allowedTools, disallowedTools, ...fields } = manifest
  const lines = body === '' ? 0 : body.replace(/\n$/, '').split('\n').length
  const files = Object.entries(resources).flatMap(([kind, entries]) =>
    (entries as readonly FolderEntry[]).map(({ path, executable }) => [
      kind,
      `${visibleName(path)}${executable ? ' (executable)' : ''}`,
    ]),
  )
  const kinds = Map.groupBy(files, ([kind]) => kind!)
  const rows = rowLines(
    [
      ['location', shownPath(skill.location, folder)],
      [
        'allowed-tools',
        allowedTools === undefined ? 'not restricted' : (listText(allowedTools.map(formatRule)) ?? 'none'),
      ],
      ['unbounded', unboundedText(allowedTools)],
      ['disallowed-tools', disallowedTools && listText(disallowedTools.map(formatRule))],
      ...Object.entries(fields).flatMap(([field, value]) => fieldRows(kebab(field), value)),
      ...[...kinds].map(([kind, found]) => [kind, listText(found.map(([, text]) => text!))] as const),
      ...unavailable.map(({ path, reason }) => ['not available', `${visibleName(path)}: ${reason}`] as const),
      ['body', `${count(lines, 'line')}, about ${estimateTokens(body).toLocaleString('en')} tokens`],
      ['digest', digest],
    ],
    paint,
  )
  const mark = status === 'active' ? '' : `  ${paint.yellow(status)}`
  const head = `${paint.bold(visibleName(name))}  ${paint.cyan(skill.layer)}${mark}\n  ${visibleLine(description)}`
  const text = withBody ? `\n\n${body.split(/\r?\n/).map(visible).join('\n').trim()}` : ''
  return `${head}\n\n${rows.join('\n')}${text}\n`
}

/** One skill as a JSON value. */
export function skillJson({ skill, manifest, body, digest, resources, diagnostics }: ShownSkill, withBody: boolean) {
  const { name, layer, source, location, path } = skill
  return {
    name,
    layer,
    source,
    location,
    path,
    manifest,
    allowedTools: manifest.allowedTools?.map(formatRule),
    disallowedTools: manifest.disallowedTools?.map(formatRule),
    digest,
    resources,
    diagnostics,
    ...(withBody ? { body: body ?? null } : {}),
  }
}

/** What an author leaves out, or what says nothing. */
const USUAL: ReadonlySet<unknown> = new Set([undefined, '', 0, false, 'inherit', 'instruction'])

/** A field as its author writes it, with one row for each value of a mapping. */
function fieldRows(field: string, value: unknown): readonly (readonly [string, string])[] {
  if (field === 'user-invocable') return value === true ? [] : [[field, 'false']]
  if (USUAL.has(value)) return []
  if (Array.isArray(value)) return value.length === 0 ? [] : [[field, value.map(textOf).join(', ')]]
  if (typeof value !== 'object' || field === 'parameters') return [[field, textOf(value)]]
  return Object.entries(value as object).flatMap(([key, each]) =>
    fieldRows(field === 'extra' ? key : `${field}.${key}`, each),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function kebab(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
