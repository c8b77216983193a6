import type { Manifest } from '@repertoire/core'
import facts from '../loaders.json' with { type: 'json' }

/** What is known of a skill's files before other systems load them. */
export interface JudgedSkill {
  /** The whole SKILL.md. */
  readonly text: string
  readonly manifest: Pick<Manifest, 'description' | 'allowedTools' | 'disableModelInvocation'>
  /** The codes of what was found in it. */
  readonly codes: ReadonlySet<string>
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** What some systems do with a skill. */
export interface OtherLoad {
  /** The check of the host profile that showed it. */
  readonly check: string
  /** Whether these systems do not list the skill at all. */
  readonly isLost: boolean
  /** What becomes of it. */
  readonly what: string
  /** What to change. Absent: there is nothing to change in the skill. */
  readonly fix?: string
  /** Names with versions. */
  readonly systems: readonly string[]
}

type Trait = Omit<OtherLoad, 'systems'> & { readonly has: (skill: JudgedSkill) => boolean; readonly tells?: RegExp }

const ONE_LINE = 'Write the description on one line, without quotes if it has no colon.'
/** A file that the check tries with: larger ones are read in parts. */
const LARGE_BYTES = 200_000

/** What a skill may have, and what a check of the host profile shows of systems that get it. */
const TRAITS: readonly Trait[] = [
  {
    check: 'listing-bom',
    isLost: true,
    what: 'Not listed, since the file begins with a byte order mark',
    fix: 'Save the file as UTF-8 without a mark.',
    has: ({ text }) => text.startsWith('\uFEFF'),
  },
  {
    check: 'listing-unquoted-colon',
    isLost: true,
    what: 'Not listed, since a value has a colon and no quotes',
    fix: 'Put the value into quotes.',
    has: ({ codes }) => codes.has('YAML_REPAIRED'),
  },
  {
    check: 'told-name-mismatch',
    tells: /not listed/,
    isLost: true,
    what: 'Not listed, since its folder has another name',
    fix: 'Give the folder the name of the skill.',
    has: ({ codes }) => codes.has('NAME_FOLDER_MISMATCH'),
  },
  {
    check: 'told-manual-only',
    tells: /^It is listed/,
    isLost: false,
    what: 'Listed for the model in spite of disable-model-invocation',
    has: ({ manifest }) => manifest.disableModelInvocation,
  },
  ...(
    [
      ['listing-folded-text', /^description:\s*>/m],
      ['listing-literal-text', /^description:\s*\|/m],
      ['listing-plain-lines', /^description:[ \t]*[^\s>|"'].*\r?\n[ \t]+\S/m],
      ['listing-double-quoted', /^description:[ \t]*".*\\/m],
      ['listing-single-quoted', /^description:[ \t]*'.*''/m],
    ] as const
  ).map(([check, form]) => ({
    check,
    isLost: false,
    what: 'Description read wrongly',
    fix: ONE_LINE,
    has: ({ text }: JudgedSkill) => form.test(text),
  })),
  {
    check: 'listing-heading-contained',
    isLost: false,
    what: 'A line of the description shown as a heading',
    fix: ONE_LINE,
    has: ({ manifest }) => /^\s*#/m.test(manifest.description),
  },
  {
    check: 'resources-beside',
    isLost: false,
    what: 'Only files in references, assets and scripts can be read',
    fix: 'Move the other files there.',
    has: ({ files }) => files.some(({ path }) => !/^(?:SKILL\.md$|references\/|assets\/|scripts\/|evals\/)/.test(path)),
  },
  {
    check: 'resources-large',
    isLost: false,
    what: 'A large file cut without a word',
    fix: 'Split files of more than 200 KB.',
    has: ({ files }) => files.some(({ size }) => size >= LARGE_BYTES),
  },
  {
    check: 'told-unlisted-tool',
    tells: /^It ran/,
    isLost: false,
    what: 'Tools run that allowed-tools does not name',
    has: ({ manifest }) => manifest.allowedTools !== undefined,
  },
]

/** When the other systems were judged. */
export const JUDGED_ON = facts.date

/** The other systems, with the versions that were judged. */
export const OTHER_SYSTEMS: readonly string[] = facts.systems.map(({ name, version }) => `${name} ${version}`)

/** Returns what other systems do with a skill, as they were judged. Empty: nothing is known against it. */
export function loadElsewhere(skill: JudgedSkill): readonly OtherLoad[] {
  return TRAITS.filter(({ has }) => has(skill)).flatMap(({ check, isLost, what, fix, tells }) => {
    const told = check as keyof (typeof facts.systems)[number]['told']
    const systems = facts.systems.flatMap(({ name, version, fails, told: seen }) => {
      const isSo = tells === undefined ? fails.includes(check) : tells.test(seen[told])
      return isSo ? [`${name} ${version}`] : []
    })
    return systems.length === 0 ? [] : [{ check, isLost, what, fix, systems }]
  })
}
