import { globSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, `node_modules/.cache/bundled/${process.pid}`)

/** What tests start as a separate process, or import in one. */
const PROGRAMS = [
  'apps/demo/src/main.ts',
  'packages/cli/src/main.ts',
  'packages/core/src/{index,node/index}.ts',
  'packages/{ai-sdk,claude-agent,langchain,mastra,openai-agents,react-loop}/test/*-process.ts',
  'packages/library/test/store/writer.ts',
  'packages/runners/test/host.ts',
  'packages/storage/test/sessions/worker.ts',
]

/**
 * Bundles the programs before the tests run: a process loads a few large files in half of the time that it takes for a
 * thousand small ones, and tests start hundreds. `bundled` of `@repertoire/test-servers` says where they are.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  await bundlePrograms()
  vitest.onTestsRerun(bundlePrograms)
}

/** Removes the bundles. */
export function teardown(): void {
  rmSync(FOLDER, { recursive: true, force: true })
}

async function bundlePrograms(): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(
      globSync(PROGRAMS, { cwd: ROOT }).map((file) => [file.slice(0, -'.ts'.length), join(ROOT, file)]),
    ),
    platform: 'node',
    resolve: { conditionNames: ['@repertoire/source', 'import', 'node', 'default'] },
    plugins: [installed, sourceLocation],
    logLevel: 'warn',
    onLog(_level, log) {
      throw new Error(log.message)
    },
  })
  await build.write({ dir: FOLDER, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
  process.env['BUNDLED_PROGRAMS'] = FOLDER
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
