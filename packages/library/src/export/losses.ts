import type { Manifest } from '@repertoire/core'
import { formatRule } from '@repertoire/core/authoring'
import type { ExportableSkill } from './exportable.ts'

/** What a skill is exported to. */
export type ExportTarget = 'harness' | 'plugin'

/** Something of a skill that the other system does not keep. */
export interface ExportLoss {
  /** A field of SKILL.md, `consent`, or `files`. */
  readonly what: string
  /** A sentence. */
  readonly message: string
}

/** What an exported skill loses. */
export interface ExportedSkill {
  readonly name: string
  /** The paths of its files that are exported. */
  readonly files: readonly string[]
  readonly lost: readonly ExportLoss[]
}

type Rule = readonly [what: string, applies: (manifest: Manifest) => boolean, message: (manifest: Manifest) => string]

/** In every system: they are Repertoire's own, or the standard leaves them to the client. */
const EVERYWHERE: readonly Rule[] = [
  ['consent', () => true, () => 'Nobody is asked before the skill is used, unless the other system asks.'],
  [
    'allowed-tools',
    ({ allowedTools }) => allowedTools !== undefined,
    ({ allowedTools = [] }) => `Calls outside of ${rulesText(allowedTools)} are not refused.`,
  ],
  [
    'disallowed-tools',
    ({ disallowedTools }) => disallowedTools !== undefined,
    ({ disallowedTools = [] }) => `Calls of ${rulesText(disallowedTools)} are not refused.`,
  ],
  [
    'hooks',
    ({ hooks }) => hooks.pre.length + hooks.post.length > 0,
    ({ hooks }) => `These commands do not run: ${[...hooks.pre, ...hooks.post].join(', ')}.`,
  ],
  ['context', ({ context }) => context === 'fork', () => 'It works in the conversation, not in a sub-agent.'],
  ['scope', ({ scope }) => Object.keys(scope).length > 0, () => 'Everyone who uses the other system sees it.'],
  ['type', ({ type }) => type !== 'instruction', ({ type }) => `It is a ${type}: it is read as text, not executed.`],
  [
    'toolsets',
    ({ toolsets }) => toolsets.length > 0,
    ({ toolsets }) => `Its tools are missing: ${toolsets.join(', ')}.`,
  ],
  ['triggers', hasTriggers, () => 'It is not suggested by its triggers.'],
  ['model', ({ model }) => model !== undefined, ({ model }) => `It does not run with ${model ?? ''}.`],
]

/** Only name, description and body are passed on. */
const BODY_ALONE: readonly Rule[] = [
  [
    'disable-model-invocation',
    ({ disableModelInvocation }) => disableModelInvocation,
    () => 'A model may use it, not only a person.',
  ],
  ['user-invocable', ({ userInvocable }) => !userInvocable, () => 'A person may use it, not only a model.'],
  ['when_to_use', ({ whenToUse }) => whenToUse !== undefined, () => 'The description is passed on without it.'],
  [
    'license',
    ({ license }) => license !== undefined,
    ({ license }) => `Its licence is not passed on: ${license ?? ''}.`,
  ],
  ['compatibility', ({ compatibility }) => compatibility !== undefined, () => 'It is not passed on.'],
  ['metadata', ({ metadata }) => Object.keys(metadata).length > 0, () => 'It is not passed on.'],
  ['tags', ({ tags }) => tags.length > 0, () => 'They are not passed on.'],
  ['arguments', ({ arguments: names }) => names !== undefined, () => 'They have no names there.'],
  ['argument-hint', ({ argumentHint }) => argumentHint !== undefined, () => 'It is not passed on.'],
  [
    'other fields',
    ({ extra }) => Object.keys(extra).length > 0,
    ({ extra }) => `Not passed on: ${Object.keys(extra).join(', ')}.`,
  ],
]

/** Returns what a skill loses, and the fields first. */
export function lossesOf({ manifest }: ExportableSkill, target: ExportTarget): readonly ExportLoss[] {
  const more = target === 'harness' ? BODY_ALONE : []
  return [...EVERYWHERE, ...more]
    .filter(([, applies]) => applies(manifest))
    .map(([what, , message]) => ({ what, message: message(manifest) }))
}

function hasTriggers({ triggers: { keywords, verbs, patterns } }: Manifest): boolean {
  return keywords.length + verbs.length + patterns.length > 0
}

function rulesText(rules: NonNullable<Manifest['allowedTools']>): string {
  return rules.length === 0 ? 'its empty list' : rules.map(formatRule).join(', ')
}
