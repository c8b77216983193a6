import { unboundedText } from '@repertoire/core/internal'
import {
  type Diagnostic,
  type FolderEntry,
  type Manifest,
  type Skill,
  type ToolRule,
  estimateTokens,
} from '@repertoire/core'
import { type ResourceGroups, formatRule } from '@repertoire/core/authoring'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { count, padTo, visible, visibleLine, visibleName, wrap } from './text.ts'

/** A skill and the content of its folder. */
export interface ShownSkill {
  readonly skill: Skill
  readonly manifest: Manifest
  /** Absent: the file was broken since it was listed. */
  readonly body: string | undefined
  readonly digest: string
  readonly resources: ResourceGroups
  /** Whether there are more files than are listed. */
  readonly truncated: boolean
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
  /** Hidden files, which no model is shown. */
  readonly withheld: readonly FolderEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** How a skill is shown to a person. */
export interface CardStyle {
  readonly paint: Paint
  readonly columns: number | undefined
  /** Paths inside this folder are shown relative to it. */
  readonly folder: string
  /** Whether the instructions are shown. */
  readonly body: boolean
}

const MAX_TEXT_COLUMNS = 100

/** One skill for a person. */
export function skillText(shown: ShownSkill, style: CardStyle): string {
  const { skill, manifest, body } = shown
  const { paint, columns = MAX_TEXT_COLUMNS } = style
  const status = manifest.status === 'active' ? '' : `  ${paint.yellow(manifest.status)}`
  const blocks = [
    `${paint.bold(visibleName(skill.name))}  ${paint.cyan(skill.layer)}${status}`,
    wrap(visibleLine(manifest.description), Math.min(columns, MAX_TEXT_COLUMNS)).join('\n'),
    fieldLines(shown, style).join('\n'),
    fileLines(shown, paint).join('\n'),
  ]
  if (style.body) blocks.push(paint.bold('Instructions'), (body ?? '').split(/\r?\n/).map(visible).join('\n').trim())
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** One skill as a JSON value. */
export function skillJson({ skill, manifest, body, ...shown }: ShownSkill, withBody: boolean) {
  const { name, layer, source, location, path } = skill
  const { digest, resources, diagnostics } = shown
  return {
    name,
    layer,
    source,
    location,
    path,
    manifest,
    ...rulesJson('allowedTools', manifest.allowedTools),
    ...rulesJson('disallowedTools', manifest.disallowedTools),
    digest,
    resources,
    diagnostics,
    ...(withBody ? { body: body ?? null } : {}),
  }
}

function rulesJson(key: string, rules: readonly ToolRule[] | undefined) {
  return rules === undefined ? {} : { [key]: rules.map(formatRule) }
}

function fieldLines({ skill, manifest, body, digest }: ShownSkill, { paint, folder }: CardStyle): readonly string[] {
  const { allowedTools, disallowedTools, scope, hooks, triggers } = manifest
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['location', shownPath(skill.location, folder)],
    ['source', visibleName(skill.source)],
    ['type', manifest.type],
    ['allowed tools', allowedTools === undefined ? 'not restricted' : rulesText(allowedTools)],
    ['unbounded', unboundedText(allowedTools)],
    ['denied tools', disallowedTools === undefined ? undefined : rulesText(disallowedTools)],
    ['when to use', manifest.whenToUse],
    ['arguments', manifest.argumentHint],
    ['invoked by', invokedBy(manifest)],
    ['model', manifest.model],
    ['context', manifest.context === 'inherit' ? undefined : [manifest.context, manifest.agent ?? ''].join(' ').trim()],
    ['priority', manifest.priority === 0 ? undefined : String(manifest.priority)],
    ['tags', listText(manifest.tags)],
    ['triggers', listText([...triggers.keywords, ...triggers.verbs, ...triggers.patterns])],
    ['agents', scope.agents && (listText(scope.agents) ?? 'none')],
    ['tenants', scope.tenants && (listText(scope.tenants) ?? 'none')],
    ['environments', scope.environments && (listText(scope.environments) ?? 'none')],
    ['hooks', listText([...hooks.pre, ...hooks.post])],
    ['toolsets', listText(manifest.toolsets)],
    ['imported from', manifest.source],
    ['created by', manifest.createdBy],
    ['license', manifest.license],
    ['compatibility', manifest.compatibility],
    ...Object.entries(manifest.metadata).map(([key, value]) => [`metadata ${key}`, value] as const),
    ['other fields', listText(Object.keys(manifest.extra))],
    ['body', body === undefined ? undefined : bodyText(body)],
    ['digest', digest],
  ]
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== undefined)
  const width = Math.max(...shown.map(([name]) => visible(name).length))
  return shown.map(([name, value]) => `  ${paint.dim(padTo(visible(name), width))}  ${visibleLine(value)}`)
}

function invokedBy({ disableModelInvocation, userInvocable }: Manifest): string | undefined {
  if (disableModelInvocation) return userInvocable ? 'a person only' : 'nobody'
  return userInvocable ? undefined : 'a model only'
}

function fileLines({ resources, truncated, refused, withheld }: ShownSkill, paint: Paint): readonly string[] {
  const groups = Object.entries(resources).filter(([, files]) => files.length > 0)
  const lines = groups.flatMap(([kind, files]: [string, readonly FolderEntry[]]) => [
    `  ${paint.dim(kind)}`,
    ...files.map(
      ({ path, size, executable }) => `    ${visibleName(path)}  ${sizeText(size)}${executable ? ', executable' : ''}`,
    ),
  ])
  if (truncated) lines.push('  and more that are not listed')
  if (withheld.length > 0) lines.push(`  ${paint.dim(count(withheld.length, 'hidden file'))}`)
  for (const { path, reason } of refused)
    lines.push(`  ${paint.yellow('not available')}  ${visibleName(path)}: ${visible(reason)}`)
  return lines.length === 0 ? [] : [paint.bold('Files'), ...lines]
}

function bodyText(body: string): string {
  const lines = body === '' ? 0 : body.replace(/\n$/, '').split('\n').length
  return `${count(lines, 'line')}, about ${estimateTokens(body).toLocaleString('en')} tokens`
}

function rulesText(rules: readonly ToolRule[]): string {
  return rules.length === 0 ? 'none' : rules.map(formatRule).join(', ')
}

function listText(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ')
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`
}
