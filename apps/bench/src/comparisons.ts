import { LISTING_STYLES } from '@repertoire/core'
import { type AdapterId, ADAPTERS } from './adapters/index.ts'
import type { Pair } from './job.ts'
import { timeImports } from './measures/imports.ts'
import type { RunnerId } from './measures/runner-runs.ts'
import type { EngineId } from './measures/saves.ts'
import { type ChildOptions, runChild } from './run-child.ts'
import { type Summary, summarise } from './statistics.ts'
import { takeTurns } from './turns.ts'

export const COMPARED_PARTS = ['use', 'search', 'agents', 'runners', 'stores', 'imports'] as const
export type ComparedPart = (typeof COMPARED_PARTS)[number]

/** Something of ours, and what it may take: by itself, more than what it is compared with, or as a ratio to that. */
interface Described {
  readonly part: ComparedPart
  readonly title: string
  /** What it is compared with. Default: nothing. */
  readonly base?: string
  readonly unit: 'ms' | 'bytes'
  readonly limits: { readonly own?: number; readonly more?: number; readonly over?: number }
}

export interface Comparison extends Described {
  /** Measures it once, in a fresh process. */
  readonly measure: (child: ChildOptions) => Promise<Pair>
}

/** A comparison, and its figures over all processes. `more` and `over` are taken in each process. */
export interface ComparedRow extends Described {
  readonly own?: Summary
  readonly bare?: Summary
  readonly more?: Summary
  readonly over?: Summary
  readonly absent?: string
}

/** The trees that are compared on. */
export interface ComparedTrees {
  /** A temporary folder. */
  readonly folder: string
  /** Returns the folder with that many skills. */
  readonly tree: (skills: number) => string
  /** How many skills are in use, are searched, and do agents have. */
  readonly used: number
  readonly searched: number
  readonly agents: readonly number[]
}

const RUNNERS: Readonly<Record<RunnerId, readonly [title: string, base: string, limit: number]>> = {
  virtual: ['virtualRunner', 'just-bash', 1.5],
  bubblewrap: ['openBubblewrap', 'bwrap', 4],
}
const ENGINES: Readonly<Record<EngineId, string>> = {
  redis: 'Redis',
  postgres: 'PostgreSQL',
  s3: 'S3 (our own server)',
}
const FRAMEWORKS = { '@repertoire/ai-sdk': 'ai', '@repertoire/langchain': 'langchain' }

type PartOf = (trees: ComparedTrees) => readonly Omit<Comparison, 'part'>[]

const PARTS: Readonly<Record<ComparedPart, PartOf>> = {
  use: ({ folder, tree, used }) => {
    const root = tree(used)
    return [
      {
        title: 'activation of a skill of 13 files',
        base: 'listing, reading and hashing its folder',
        unit: 'ms',
        limits: { own: 5, over: 6 },
        measure: (child) => runChild({ kind: 'activations', folder }, child),
      },
      ...(
        [
          ['path', 0.025, 'a judged call of a tool with a path'],
          ['shell', 0.05, 'a judged call of a shell'],
        ] as const
      ).map(([call, limit, title]) => ({
        title,
        base: 'a call that nothing judges',
        unit: 'ms' as const,
        limits: { own: limit },
        measure: (child: ChildOptions) => runChild({ kind: 'calls', call }, child),
      })),
      ...LISTING_STYLES.map((style) => ({
        title: `the first step of a process, style ${style}`,
        base: 'a later one',
        unit: 'ms' as const,
        limits: { more: 15 },
        measure: (child: ChildOptions) => runChild({ kind: 'steps', root, style }, child),
      })),
    ]
  },
  search: ({ tree, searched }) => {
    const root = tree(searched)
    return (
      [
        ['index', 'bytes', 2_048, 'index of a search, per skill'],
        ['phrase', 'ms', 2, 'a search for a phrase'],
        ['word', 'ms', 2, 'a search for a word'],
      ] as const
    ).map(([figure, unit, limit, title]) => ({
      title: `${title}, among ${searched.toLocaleString('en')} skills`,
      unit,
      limits: { own: limit },
      measure: (child) => runChild({ kind: 'search', root, figure }, child),
    }))
  },
  agents: ({ tree, agents }) =>
    agents.flatMap((skills) => {
      const root = tree(skills)
      return (Object.keys(ADAPTERS) as AdapterId[]).map((adapter) => ({
        title: `a step with ${skills.toLocaleString('en')} skills, ${ADAPTERS[adapter].title}`,
        base: 'one without',
        unit: 'ms' as const,
        limits: { more: 0.35 },
        measure: (child: ChildOptions) => runChild({ kind: 'agent', adapter, root }, child),
      }))
    }),
  runners: () =>
    (Object.keys(RUNNERS) as RunnerId[]).map((runner) => {
      const [title, base, over] = RUNNERS[runner]
      return {
        title: `a run by ${title}`,
        base,
        unit: 'ms',
        limits: { over },
        measure: (child) => runChild({ kind: 'runner', runner }, child),
      }
    }),
  stores: () =>
    (Object.keys(ENGINES) as EngineId[]).map((engine) => ({
      title: `a save to ${ENGINES[engine]}`,
      base: 'the bare client',
      unit: 'ms',
      limits: { over: 1.5 },
      measure: (child) => runChild({ kind: 'saves', engine }, child),
    })),
  imports: () => [
    {
      title: 'import of @repertoire/core',
      base: 'bare Node',
      unit: 'ms',
      limits: { more: 40 },
      measure: (child) => timeImports({ own: ['@repertoire/core'], base: [] }, child),
    },
    ...Object.entries(FRAMEWORKS).map(([adapter, framework]) => ({
      title: `import of @repertoire/core and ${adapter}`,
      base: `import of ${framework}`,
      unit: 'ms' as const,
      limits: { over: 1.2 },
      measure: (child: ChildOptions) => timeImports({ own: ['@repertoire/core', adapter], base: [framework] }, child),
    })),
  ],
}

/** Returns what is compared in some parts. Makes the trees that they need. */
export function comparisonsOf(parts: readonly ComparedPart[], trees: ComparedTrees): readonly Comparison[] {
  return parts.flatMap((part) => PARTS[part](trees).map((each) => ({ part, ...each })))
}

/** Measures each comparison in fresh processes, in turns. */
export async function measureComparisons(
  comparisons: readonly Comparison[],
  { rounds, progress, ...child }: ChildOptions & { readonly rounds: number; readonly progress: (text: string) => void },
): Promise<readonly ComparedRow[]> {
  const turns = await takeTurns(comparisons, { rounds }, ({ title, measure }, round) => {
    progress(`round ${round + 1} of ${rounds}: ${title}`)
    return measure(child)
  })
  return Array.from(turns, ([{ part, title, base: compared, unit, limits }, { answers, failure }]) => {
    const described = { part, title, base: compared, unit, limits }
    if (failure !== undefined) return { ...described, absent: failure }
    const pairs = answers.flatMap(({ own, base }) => (base === undefined ? [] : [{ own, base }]))
    return {
      ...described,
      own: summarise(answers.map(({ own }) => own)),
      ...(pairs.length > 0 && {
        bare: summarise(pairs.map(({ base }) => base)),
        more: summarise(pairs.map(({ own, base }) => own - base)),
        over: summarise(pairs.map(({ own, base }) => own / base)),
      }),
    }
  })
}
