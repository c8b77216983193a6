import { LISTING_STYLES } from '@repertoire/core'
import { type AdapterId, ADAPTERS } from './adapters/index.ts'
import { timeImports } from './measures/imports.ts'
import { type ChildOptions, runChild, takeTurns } from './run-child.ts'
import { type Pair, type Summary, summarise } from './statistics.ts'

/** The parts, in the order of their tables, with the tables' titles. */
export const COMPARED_PARTS = {
  use: 'In use',
  search: 'Search',
  agents: 'A step of an agent',
  context: 'What skills cost in context',
  runners: 'A script that prints a line',
  stores: 'Skills on an engine',
  imports: 'Import',
} as const
export type ComparedPart = keyof typeof COMPARED_PARTS

/** Something of ours, and what it may take: by itself, more than what it is compared with, or as a ratio to that. */
interface Described {
  readonly part: ComparedPart
  readonly title: string
  /** What it is compared with. Default: nothing. */
  readonly base?: string
  /** Default: milliseconds. */
  readonly unit?: 'bytes' | 'tokens'
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

type Unplaced = Omit<Comparison, 'part'>
const PARTS: Readonly<Record<ComparedPart, (trees: ComparedTrees) => readonly Unplaced[]>> = {
  use({ folder, tree, used }) {
    const root = tree(used)
    return [
      {
        title: 'activation of a skill of 13 files',
        base: 'listing, reading and hashing its folder',
        limits: { own: 5, over: 6 },
        measure: (child) => runChild('activations', folder, child),
      },
      {
        title: 'a judged call of a tool with a path',
        limits: { own: 0.025 },
        measure: (child) => runChild('calls', 'path', child),
      },
      {
        title: 'a judged call of a shell',
        limits: { own: 0.05 },
        measure: (child) => runChild('calls', 'shell', child),
      },
      ...LISTING_STYLES.map((style): Unplaced => ({
        title: `the first step of a process, style ${style}`,
        base: 'a later one',
        limits: { more: 15 },
        measure: (child) => runChild('steps', { root, style }, child),
      })),
    ]
  },
  search({ tree, searched }) {
    const root = tree(searched)
    const among = `among ${searched.toLocaleString('en')} skills`
    return [
      {
        title: `index of a search, per skill, ${among}`,
        unit: 'bytes',
        limits: { own: 2_048 },
        measure: (child) => runChild('search', { root, figure: 'index' }, child),
      },
      {
        title: `a search for a phrase, ${among}`,
        limits: { own: 2 },
        measure: (child) => runChild('search', { root, figure: 'query' }, child),
      },
    ]
  },
  agents: ({ tree, agents }) =>
    agents.flatMap((skills) => {
      const root = tree(skills)
      return (Object.keys(ADAPTERS) as AdapterId[]).map((adapter): Unplaced => ({
        title: `a step with ${skills.toLocaleString('en')} skills, ${ADAPTERS[adapter].title}`,
        base: 'one without',
        limits: { more: 0.35 },
        measure: (child) => runChild('agent', { adapter, root }, child),
      }))
    }),
  context: () => [
    {
      title: '10 skills, before any activation',
      base: 'names and descriptions',
      unit: 'tokens',
      limits: { own: 900, more: 350 },
      measure: (child) => runChild('context', 'ten', child),
    },
    {
      title: 'each further skill',
      base: 'its name and description',
      unit: 'tokens',
      limits: { own: 62 },
      measure: (child) => runChild('context', 'further', child),
    },
    {
      title: 'the first activation, in the conversation',
      base: "the skill's body",
      unit: 'tokens',
      limits: { more: 220 },
      measure: (child) => runChild('context', 'activation', child),
    },
    {
      title: 'the tools that an active skill comes with',
      unit: 'tokens',
      limits: { own: 150 },
      measure: (child) => runChild('context', 'tools', child),
    },
  ],
  runners: () => [
    {
      title: 'a run by virtualRunner',
      base: 'just-bash',
      // Our runs have a thread of their own.
      limits: { more: 300 },
      measure: (child) => runChild('runner', 'virtual', child),
    },
    {
      title: 'a run by openBubblewrapRunner',
      base: 'bwrap',
      limits: { over: 4 },
      measure: (child) => runChild('runner', 'bubblewrap', child),
    },
  ],
  stores: () =>
    (['redis', 'postgres'] as const).map((engine) => ({
      title: `a save to ${engine === 'redis' ? 'Redis' : 'PostgreSQL'}`,
      base: 'the bare client',
      limits: { over: 1.5 },
      measure: (child) => runChild('saves', engine, child),
    })),
  imports: () => [
    {
      title: 'import of @repertoire/core',
      base: 'bare Node',
      limits: { more: 40 },
      measure: (child) => timeImports({ own: ['@repertoire/core'], base: [] }, child),
    },
    ...[
      { adapter: '@repertoire/ai-sdk', framework: 'ai' },
      { adapter: '@repertoire/langchain', framework: 'langchain' },
    ].map(({ adapter, framework }): Unplaced => ({
      title: `import of @repertoire/core and ${adapter}`,
      base: `import of ${framework}`,
      limits: { over: 1.2 },
      measure: (child) => timeImports({ own: ['@repertoire/core', adapter], base: [framework] }, child),
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
  const turns = await takeTurns(comparisons, rounds, ({ title, measure }, round) => {
    progress(`round ${round + 1} of ${rounds}: ${title}`)
    return measure(child)
  })
  return Array.from(turns, ([{ part, title, base: other, unit, limits }, { answers, failure }]) => {
    const described = { part, title, base: other, unit, limits }
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
