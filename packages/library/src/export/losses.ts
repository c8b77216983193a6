import type { Manifest } from '@repertoire/core'
import { formatRule } from '@repertoire/core/authoring'
import type { ExportableSkill } from './exportable.ts'

/** Something of a skill that the other system does not keep. */
export interface ExportLoss {
  /** A field of SKILL.md, `fields`, `consent`, or `files`. */
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
  [
    'triggers',
    ({ triggers }) => Object.values(triggers).some(({ length }) => length > 0),
    () => 'It is not suggested by its triggers.',
  ],
  ['model', ({ model }) => model !== undefined, ({ model }) => `It does not run with ${model ?? ''}.`],
]

/** Returns what a skill loses in every system. */
export function lossesOf({ manifest }: ExportableSkill): readonly ExportLoss[] {
  return EVERYWHERE.filter(([, applies]) => applies(manifest)).map(([what, , message]) => ({
    what,
    message: message(manifest),
  }))
}

function rulesText(rules: NonNullable<Manifest['allowedTools']>): string {
  return rules.length === 0 ? 'its empty list' : rules.map(formatRule).join(', ')
}
