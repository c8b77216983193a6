import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeTree } from './generator.ts'
import type { Figures } from './rows.ts'
import type { Jobs } from './run.ts'

/** Something that finds the skills below a folder. */
export interface Loader {
  /** Imports what the first scan would otherwise import. */
  readonly prepare?: () => Promise<unknown>
  /** Does everything up to a list of skills in memory, as its users would. */
  readonly scan: () => unknown
  /** Scans again, for a program that keeps running. Default: it cannot. */
  readonly reload?: (result: never) => Promise<unknown>
  /** The descriptions of a result, by the names of the skills' folders. */
  readonly read: (result: never) => Iterable<readonly [folder: string, description: string]>
  /** Scans, and returns the text that shows a model the skills. Default: a line with name and description for each. */
  readonly list?: () => Promise<string>
}

/** Imports a loader for a folder whose folders are skills. Nothing is read yet. */
export type Load = (root: string) => Promise<Loader>

/** Loaders that a user would take in place of Repertoire. */
const PEERS: Readonly<Record<string, Load>> = {
  /** What a team writes in an afternoon: all files at once, a parser, a schema. A skill that fails is left out. */
  async 'gray-matter + zod'(root) {
    const { default: matter } = await import('gray-matter')
    const z = await import('zod')
    const Manifest = z.object({
      name: z.string().min(1),
      description: z.string().min(1),
      license: z.string().optional(),
      compatibility: z.string().optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
      'allowed-tools': z.union([z.string(), z.array(z.string())]).optional(),
    })
    const readSkill = async (folder: string) => {
      const text = await readFile(join(root, folder, 'SKILL.md'), 'utf8')
      // With options, even empty ones, it does not use its cache, so a second scan really parses.
      return { folder, manifest: Manifest.parse(matter(text, {}).data) }
    }
    return {
      scan: () => settled(root, readSkill),
      read: (skills: readonly Awaited<ReturnType<typeof readSkill>>[]) =>
        skills.map(({ folder, manifest }) => [folder, manifest.description]),
    }
  },
  async 'skills-ref'(root) {
    const { readProperties, toPrompt } = await import('skills-ref')
    // It reads one folder, so the caller lists the folders.
    return {
      scan: () => settled(root, async (name) => [name, (await readProperties(join(root, name))).description] as const),
      list: async () => (await settled(root, (name) => toPrompt([join(root, name)]))).join('\n'),
      read: (skills: readonly (readonly [string, string])[]) => skills,
    }
  },
  async deepagents(root) {
    const { listSkills } = await import('deepagents')
    // Its warnings about odd skills are dropped, which is to its advantage.
    console.warn = () => {}
    return {
      scan: () => listSkills({ projectSkillsDir: root }),
      read: (skills: ReturnType<typeof listSkills>) =>
        skills.map(({ path, description }) => [basename(dirname(path)), description]),
    }
  },
}

/** The lower bound of every reader: open, read 4 KB, close, for each of the known paths, into one buffer. */
export const loadFloor: Load = async (root) => {
  const paths = readdirSync(root).map((folder) => join(root, folder, 'SKILL.md'))
  const buffer = Buffer.allocUnsafeSlow(4_096)
  const scan = (): number => {
    let bytes = 0
    for (const path of paths) {
      const file = openSync(path, 'r')
      bytes += readSync(file, buffer, 0, buffer.length, 0)
      closeSync(file)
    }
    return bytes
  }
  return { scan, read: () => [] }
}

/** Ours: the catalog as every adapter uses it, with its diagnostics. */
export const loadRepertoire: Load = async (root) => {
  const { openRepertoire } = await import('@repertoire/core')
  const { directorySource } = await import('@repertoire/core/node')
  const { openAdapterSession } = await import('@repertoire/core/adapter')
  type Opened = Awaited<ReturnType<typeof openRepertoire>>
  // The list is timed by itself, as that of all others.
  const scan = () => openRepertoire({ sources: [directorySource({ root, maxFolders: 1e6 })] })
  return {
    scan,
    // Most of our code is imported when a repertoire first opens.
    prepare: () => openRepertoire({ sources: [] }),
    reload: (repertoire: Opened) => repertoire.reload({ force: true }),
    async list() {
      const step = await openAdapterSession(await scan()).step({ tools: ['Bash', 'Read'] })
      return `${step.system('You are an agent.')}${JSON.stringify(step.tools)}`
    },
    read: ({ catalog }: Opened) =>
      [...catalog.list(), ...catalog.shadowed.map(({ skill }) => skill), ...catalog.inactive].map(
        ({ location, manifest }) => [basename(location), manifest.description],
      ),
  }
}

/** Reads all folders at once, and leaves out the folders that fail. */
async function settled<T>(root: string, read: (folder: string) => Promise<T>): Promise<readonly T[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const results = await Promise.allSettled(folders.map(read))
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/**
 * Returns the share of the skills that `yaml` reads whose description a loader has as `yaml` reads it. White space at
 * either end is ignored.
 */
export async function shareRight(root: string, found: Iterable<readonly [string, string]>): Promise<number> {
  const { parse } = await import('yaml')
  const descriptions = new Map(Array.from(found, ([folder, description]) => [folder, description.trim()]))
  const judged = readdirSync(root).flatMap((folder) => {
    const text = readFileSync(join(root, folder, 'SKILL.md'), 'utf8').replaceAll('\r\n', '\n')
    try {
      const fields = parse(FENCED.exec(text)?.[1] ?? '', { logLevel: 'error' }) as Record<string, unknown>
      const [name, description] = [fields['name'], fields['description']]
      const isRead = typeof name === 'string' && typeof description === 'string' && description.trim() !== ''
      return isRead ? [descriptions.get(folder) === description.trim()] : []
    } catch {
      return []
    }
  })
  return judged.filter(Boolean).length / judged.length
}

/** Makes a job for ours and one for each peer. */
export function jobsOf(measure: (load: Load, root: string) => Promise<Figures>, skills: number): Jobs {
  const job = (load: Load, role?: object) => async (folder: string) => ({
    ...(await measure(load, makeTree(folder, skills))),
    ...role,
  })
  const peers = Object.entries(PEERS).map(([name, load]) => [name, job(load, { peer: 1 })])
  return { repertoire: job(loadRepertoire), ...Object.fromEntries(peers) }
}
