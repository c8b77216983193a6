import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import type { TestProject } from 'vitest/node'

const DAY_MS = 24 * 60 * 60 * 1000

/** What tests start as a process of its own, or import in one. */
const PROGRAMS = [
  'apps/demo/src/main.ts',
  'packages/cli/src/main.ts',
  'packages/core/src/{index,node/index}.ts',
  'packages/{ai-sdk,langchain,react-loop}/test/*-process.ts',
  'packages/library/test/store/writer.ts',
  'packages/runners/test/host.ts',
  'packages/storage/test/sessions/worker.ts',
]
/** All that the programs are made of. No program imports a test. */
const SOURCES = ['{packages,apps}/*/{src,test}/**/*.{ts,json}', '{packages,apps}/*/package.json', 'pnpm-lock.yaml']

/**
 * Bundles the programs before the tests run: a process loads a few large files in half of the time that it takes for a
 * thousand small ones, and tests start hundreds. `bundled` of `@repertoire/test-servers` says where they are.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  await setBundledPrograms()
  vitest.onTestsRerun(setBundledPrograms)
}

async function setBundledPrograms(): Promise<void> {
  delete process.env['BUNDLED_PROGRAMS']
  try {
    process.env['BUNDLED_PROGRAMS'] = await bundlePrograms(join(import.meta.dirname, '..'))
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error
    // A file that is being written stops the tests of its own package, not those of the others.
    process.stderr.write(`Error: Processes load the sources, since they could not be bundled: ${String(error)}\n`)
  }
}

/** Returns the folder with the bundles of exactly these sources, in which each program lies as in the repository. */
export async function bundlePrograms(root: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache/bundled')
  const folder = join(cache, digest(root))
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const old = join(cache, name)
    // Tests that run at the same time, on other sources, may use it.
    if (Date.now() - statSync(old).mtimeMs > DAY_MS) rmSync(old, { recursive: true, force: true })
  }
  const unfinished = `${folder}.${randomUUID()}`
  await writePrograms(root, unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another run has made the same meanwhile.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
  return folder
}

function digest(root: string): string {
  const hash = createHash('sha256').update(root)
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of [import.meta.filename, ...files.toSorted()]) {
    const bytes = readFileSync(resolve(root, file))
    hash.update(`\0${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

async function writePrograms(root: string, to: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const files = globSync(PROGRAMS, { cwd: root })
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), join(root, file)])),
    platform: 'node',
    resolve: { conditionNames: ['@repertoire/source', 'import', 'node', 'default'] },
    plugins: [installed, sourceLocation],
    logLevel: 'warn',
    onLog(_level, log) {
      throw new Error(log.message)
    },
  })
  await build.write({ dir: to, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
}

/** Loads installed packages from where the sources that import them would: a bundle lies elsewhere. */
const installed: Plugin = {
  name: 'installed',
  resolveId: {
    filter: { id: /^(?!node:)[^./]/ },
    async handler(id, importer) {
      if (importer === undefined || id.startsWith('@repertoire/')) return null
      const resolved = await this.resolve(id, importer, { skipSelf: true })
      return resolved?.id.startsWith('/') === true ? { id: pathToFileURL(resolved.id).href, external: true } : resolved
    },
  },
}

/** Lets a module find the files beside its source. */
const sourceLocation: Plugin = {
  name: 'source-location',
  transform: {
    filter: { id: /\.ts$/, code: /\bimport\.meta\b/ },
    handler: (code, id) => ({
      code: code
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(id))),
      map: null,
    }),
  },
}
